// SPDX-License-Identifier: MIT
// Limits as springs: the second sum of equation 16 of Yenamandra et al., Convex Optimisation for Inverse Kinematics
// (2019):
//
//   penalty(q) = stiffness * sum over limits of distance(q, limit)^2
//
// The paper's limits are intervals of angles; here also those of lengths (in mean link lengths), of cones and twists
// (the angle outside), of linear limits (along their unit normal), and of followers, through their drivers.
#pragma once

#include "limber/objective/objective.h"

namespace limber {

class LimitPenalty {
 public:
  /// The objective must outlive it. stiffness: f per squared radian.
  LimitPenalty(const Objective& objective, double stiffness);

  double value(const Pose& pose) const;
  /// gradient (active x 1) += that of the penalty. `normal` is scratch.
  void addGradient(const Pose& pose, Eigen::VectorXd& gradient, Eigen::VectorXd& normal) const;

 private:
  struct Reach {
    double distance = 0.0;   ///< positive outside; of equations of either sign; 0 where the limit does not pull
    double perNormal = 0.0;  ///< d distance / d (step along the unit normal)
  };
  Reach reachOf(const Pose& pose, int limit) const;
  bool isAcrossHinge(int limit) const;
  double weightOf(int limit) const;

  const Objective& objective_;
  const FeasibleSet& set_;
  double stiffness_;
};

/// lambda of equation 16, where a goal's squared distance counts once, in the unit of an objective whose goals count
/// weight / 2 times: lambda / 2 of the largest weight.
double springStiffness(const Objective& objective, double lambda);

}  // namespace limber
