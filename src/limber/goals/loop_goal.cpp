// SPDX-License-Identifier: MIT
#include "limber/goals/loop_goal.h"

#include "limber/goals/link_feature.h"

namespace limber {

LoopGoal::LoopGoal(const LoopClosure& loop, double weight, double lengthUnit)
    : Goal(weight), loop_(loop), firstAxis_(loop.kind == LoopClosure::Kind::Hinge ? 2 : 0),
      axisCount_(equationCount(loop.kind) / 3 - 1), lengthUnit_(lengthUnit) {
  assert(loop.link != loop.other && lengthUnit > 0.0);
}

/// The frame of one side in the world.
Transform LoopGoal::placeOf(const Kinematics& kinematics, int which) const {
  if (which == 0) return kinematics.worldFromLink[loop_.link] * loop_.linkFromLoop;
  return loop_.other < 0 ? loop_.otherFromLoop : kinematics.worldFromLink[loop_.other] * loop_.otherFromLoop;
}

void LoopGoal::computeResidual(const Kinematics& kinematics, Residual& residual) const {
  const Transform a = placeOf(kinematics, 0), b = placeOf(kinematics, 1);
  residual.resize(residualSize());
  residual.head<3>() = (a.translation - b.translation) / lengthUnit_;
  for (int k = 0; k < axisCount_; ++k)
    residual.segment<3>(3 + 3 * k) = a.rotation.col(firstAxis_ + k) - b.rotation.col(firstAxis_ + k);
}

void LoopGoal::computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const {
  const Transform place = placeOf(kinematics, which);
  jacobian.resize(residualSize(), 6);
  jacobian.topRows<3>() = signOf(which) / lengthUnit_ * pointJacobian(kinematics, place.translation);
  for (int k = 0; k < axisCount_; ++k)
    jacobian.middleRows<3>(3 + 3 * k) = signOf(which) * directionJacobian(place.rotation.col(firstAxis_ + k));
}

void LoopGoal::computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                                Matrix6d& curvature) const {
  const Transform place = placeOf(kinematics, which);
  curvature = pointCurvature(kinematics, signOf(which) / lengthUnit_ * multipliers.head<3>(), place.translation);
  for (int k = 0; k < axisCount_; ++k)
    curvature.topLeftCorner<3, 3>() +=
        directionCurvature(signOf(which) * multipliers.segment<3>(3 + 3 * k), place.rotation.col(firstAxis_ + k));
}

}  // namespace limber
