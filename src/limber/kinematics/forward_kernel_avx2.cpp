// SPDX-License-Identifier: MIT
#include "limber/kinematics/forward_kernel.h"

namespace limber {

void computeTransformsAvx2(const ForwardArrays& arrays) { LIMBER_KERNEL_NAMESPACE::computeTransforms(arrays); }

}  // namespace limber
