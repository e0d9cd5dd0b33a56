// SPDX-License-Identifier: MIT
// Gradient and Hessian of an objective in long double: an independent reference that shares no code with the library.
#pragma once

#include <span>

#include "limber/objective/objective.h"
#include "support/dense_algebra.h"

namespace limber::test {

/// A point of a link and its target.
struct ReachGoal {
  int link = 0;
  Eigen::Vector3d point, target;
  double weight = 1.0;
};

/// A goal over any number of links: e = sum of factor * feature - constant, and r = e or the distance of |e| to a
/// bound.
struct SpreadGoal {
  struct Feature {
    int link = 0;
    Eigen::Vector3d vector;  ///< in the link: a point, or a direction
    bool isDirection = false;
    Eigen::MatrixXd factor;  ///< (m x 3)
  };
  std::vector<Feature> features;
  Eigen::VectorXd constant;  ///< (m x 1)
  double weight = 1.0;
  bool isDistance = false;  ///< r = (sqrt(|e|^2 + softening^2) - bound) / unit where it is violated
  double softening = 0.0, lower = 0.0, upper = 0.0, unit = 1.0;  ///< bounds softened
};

struct LongReach {
  LongVector gradient;  ///< by step coordinate
  LongMatrix hessian;
};

/// f = 1/2 sum weight |x - target|^2 / L^2 + the regulariser, plus goals over several links, by all coordinates of the
/// step, without couplings.
LongReach computeLongReach(const Figure& figure, const Pose& pose, std::span<const ReachGoal> goals,
                           const Regulariser& regulariser, std::span<const SpreadGoal> spread = {});

/// The same by active coordinates, with couplings applied.
LongReach foldFollowers(const LongReach& full, const Objective& objective, const Pose& pose);

}  // namespace limber::test
