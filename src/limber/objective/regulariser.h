// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "limber/kinematics/pose.h"

namespace limber {

/// Regularisation toward a reference pose:  1/2 sum_j w_j |q_j - ref_j|^2,  with |log(ref^-1 q)|^2 for rotations.
///
/// The regulariser toward rest has w_j = restWeight / (1 - rigidity_j)^2, divided by L^2 for lengths (prismatic joints,
/// translations of free joints), with L the figure's mean link length. A rigidity of 1 locks a joint; the caller
/// removes its coordinates from the active ones.
///
/// For a rotation with t = log(ref^-1 q), phi = |t|, u = t / phi and the step s in q exp(s):
///   gradient w t,   Hessian w (u u^T + (phi/2) cot(phi/2) (1 - u u^T)).
/// f is continuous at phi = pi, where the gradient jumps.
///
/// A rotation may have a symmetric, positive semidefinite matrix M as weight, 1/2 t^T M t. With
/// k(t, m) = Jr^-T(t) m, Jr the right Jacobian of the rotation group (kinematics/rotation_logarithm.h):
///   gradient k(t, M t),   Hessian sym((Jr^-T M + d k(t, m) / dt at m = M t) Jr^-1).
class Regulariser {
 public:
  Regulariser() = default;
  /// `rigidities` has one entry in [0, 1) for each joint, or none if all are 0. restWeight >= 0. Both constructors
  /// throw std::invalid_argument for a wrong number of entries.
  Regulariser(const Figure& figure, Pose reference, double restWeight, std::span<const double> rigidities);
  /// jointWeights has one weight >= 0 for each joint; it is divided by L^2 for lengths.
  Regulariser(const Figure& figure, Pose reference, std::span<const double> jointWeights);

  /// Sets the weight matrix of the rotation whose first step coordinate is `coordinate`, in the link's axes at the
  /// reference.
  void setRotationWeight(int coordinate, const Eigen::Matrix3d& matrix);

  const Pose& reference() const { return reference_; }
  Pose& reference() { return reference_; }
  /// (stepSize x 1). For a rotation with a matrix this is the mean of the matrix's diagonal, which is only a scale.
  const Eigen::VectorXd& weights() const { return weights_; }

  /// Returns the value. offset = the step from the reference to the pose, (stepSize x 1).
  double evaluate(const Figure& figure, const Pose& pose, Eigen::VectorXd& offset) const;

  /// Adds the whole gradient to `gradient` (stepSize x 1). Allocates nothing.
  void addGradient(const Eigen::VectorXd& offset, Eigen::VectorXd& gradient) const;

  /// Value and gradient of one rotation, with t = log(ref^-1 q).
  double rotationValue(int coordinate, const Eigen::Vector3d& t) const;
  Eigen::Vector3d rotationGradient(int coordinate, const Eigen::Vector3d& t) const;
  /// The Hessian block (3 x 3) of the rotation whose first step coordinate is `coordinate`.
  Eigen::Matrix3d rotationHessian(const Eigen::VectorXd& offset, int coordinate) const;

 private:
  struct Block {
    int coordinate = 0;
    Eigen::Matrix3d matrix;
  };
  const Block* findBlock(int coordinate) const;

  Pose reference_;
  Eigen::VectorXd weights_;
  std::vector<Block> blocks_;  ///< rotations with a matrix; mostly none
};

}  // namespace limber
