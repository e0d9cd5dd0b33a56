// SPDX-License-Identifier: MIT
#include "limber/objective/sweep/planar_fold.h"

namespace limber {

const PlanarKernels& planarKernels(const PlanarRows& rows, [[maybe_unused]] bool wide) {
  const bool folds = rows.lanes == 2;
#ifdef LIMBER_HAS_AVX2_CODE
  if (wide) return folds ? avx2::planarFold(rows) : avx2::planarKernels(rows);
#endif
  return folds ? baseline::choosePlanarFold(rows) : baseline::choosePlanarKernels(rows);
}

}  // namespace limber
