// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "kinematics/pose.h"

namespace limber {

/// The pull toward a reference pose:  1/2 sum_j w_j |q_j - ref_j|^2,  for rotations |log(ref^-1 q)|^2.
///
/// The pull to rest has w_j = restWeight / (1 - rigidity_j)^2, divided by L^2 for lengths (prismatic joints, shifts of
/// free joints), with L the figure's mean link length. A rigidity of 1 locks: the caller takes such a coordinate out of
/// the active ones.
///
/// For a rotation with t = log(ref^-1 q), phi = |t|, u = t / phi and the step s in q exp(s):
///   gradient w t,   Hessian w (u u^T + (phi/2) cot(phi/2) (1 - u u^T)).
/// The distance has its cut at phi = pi, where the gradient jumps and f does not.
class Regulariser {
 public:
  Regulariser() = default;
  /// rigidities: one a joint, in [0, 1). restWeight >= 0.
  Regulariser(const Figure& figure, Pose reference, double restWeight, std::span<const double> rigidities);
  /// A pull of its own weight for each joint, >= 0; for lengths divided by L^2.
  Regulariser(const Figure& figure, Pose reference, std::span<const double> jointWeights);

  const Pose& reference() const { return reference_; }
  /// (stepSize x 1)
  const Eigen::VectorXd& weights() const { return weights_; }

  /// offset out, (stepSize x 1): the step from the reference to the pose. Returns the value.
  double evaluate(const Figure& figure, const Pose& pose, Eigen::VectorXd& offset) const;

  /// One entry of the gradient, from the offset.
  double gradient(const Eigen::VectorXd& offset, int coordinate) const {
    return weights_[coordinate] * offset[coordinate];
  }
  /// The 3 x 3 Hessian block of a rotation whose first coordinate is given.
  Eigen::Matrix3d rotationHessian(const Eigen::VectorXd& offset, int coordinate) const;

 private:
  Pose reference_;
  Eigen::VectorXd weights_;
};

}  // namespace limber
