// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace limber::test {

/// Calls of operator new (every form) and of malloc by Eigen in this process so far. Counts in every test executable
/// that links the support library and calls this.
std::size_t allocationCount();

}  // namespace limber::test
