// SPDX-License-Identifier: MIT
// The vector code of solvers/batch/batch.h by processor. Call the AVX2 ones only where hasAvx2() says so.
#pragma once

#include "limber/solvers/batch/batch_plan.h"

namespace limber {

namespace baseline {
void runBatchSingle(const BatchPlan& plan, const BatchLimits& limits, const BatchRange& range);
void runBatchDouble(const BatchPlan& plan, const BatchLimits& limits, const BatchRange& range);
}  // namespace baseline

namespace avx2 {
void runBatchSingle(const BatchPlan& plan, const BatchLimits& limits, const BatchRange& range);
void runBatchDouble(const BatchPlan& plan, const BatchLimits& limits, const BatchRange& range);
}  // namespace avx2

}  // namespace limber
