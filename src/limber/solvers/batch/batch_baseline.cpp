// SPDX-License-Identifier: MIT
#include "limber/solvers/batch/batch_kernel.h"

namespace limber::baseline {

template void runBatch<float, 8>(const BatchPlan&, const BatchLimits&, const BatchRange&);
template void runBatch<double, 4>(const BatchPlan&, const BatchLimits&, const BatchRange&);

}  // namespace limber::baseline
