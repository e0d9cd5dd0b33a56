// SPDX-License-Identifier: MIT
// Compiled with AVX2 where the compiler can (src/CMakeLists.txt).
#ifdef LIMBER_AVX2
#include "limber/solvers/batch/batch_kernels.h"

#include "limber/solvers/batch/batch_kernel.h"

namespace limber::avx2 {

void runBatchSingle(const BatchPlan& plan, const BatchLimits& limits, const BatchRange& range) {
  runBatch<float, 8>(plan, limits, range);
}
void runBatchDouble(const BatchPlan& plan, const BatchLimits& limits, const BatchRange& range) {
  runBatch<double, 4>(plan, limits, range);
}

}  // namespace limber::avx2
#endif
