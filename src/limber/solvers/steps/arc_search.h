// SPDX-License-Identifier: MIT
// A line search along a direction that limits bend: the trial is the pose moved by gamma d and projected. Backtracking
// by Armijo's rule on the way that was really made (Bertsekas 1982), gamma by interpolation of the parabola through
// f(0), f'(0) and the trial, at most kMaxTrials times as in Manopt's default. f never rises.
#pragma once

#include <algorithm>
#include <cmath>

namespace limber {

struct ArcTrial {
  double value = 0.0;  ///< f
  double slope = 0.0;  ///< gradient at the start . way from there to the trial
};

/// evaluate(gamma) -> ArcTrial makes that step the current trial. Returns the gamma that was accepted, 0 when none was.
template <class Evaluate>
double searchArc(double before, double firstStep, Evaluate&& evaluate) {
  constexpr double kDecrease = 1e-4, kLeast = 0.1, kMost = 0.5;
  constexpr int kMaxTrials = 25;
  double gamma = firstStep;
  for (int count = 0; count < kMaxTrials; ++count) {
    const ArcTrial trial = evaluate(gamma);
    if (trial.slope < 0.0 && trial.value <= before + kDecrease * trial.slope) return gamma;
    const double part = -0.5 * trial.slope / (trial.value - before - trial.slope);
    gamma *= std::isfinite(part) ? std::clamp(part, kLeast, kMost) : kMost;
  }
  return 0.0;
}

}  // namespace limber
