// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "limber/goals/goal.h"

namespace limber {

/// Keeps a capsule of a link on the outer side of a plane, or two capsules on opposite sides of a slab, and so out of a
/// convex obstacle or of another link. With the unit normal n, the ends x_i of the capsule's axis and, for two links,
/// the ends y_j of the other's, there is one row for each end or pair of ends:
///
///   r_i  = (n . x_i - gap) / L              one link: gap = the plane's n . p plus the radius
///   r_ij = (n . (x_i - y_j) - gap) / L      two links: gap = the sum of both radii
///
/// r >= 0 is an inequality (one-sided). n is constant in the world during a solve, so r is a sum of terms that depend
/// on one link each. setPlane chooses n between solves (posing/contacts.h).
class ClearanceGoal final : public Goal {
 public:
  /// The axis of a capsule, link frame, metres; a sphere or a point if both ends are equal.
  struct Line {
    int link = -1;
    Eigen::Vector3d start = Eigen::Vector3d::Zero(), end = Eigen::Vector3d::Zero();
    int endCount() const { return start == end ? 1 : 2; }
  };
  ClearanceGoal(const Line& line, double weight, double lengthUnit);
  /// Two different links (asserted).
  ClearanceGoal(const Line& line, const Line& other, double weight, double lengthUnit);

  void setPlane(const Eigen::Vector3d& normal, double gap) { normal_ = normal, gap_ = gap; }
  const Eigen::Vector3d& normal() const { return normal_; }
  double gap() const { return gap_; }

  int linkCount() const override { return lines_[1].link < 0 ? 1 : 2; }
  int link(int which) const override { return lines_[which].link; }
  int residualSize() const override { return ends_[0] * ends_[1]; }
  bool isOneSided() const override { return true; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  Eigen::Vector3d endAt(const Kinematics& kinematics, int which, int end) const;
  /// Row of a pair of ends; that of the second link runs fastest.
  int rowOf(int which, int end, int otherEnd) const {
    return which == 0 ? end * ends_[1] + otherEnd : otherEnd * ends_[1] + end;
  }

  std::array<Line, 2> lines_;
  std::array<int, 2> ends_;  ///< of each line; 1 if there is no second link
  Eigen::Vector3d normal_ = Eigen::Vector3d::UnitY();
  double gap_ = 0.0, inverseLength_;
};

}  // namespace limber
