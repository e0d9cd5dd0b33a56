// SPDX-License-Identifier: MIT
// Arms of seven joints: their ways to reach a place are curves, along which the arm moves while its tip stays.
#pragma once

#include <vector>

#include "limber/ways/arm_solver.h"

namespace limber::ways {

struct SelfMotion {
  /// Ways along the curve, kCurveStep apart at most; angles go on across pi. The last is not the first again.
  std::vector<Coordinates> points = {};
  bool isClosed = false;  ///< it returns to its first point; otherwise it ended where no continuation was found
};

inline constexpr double kCurveStep = 0.1;  ///< of the coordinates, in sizes of the arm and radians

/// The joint of seven without which the arm has a closed form while that joint is at its coordinate of `at`; the third
/// if there is none.
int jointToHold(const ArmSolver& solver, const Coordinates& at);

/// The curves of an arm of seven joints, ignoring limits. They are found at `samples` values of one joint, chosen such
/// that the others have a closed form if possible: a curve along which that joint turns less than between two values
/// may be missing.
std::vector<SelfMotion> selfMotionsOf(const ArmSolver& solver, const Transform& worldFromTip,
                                      const Coordinates& preferred, int samples = 36);

}  // namespace limber::ways
