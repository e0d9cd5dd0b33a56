// SPDX-License-Identifier: MIT
// Two line searches. f never rises in either.
//
// searchLine is the inexact line search (31) of Zhao and Badler (1994), after Powell (1976): along a descent direction,
// the longest step found, at most `longest`, with
//
//   f(gamma)  <= f(0) + delta_1 gamma f'(0)        delta_1 = 1e-4
//   f'(gamma) >= delta_2 f'(0)                     delta_2 = 0.5
//
// by cubic Hermite interpolation between two trials with their slopes. If no step up to `longest` meets the second
// condition, the longest one that meets the first is taken.
//
// searchArc follows the projected path: the trial is the pose moved by gamma d and projected. It backtracks by Armijo's
// rule with the actual step (Bertsekas 1982), gamma by interpolation of the parabola through f(0), f'(0) and the trial,
// at most kMaxTrials times as in Manopt's default.
#pragma once

#include <algorithm>
#include <cmath>

namespace limber {

struct LineTrial {
  double step = 0.0;   ///< gamma
  double value = 0.0;  ///< f
  double slope = 0.0;  ///< f' = gradient . direction
};

/// The minimum of the cubic through both values and slopes, kept away from both ends; the middle if the cubic has no
/// minimum.
inline double hermiteMinimum(const LineTrial& a, const LineTrial& b) {
  const double width = b.step - a.step;
  const double d = a.slope + b.slope - 3.0 * (b.value - a.value) / width;
  const double e = std::sqrt(d * d - a.slope * b.slope);
  const double t = 1.0 - (b.slope + e - d) / (b.slope - a.slope + 2.0 * e);
  if (!std::isfinite(t)) return a.step + 0.5 * width;
  return a.step + std::clamp(t, 0.01, 0.9) * width;
}

enum class LineOutcome {
  None,    ///< no step lowers f
  Curved,  ///< both conditions hold
  Lower,   ///< only the first holds
};

/// evaluate(gamma) -> LineTrial makes that step the current trial; swapKept() exchanges the current trial and the
/// stored best one. On any outcome except None the current trial is `found`.
template <class Evaluate, class Swap>
LineOutcome searchLine(const LineTrial& start, double longest, Evaluate&& evaluate, Swap&& swapKept, LineTrial& found) {
  constexpr double kDecrease = 1e-4, kCurvature = 0.5;
  constexpr int kMaxTrials = 40;
  LineTrial low = start, high;
  bool hasHigh = false;
  double step = longest;
  for (int count = 0; count < kMaxTrials; ++count) {
    found = evaluate(step);
    const bool isLower = found.value <= start.value + kDecrease * step * start.slope && std::isfinite(found.slope);
    if (isLower && found.slope >= kCurvature * start.slope) return LineOutcome::Curved;
    if (isLower && !hasHigh) return LineOutcome::Lower;  // f still falls steeply at the longest step
    if (isLower) {
      low = found;
      swapKept();
    } else {
      high = found;
      hasHigh = true;
    }
    step = hermiteMinimum(low, high);
    if (!(step > low.step && step < high.step)) break;  // no number lies between
  }
  if (low.step == 0.0) return LineOutcome::None;
  swapKept();
  found = low;
  return LineOutcome::Lower;
}

struct ArcTrial {
  double value = 0.0;  ///< f
  double slope = 0.0;  ///< gradient at the start . step from there to the trial
};

/// evaluate(gamma) -> ArcTrial makes that step the current trial. Returns the accepted gamma, or 0.
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
