// SPDX-License-Identifier: MIT
#pragma once

namespace limber::test {

/// How often a test repeats itself: sanitizers make each time slow.
constexpr int repetitions([[maybe_unused]] int count, [[maybe_unused]] int sanitized) {
#if defined(__SANITIZE_ADDRESS__)
  return sanitized;
#else
  return count;
#endif
}

}  // namespace limber::test
