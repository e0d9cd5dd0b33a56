// SPDX-License-Identifier: MIT
#include "limber/objective/sweep/planar_kernels.h"

namespace limber {

const PlanarKernels& planarKernels(const PlanarRows& rows, bool wide) {
  if (rows.lanes == 2) return planarFold(rows, wide);
#ifdef LIMBER_HAS_AVX2_CODE
  if (wide) return avx2::planarKernels(rows);
#endif
  return baseline::choosePlanarKernels(rows);
}

}  // namespace limber
