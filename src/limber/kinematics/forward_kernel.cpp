// SPDX-License-Identifier: MIT
#include "limber/kinematics/forward_kernel.h"

namespace limber {

void computeTransformsBaseline(const ForwardArrays& arrays) { LIMBER_KERNEL_NAMESPACE::computeTransforms(arrays); }

}  // namespace limber
