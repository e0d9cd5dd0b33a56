// SPDX-License-Identifier: MIT
#include "limber/ways/near_ways.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/ways/self_motion.h"

namespace limber::ways {

namespace {

constexpr double kWholeTurn = 2.0 * std::numbers::pi;
constexpr double kLimitRounding = 1e-9;  ///< radians and metres outside limits by rounding
constexpr int kHeldValues = 24;          ///< of the joint of seven that is held
constexpr double kSlideRange = 4.0;      ///< of a held slide without limits, in sizes of the arm

/// Moves angles by whole turns into the limits, near to the start. False if that is impossible.
bool bringWithinLimits(const ScrewChain& chain, const Coordinates& start, Coordinates& q) {
  for (int i = 0; i < chain.count; ++i) {
    const Interval limits = chain.limits[i];
    if (!chain.screws[i].isSlide) {
      q[i] += kWholeTurn * std::round((start[i] - q[i]) / kWholeTurn);
      if (q[i] < limits.lower - kLimitRounding)
        q[i] += kWholeTurn * std::ceil((limits.lower - kLimitRounding - q[i]) / kWholeTurn);
      if (q[i] > limits.upper + kLimitRounding)
        q[i] -= kWholeTurn * std::ceil((q[i] - limits.upper - kLimitRounding) / kWholeTurn);
    }
    if (!(q[i] >= limits.lower - kLimitRounding && q[i] <= limits.upper + kLimitRounding)) return false;
    q[i] = std::clamp(q[i], limits.lower, limits.upper);
  }
  return true;
}

}  // namespace

void NearWays::take(const ArmSolver& solver, const Coordinates& start) {
  for (const Way& way : ways_.all)
    if (Coordinates q = way.q; bringWithinLimits(solver.chain(), start, q)) found_.push_back(q);
}

const std::vector<Coordinates>& NearWays::find(const ArmSolver& solver, const Transform& worldFromTip,
                                               const Coordinates& start, int most) {
  found_.clear();
  const ScrewChain& chain = solver.chain();
  if (chain.count < kMaxJoints) {
    solver.solve(worldFromTip, start, ways_, Effort::WithinLimits);
    take(solver, start);
  } else {
    const int joint = jointToHold(solver, start);
    const bool isSlide = chain.screws[joint].isSlide;
    const double reach =
        isSlide ? solver.unscaled(Coordinates::Constant(chain.count, kSlideRange))[joint] : std::numbers::pi;
    const Interval limits = chain.limits[joint];
    const double lower = std::max(limits.lower, start[joint] - reach);
    const double upper = std::min(limits.upper, start[joint] + reach);
    Coordinates held = start;
    for (int k = 0; k <= 2 * kHeldValues && static_cast<int>(found_.size()) < most; ++k) {
      const double step = (upper - lower) / kHeldValues * ((k + 1) / 2);
      held[joint] = start[joint] + (k % 2 == 1 ? step : -step);
      if (held[joint] < lower || held[joint] > upper) continue;
      solver.solveHolding(joint, worldFromTip, held, ways_, Effort::WithinLimits);
      take(solver, start);
    }
  }
  std::sort(found_.begin(), found_.end(), [&](const Coordinates& a, const Coordinates& b) {
    return (a - start).squaredNorm() < (b - start).squaredNorm();
  });
  if (static_cast<int>(found_.size()) > most) found_.resize(most);
  return found_;
}

}  // namespace limber::ways
