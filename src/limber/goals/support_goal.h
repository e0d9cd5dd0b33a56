// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "limber/goals/goal.h"
#include "limber/goals/mass_parts.h"

namespace limber {

/// Keeps the figure's centre of mass c above a convex polygon on the ground. For each side, with the unit normal n,
/// which points inward in (x, z), and the polygon in n . x >= offset,
///
///   r_k = (n_k . (c_x, c_z) - offset_k) / L,   one-sided.
///
/// r is a sum of terms that depend on one link each, over all links that have mass.
class SupportGoal final : public Goal {
 public:
  struct Side {
    Eigen::Vector2d normal;  ///< unit
    double offset = 0.0;     ///< metres
  };
  /// At most kMaxResidualSize sides (asserted).
  SupportGoal(const Figure& figure, std::span<const Side> sides, double weight, double lengthUnit);

  int linkCount() const override { return static_cast<int>(parts_.size()); }
  int link(int which) const override { return parts_[which].link; }
  int residualSize() const override { return static_cast<int>(normals_.rows()); }
  bool isOneSided() const override { return true; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  std::vector<MassPart> parts_;
  Eigen::Matrix<double, Eigen::Dynamic, 2> normals_;
  Residual offsets_;  ///< divided by L
};

}  // namespace limber
