// SPDX-License-Identifier: MIT
// Gradient and Hessian of a reach, in long double from the pose on: an oracle that shares no code with the library.
#pragma once

#include <span>

#include "limber/objective/objective.h"

namespace limber::test {

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

/// A point of a link and where it should be.
struct ReachGoal {
  int link = 0;
  Eigen::Vector3d point, target;
  double weight = 1.0;
};

/// A goal over any number of links: e = sum of factor * feature - constant, and r = e, or how far |e| is from a bound.
struct SpreadGoal {
  struct Feature {
    int link = 0;
    Eigen::Vector3d vector;     ///< in the link: a point, or a direction
    bool isDirection = false;
    Eigen::MatrixXd factor;     ///< (m x 3)
  };
  std::vector<Feature> features;
  Eigen::VectorXd constant;     ///< (m x 1)
  double weight = 1.0;
  bool isDistance = false;      ///< r = (sqrt(|e|^2 + softening^2) - bound) / unit where that breaks it
  double softening = 0.0, lower = 0.0, upper = 0.0, unit = 1.0;  ///< bounds softened
};

struct LongReach {
  LongVector gradient;  ///< by step coordinate
  LongMatrix hessian;
};

/// f = 1/2 sum weight |x - target|^2 / L^2 + the regulariser, plus goals over several links, all
/// coordinates of the step, each for itself.
LongReach computeLongReach(const Figure& figure, const Pose& pose, std::span<const ReachGoal> goals,
                           const Regulariser& regulariser, std::span<const SpreadGoal> spread = {});

/// The same by active coordinate, with followers folded into their drivers.
LongReach foldFollowers(const LongReach& full, const Objective& objective, const Pose& pose);

}  // namespace limber::test
