// SPDX-License-Identifier: MIT
#include "limber/objective/sweep/planar_fold.h"

namespace limber {

const PlanarKernels& planarFold(const PlanarRows& rows, [[maybe_unused]] bool wide) {
#ifdef LIMBER_HAS_AVX2_CODE
  if (wide) return avx2::planarFold(rows);
#endif
  return baseline::choosePlanarFold(rows);
}

}  // namespace limber
