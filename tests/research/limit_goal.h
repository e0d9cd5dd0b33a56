// SPDX-License-Identifier: MIT
// Joint limits as goals, so that any method of the registry can minimise the paper's penalty objective: Yenamandra and
// others (2019), section 5.1,
//
//   minimise  sum_k |y_k - x_k(q)|^2 + lambda sum_i dist(theta_i, I_i)^2                                        (16)
//
// over all angles, with lambda = 100 and no unit for it. A term of the second sum is a goal with the residual
//
//   r = theta - (the nearest angle of I),   f = 1/2 weight r^2.
//
// The angle is read from the pose and not from the links, so that whole turns outside the limits count.
#pragma once

#include "limber/goals/goal.h"
#include "support/observed_figure.h"

namespace limber::experiments {

/// The limit of one revolute joint. It looks at the joint's link, which turns by w_i, and at the link's parent, by w_p:
///
///   theta = theta_0 + a.(w_i - w_p) - 1/2 a.(w_p x w_i) + third order,   a the axis in the world
///
/// (Baker, Campbell and Hausdorff). The second order vanishes for a figure, where w_i - w_p is along a, so that w_p x
/// w_i is across it.
class LimitGoal final : public Goal {
 public:
  /// hinge: index into the figure's motion table. The figure must outlive the goal.
  LimitGoal(const Figure& figure, int hinge, double weight);

  int linkCount() const override { return parent_ < 0 ? 1 : 2; }
  int link(int which) const override { return which == 0 ? hinge_.link : parent_; }
  int residualSize() const override { return 1; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  double overstep(const Kinematics& kinematics) const;
  Eigen::Vector3d axis(const Kinematics& kinematics) const;

  const MotionTable::Hinge& hinge_;
  std::size_t angleIndex_;
  Interval limits_;
  int parent_;
};

/// One for each revolute joint that has a limit.
std::vector<std::unique_ptr<Goal>> limitGoals(const Figure& figure, double weight);

/// (16) / (2 L^2) with L the mean link length: goals alone, no angle is held within its interval.
///
/// lambda  square metres per square radian: 1e-4 is 100 mm^2, 100 is 100 m^2
Objective penalisedObjective(const test::ObservedFigure& problem, double lambda);

}  // namespace limber::experiments
