// SPDX-License-Identifier: MIT
#pragma once

namespace limber {

/// True if the sources named *_avx2.cpp were compiled for AVX2 and this processor has it. False if the environment
/// variable LIMBER_BASELINE is set to anything but 0, for comparisons.
bool hasAvx2();

}  // namespace limber
