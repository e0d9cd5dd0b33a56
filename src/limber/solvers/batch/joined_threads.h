// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <thread>
#include <vector>

namespace limber {

/// Joins its threads, even if an exception is thrown. (libc++ has no std::jthread before 18.)
struct JoinedThreads {
  std::vector<std::thread> threads = {};
  ~JoinedThreads() {
    for (std::thread& thread : threads) thread.join();
  }
};

/// The number of threads for an option: all of the machine for 0.
inline unsigned threadCount(int wanted) {
  return wanted > 0 ? static_cast<unsigned>(wanted) : std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace limber
