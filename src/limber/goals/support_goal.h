// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "limber/goals/goal.h"
#include "limber/goals/mass_parts.h"

namespace limber {

/// The figure's centre of mass c above a convex polygon on the ground: for each of its sides, with the unit normal n
/// inward in (x, z) and the polygon where n . x >= offset,
///
///   r_k = (n_k . (c_x, c_z) - offset_k) / L,   one-sided.
///
/// A sum of terms of one link each, over the links that have mass.
class SupportGoal final : public Goal {
 public:
  struct Side {
    Eigen::Vector2d normal;  ///< unit
    double offset = 0.0;     ///< metres
  };
  /// At most kMaxResidualSize sides (asserted).
  SupportGoal(const Figure& figure, std::span<const Side> sides, double weight, double lengthUnit);

  int linkCount() const override { return static_cast<int>(parts_.size()); }
  int link(int which) const override { return parts_[static_cast<std::size_t>(which)].link; }
  double weight() const override { return weight_; }
  int residualSize() const override { return static_cast<int>(normals_.rows()); }
  bool isOneSided() const override { return true; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  std::vector<MassPart> parts_;
  Eigen::Matrix<double, Eigen::Dynamic, 2> normals_;
  Residual offsets_;   ///< / L
  double weight_;
};

}  // namespace limber
