// SPDX-License-Identifier: MIT
#include "limber/objective/sweep/planar_kernels.h"

#ifdef LIMBER_AVX2

namespace limber::avx2 {

const PlanarKernels& planarKernels(const PlanarRows& rows) { return choosePlanarKernels(rows); }

}  // namespace limber::avx2

#endif
