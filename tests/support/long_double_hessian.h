// SPDX-License-Identifier: MIT
// Gradient and Hessian of a reach, in long double from the pose on: an oracle that shares no code with the library.
#pragma once

#include <span>

#include "objective/objective.h"

namespace limber::test {

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

/// A point of a link and where it should be.
struct ReachGoal {
  int link = 0;
  Eigen::Vector3d point, target;
  double weight = 1.0;
};

struct LongReach {
  LongVector gradient;  ///< by step coordinate
  LongMatrix hessian;
};

/// f = 1/2 sum weight |x - target|^2 / L^2 + the regulariser, all coordinates of the step, no couplings.
LongReach computeLongReach(const Figure& figure, const Pose& pose, std::span<const ReachGoal> goals,
                           const Regulariser& regulariser);

}  // namespace limber::test
