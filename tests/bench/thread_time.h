// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>

namespace limber::bench {

/// Nanoseconds of processor time of this thread, so that what else runs on the machine does not count; the clock on the
/// wall where there is no such thing.
inline double threadTime() {
#ifdef CLOCK_THREAD_CPUTIME_ID
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
#else
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
#endif
}

/// What reading it costs by itself: to be taken off each difference.
inline double threadTimeCost() {
  std::array<double, 1001> costs{};
  for (double& cost : costs) {
    const double before = threadTime();
    cost = threadTime() - before;
  }
  std::nth_element(costs.begin(), costs.begin() + costs.size() / 2, costs.end());
  return costs[costs.size() / 2];
}

}  // namespace limber::bench
