// SPDX-License-Identifier: MIT
#include "limber/goals/clearance_goal.h"

#include <cassert>

#include "limber/goals/link_feature.h"

namespace limber {

ClearanceGoal::ClearanceGoal(const Line& line, double weight, double lengthUnit)
    : Goal(weight), lines_{line, {}}, ends_{line.endCount(), 1}, inverseLength_(1.0 / lengthUnit) {
  assert(line.link >= 0 && lengthUnit > 0.0);
}

ClearanceGoal::ClearanceGoal(const Line& line, const Line& other, double weight, double lengthUnit)
    : Goal(weight), lines_{line, other}, ends_{line.endCount(), other.endCount()}, inverseLength_(1.0 / lengthUnit) {
  assert(line.link >= 0 && other.link >= 0 && line.link != other.link && "a link cannot keep out of itself");
  assert(lengthUnit > 0.0);
}

Eigen::Vector3d ClearanceGoal::endAt(const Kinematics& kinematics, int which, int end) const {
  const Line& line = lines_[which];
  return kinematics.worldFromLink[line.link] * (end == 0 ? line.start : line.end);
}

void ClearanceGoal::computeResidual(const Kinematics& kinematics, Residual& residual) const {
  std::array<double, 2> others = {0.0, 0.0};
  if (linkCount() == 2)
    for (int j = 0; j < ends_[1]; ++j) others[j] = normal_.dot(endAt(kinematics, 1, j));
  residual.resize(residualSize());
  for (int i = 0; i < ends_[0]; ++i) {
    const double height = normal_.dot(endAt(kinematics, 0, i));
    for (int j = 0; j < ends_[1]; ++j) residual[rowOf(0, i, j)] = inverseLength_ * (height - others[j] - gap_);
  }
}

void ClearanceGoal::computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const {
  const Eigen::Vector3d direction = (which == 0 ? inverseLength_ : -inverseLength_) * normal_;
  jacobian.resize(residualSize(), 6);
  for (int end = 0; end < ends_[which]; ++end) {
    const Eigen::Matrix<double, 1, 6> row =
        direction.transpose() * pointJacobian(kinematics, endAt(kinematics, which, end));
    for (int other = 0; other < ends_[1 - which]; ++other) jacobian.row(rowOf(which, end, other)) = row;
  }
}

void ClearanceGoal::computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                                     Matrix6d& curvature) const {
  const Eigen::Vector3d direction = (which == 0 ? inverseLength_ : -inverseLength_) * normal_;
  curvature.setZero();
  for (int end = 0; end < ends_[which]; ++end) {
    double force = 0.0;
    for (int other = 0; other < ends_[1 - which]; ++other) force += multipliers[rowOf(which, end, other)];
    if (force != 0.0) curvature += pointCurvature(kinematics, force * direction, endAt(kinematics, which, end));
  }
}

}  // namespace limber
