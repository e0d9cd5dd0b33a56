// SPDX-License-Identifier: MIT
// Figure 3 of the paper: local methods on the hand, all joints observed without noise, and how their cost falls.
#pragma once

#include <iosfwd>

#include "experiments/problems.h"

namespace limber::experiments {

struct LocalSettings {
  int problems = 8;
  int starts = 5;
  double cap = 30.0;  ///< seconds of the processor, of one run
  std::uint64_t seed = 1;
};

struct LocalRun {
  std::string_view method;   ///< a name of the registry; "penalty_mm" for the paper's own
  int problem = 0, start = 0;
  double cost = 0.0;         ///< (15) at the end, metres
  double time = 0.0;         ///< of the processor, seconds
  int iterations = 0;
  bool isCapped = false;
  std::vector<double> curve; ///< cost at the times of curveTimes(), metres
};

/// Seconds: ten a factor of ten, from ten microseconds to thirty seconds.
std::vector<double> curveTimes();

std::vector<LocalRun> runLocalMethods(const Case& problems, const LocalSettings& settings);

/// Comma-separated, with a head: a line a run; a line a run and time.
void writeLocalRuns(const std::vector<LocalRun>& runs, std::ostream& out);
void writeLocalCurves(const std::vector<LocalRun>& runs, std::ostream& out);

}  // namespace limber::experiments
