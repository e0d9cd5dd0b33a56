// SPDX-License-Identifier: MIT
#include "limber/objective/sweep/sweep_kernel.h"

namespace limber {

const SweepKernel kSweepBaseline{LIMBER_KERNEL_NAMESPACE::factorRun, LIMBER_KERNEL_NAMESPACE::factorOpenRun,
                                 LIMBER_KERNEL_NAMESPACE::eliminateRun, LIMBER_KERNEL_NAMESPACE::moveRun};

}  // namespace limber
