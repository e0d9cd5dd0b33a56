// SPDX-License-Identifier: MIT
#pragma once

namespace limber {

/// True when the sources named *_avx2.cpp were compiled for AVX2 and this processor has it. The environment variable
/// LIMBER_BASELINE, set to anything but 0, says no: to compare.
bool hasAvx2();

}  // namespace limber
