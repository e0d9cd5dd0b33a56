// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "limber/goals/goal.h"

namespace limber {

/// Correlates the rotations of two successive joints: a knee that bends as its thigh is raised. For three links p, j, k
/// in order from the root, each with a frame F, and the mean rotations Q_1 of j relative to p and Q_2 of k relative to
/// j,
///
///   phi_1 = log((W_p F_p)' W_j F_j Q_1'),  phi_2 = log((W_j F_j)' W_k F_k Q_2'),  r = U (phi_1; phi_2)
///
/// With G = (W F)' of the upper link, rotations w_u of the upper and w_l of the lower link in world axes give
///   phi(w_u, w_l) = log(exp(-G w_u) exp(G w_l) exp(phi)),   exp(a) exp(b) = exp(a + b + a x b / 2 + ...)
/// so r has mixed second derivatives (kinematics/rotation_logarithm.h). phi is discontinuous at |phi| = pi.
class CoupledRotationsGoal final : public Goal {
 public:
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, 6, 0, 6, 6>;
  struct Part {
    int link = 0;
    Eigen::Matrix3d frameInLink = Eigen::Matrix3d::Identity();
  };
  /// Three different links (asserted). `rows` is U, at most six rows.
  CoupledRotationsGoal(const std::array<Part, 3>& parts, const std::array<Eigen::Quaterniond, 2>& means,
                       const Rows& rows, double weight);

  int linkCount() const override { return 3; }
  int link(int which) const override { return parts_[which].link; }
  int residualSize() const override { return static_cast<int>(rows_.rows()); }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;
  bool crossesLinks() const override { return true; }
  void computeCrossCurvature(const Kinematics& kinematics, const Residual& multipliers, int which, int other,
                             Matrix6d& curvature) const override;

 private:
  struct Turned {
    Eigen::Matrix3d upperFromWorld;  ///< G
    Eigen::Vector3d phi;
  };
  Turned turned(const Kinematics& kinematics, int joint) const;
  Eigen::Matrix3d worldFromFrame(const Kinematics& kinematics, int which) const;
  Eigen::Vector3d multipliersOf(const Residual& multipliers, int joint) const;
  /// The second derivative of multipliers . phi along log(exp(x) exp(phi)) at x = 0.
  Eigen::Matrix3d curvatureOf(const Turned& at, const Eigen::Vector3d& multipliers) const;

  std::array<Part, 3> parts_;
  std::array<Eigen::Quaterniond, 2> means_;
  Rows rows_;
};

}  // namespace limber
