// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "limber/goals/goal.h"

namespace limber {

/// A capsule of a link on the outer side of a plane, or two capsules on the two sides of a slab: what keeps a link out
/// of a convex obstacle, or out of another link. With the unit normal n, the ends x_i of the capsule's middle line and,
/// of two links, y_j of the other's, one row for every end or pair of ends:
///
///   r_i  = (n . x_i - gap) / L              one link: gap = the plane's n . p plus the radius
///   r_ij = (n . (x_i - y_j) - gap) / L      two links: gap = the sum of both radii
///
/// An inequality (one-sided). n stands still in the world during a solve, so every term belongs to one link and nothing
/// curves across them. Which n is chosen between solves (posing/contacts.h): setPlane.
class ClearanceGoal final : public Goal {
 public:
  /// The middle line of a capsule, metres in the link. Equal ends: a sphere, or a point.
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
  int link(int which) const override { return lines_[static_cast<std::size_t>(which)].link; }
  double weight() const override { return weight_; }
  int residualSize() const override { return ends_[0] * ends_[1]; }
  bool isOneSided() const override { return true; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  Eigen::Vector3d endAt(const Kinematics& kinematics, std::size_t which, int end) const;
  /// Row of a pair of ends: the second link's run fastest.
  int rowOf(int which, int end, int otherEnd) const {
    return which == 0 ? end * ends_[1] + otherEnd : otherEnd * ends_[1] + end;
  }

  std::array<Line, 2> lines_;
  std::array<int, 2> ends_;  ///< of each line; 1 in place of a second link
  Eigen::Vector3d normal_ = Eigen::Vector3d::UnitY();
  double gap_ = 0.0, weight_, inverseLength_;
};

}  // namespace limber
