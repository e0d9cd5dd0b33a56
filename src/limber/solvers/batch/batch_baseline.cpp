// SPDX-License-Identifier: MIT
#include "limber/solvers/batch/batch_kernels.h"

#include "limber/solvers/batch/batch_kernel.h"

namespace limber::baseline {

void runBatchSingle(const BatchPlan& plan, const BatchLimits& limits, const BatchRange& range) {
  runBatch<float, 8>(plan, limits, range);
}
void runBatchDouble(const BatchPlan& plan, const BatchLimits& limits, const BatchRange& range) {
  runBatch<double, 4>(plan, limits, range);
}

}  // namespace limber::baseline
