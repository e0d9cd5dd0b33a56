// SPDX-License-Identifier: MIT
#pragma once

#include "limber/goals/goal.h"
#include "limber/kinematics/loops.h"

namespace limber {

/// Closes a loop of a figure: r has the rows of LoopEquations (kinematics/loops.h). r is a sum of terms that depend on
/// one link each; a loop to the world has one link.
class LoopGoal final : public Goal {
 public:
  LoopGoal(const LoopClosure& loop, double weight, double lengthUnit);

  int linkCount() const override { return loop_.other < 0 ? 1 : 2; }
  int link(int which) const override { return which == 0 ? loop_.link : loop_.other; }
  int residualSize() const override { return 3 + 3 * axisCount_; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  static double signOf(int which) { return which == 0 ? 1.0 : -1.0; }
  Transform placeOf(const Kinematics& kinematics, int which) const;

  LoopClosure loop_;
  int firstAxis_ = 0, axisCount_ = 0;  ///< columns of the frames whose directions are equations
  double lengthUnit_;
};

}  // namespace limber
