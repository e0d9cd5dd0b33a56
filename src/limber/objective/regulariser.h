// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "limber/kinematics/pose.h"

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
///
/// A rotation may have a symmetric, positive semidefinite matrix M in place of a number, 1/2 t^T M t. With
/// k(t, m) = Jr^-T(t) m, Jr the right Jacobian of the rotation group (kinematics/rotation_logarithm.h):
///   gradient k(t, M t),   Hessian sym((Jr^-T M + d k(t, m) / dt at m = M t) Jr^-1).
class Regulariser {
 public:
  Regulariser() = default;
  /// rigidities: one a joint, in [0, 1), or none where all are 0. restWeight >= 0. Another count throws
  /// std::invalid_argument, here and below.
  Regulariser(const Figure& figure, Pose reference, double restWeight, std::span<const double> rigidities);
  /// A pull of its own weight for each joint, >= 0; for lengths divided by L^2.
  Regulariser(const Figure& figure, Pose reference, std::span<const double> jointWeights);

  /// Gives the rotation whose first step coordinate is told a matrix, in the axes of the link at the reference.
  void setRotationWeight(int coordinate, const Eigen::Matrix3d& matrix);

  const Pose& reference() const { return reference_; }
  /// (stepSize x 1). Where a rotation has a matrix, the mean of its diagonal: a scale, and no part of f.
  const Eigen::VectorXd& weights() const { return weights_; }

  /// offset out, (stepSize x 1): the step from the reference to the pose. Returns the value.
  double evaluate(const Figure& figure, const Pose& pose, Eigen::VectorXd& offset) const;

  /// One entry of the gradient, from the offset; not of a rotation with a matrix.
  double gradient(const Eigen::VectorXd& offset, int coordinate) const {
    return weights_[coordinate] * offset[coordinate];
  }
  /// gradient (stepSize x 1) += the whole gradient; no allocation.
  void addGradient(const Eigen::VectorXd& offset, Eigen::VectorXd& gradient) const;

  /// Value and gradient of one rotation alone, t = log(ref^-1 q).
  double rotationValue(int coordinate, const Eigen::Vector3d& t) const;
  Eigen::Vector3d rotationGradient(int coordinate, const Eigen::Vector3d& t) const;
  /// The 3 x 3 Hessian block of a rotation whose first coordinate is given.
  Eigen::Matrix3d rotationHessian(const Eigen::VectorXd& offset, int coordinate) const;

 private:
  struct Block {
    int coordinate = 0;
    Eigen::Matrix3d matrix;
  };
  const Block* findBlock(int coordinate) const;

  Pose reference_;
  Eigen::VectorXd weights_;
  std::vector<Block> blocks_;  ///< of the rotations that have a matrix; mostly none
};

}  // namespace limber
