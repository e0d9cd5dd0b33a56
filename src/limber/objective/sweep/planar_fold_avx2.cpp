// SPDX-License-Identifier: MIT
#include "limber/objective/sweep/planar_fold.h"

#ifdef LIMBER_AVX2

namespace limber::avx2 {

const PlanarKernels& planarFold(const PlanarRows& rows) { return choosePlanarFold(rows); }

}  // namespace limber::avx2

#endif
