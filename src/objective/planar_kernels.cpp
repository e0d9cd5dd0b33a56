// SPDX-License-Identifier: MIT
#include "objective/planar_kernels.h"

namespace limber {

const PlanarKernels& planarKernels(int lanes, [[maybe_unused]] bool wide) {
#ifdef LIMBER_HAS_AVX2_CODE
  if (wide) return avx2::planarKernels(lanes);
#endif
  return baseline::choosePlanarKernels(lanes);
}

}  // namespace limber
