// SPDX-License-Identifier: MIT
// Names of the branches of an arm's answers: shoulder left or right, elbow up or down, wrist flipped or not. A branch
// changes only where the arm is singular, so that each sign is a factor of the determinant of the Jacobian.
#pragma once

#include <string_view>

#include "limber/ways/arm_solver.h"

namespace limber::ways {

/// Empty words for what the arm does not have.
struct BranchLabels {
  std::string_view shoulder = {};  ///< "left", "right": on which side of the first axis the arm reaches
  std::string_view elbow = {};  ///< "up", "down": the third joint along the first axis, seen from the line to the wrist
  std::string_view wrist = {};  ///< "plain", "flipped": the sign of the wrist's middle angle
  bool operator==(const BranchLabels&) const = default;
};

/// Labels of six joints with a spherical wrist, or with parallel axes from the second to the fourth; else empty.
BranchLabels labelsOf(const ArmSolver& solver, const Coordinates& q);

}  // namespace limber::ways
