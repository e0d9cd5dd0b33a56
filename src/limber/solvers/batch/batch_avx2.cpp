// SPDX-License-Identifier: MIT
// Compiled with AVX2 if the compiler supports it (src/CMakeLists.txt).
#ifdef LIMBER_AVX2
#include "limber/solvers/batch/batch_kernel.h"

namespace limber::avx2 {

template void runBatch<float, 8>(const BatchPlan&, const BatchLimits&, const BatchRange&);
template void runBatch<double, 4>(const BatchPlan&, const BatchLimits&, const BatchRange&);

}  // namespace limber::avx2
#endif
