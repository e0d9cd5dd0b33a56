// SPDX-License-Identifier: MIT
#include "limber/ways/polish.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace limber::ways {

namespace {

using Normal = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxJoints, kMaxJoints>;

constexpr double kSolved = 2e-15;  ///< the rounding of forward kinematics
constexpr int kMaxIterations = 40;

/// The rotation vector of a rotation matrix, accurate for small ones.
Eigen::Vector3d rotationVectorOf(const Eigen::Matrix3d& r) {
  const Eigen::Vector3d v(r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1));
  const double sine = 0.5 * v.norm(), cosine = 0.5 * (r.trace() - 1.0);
  return sine > 1e-8 ? Eigen::Vector3d(v * (std::atan2(sine, cosine) / (2.0 * sine))) : Eigen::Vector3d(0.5 * v);
}

/// A half turn has no rotation vector above: its error must not look small.
double angleOf(const Eigen::Matrix3d& r) {
  const Eigen::Vector3d v(r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1));
  return std::atan2(0.5 * v.norm(), 0.5 * (r.trace() - 1.0));
}

}  // namespace

double errorOf(const ScrewChain& chain, Aspect aspect, const Transform& goal, const Coordinates& q, Error& error,
               ArmJacobian& jacobian) {
  const Transform tip = chain.place(q, jacobian);
  const Eigen::Vector3d apart = goal.translation - tip.translation;
  error.resize(rowsOf(aspect));
  if (aspect == Aspect::Position) {
    for (int i = 0; i < chain.count; ++i)
      jacobian.col(i).tail<3>() += Eigen::Vector3d(jacobian.col(i).head<3>()).cross(tip.translation);
    error = apart;
    return apart.norm();
  }
  const Eigen::Matrix3d turn = goal.rotation * tip.rotation.transpose();
  const Eigen::Vector3d angular = rotationVectorOf(turn);
  error.head<3>() = angular;
  error.tail<3>() = apart - angular.cross(tip.translation);
  return std::hypot(apart.norm(), angleOf(turn));
}

double polish(const ScrewChain& chain, Aspect aspect, const Transform& goal, Coordinates& q, unsigned held) {
  Error error, trialError;
  ArmJacobian jacobian, trialJacobian;
  double size = errorOf(chain, aspect, goal, q, error, jacobian);
  double damping = 1.0;
  for (int iteration = 0; iteration < kMaxIterations && size > kSolved; ++iteration) {
    const int rows = rowsOf(aspect);
    for (int i = 0; i < chain.count; ++i)
      if (held >> i & 1u) jacobian.col(i).setZero();
    const auto active = jacobian.bottomRows(rows);
    Normal normal = active.transpose() * active;
    // Damping by the squared error keeps Newton's rate, also where the Jacobian is singular (Yamashita and Fukushima
    // 2001).
    normal.diagonal().array() += std::max(damping * std::min(size * size, 1e-2), 1e-18);
    const Coordinates step = normal.ldlt().solve(active.transpose() * error);
    const double length = step.norm();
    if (!std::isfinite(length)) break;
    const Coordinates trial = q + (length > 0.5 ? 0.5 / length : 1.0) * step;
    const double trialSize = errorOf(chain, aspect, goal, trial, trialError, trialJacobian);
    if (trialSize < size) {
      const bool isStalled = trialSize > 0.5 * size && size < 1e-12;
      q = trial;
      size = trialSize;
      error = trialError;
      jacobian = trialJacobian;
      damping = std::max(0.2 * damping, 1e-3);
      if (isStalled) break;
    } else {
      if (size < 1e-13 || damping > 1e8) break;
      damping *= 10.0;
    }
  }
  return size;
}

SingularDirections singularDirectionsOf(const ArmJacobian& jacobian, Aspect aspect) {
  // Of a fixed size; coordinates that the arm does not have are the last.
  using Square = Eigen::Matrix<double, kMaxJoints, kMaxJoints>;
  const int count = static_cast<int>(jacobian.cols());
  const auto active = jacobian.bottomRows(rowsOf(aspect));
  Square gram = Square::Zero();
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < count; ++k) gram(i, k) = active.col(i).dot(active.col(k));
  const double beyond = 2.0 * gram.trace() + 1.0;
  for (int i = count; i < kMaxJoints; ++i) gram(i, i) = beyond;
  const Eigen::SelfAdjointEigenSolver<Square> solver(gram);
  SingularDirections result;
  for (int k = 0; k < kMaxJoints; ++k) {
    result.square[k] = solver.eigenvalues()[k];
    result.direction[k] = solver.eigenvectors().col(k).head(count);
  }
  return result;
}

double manipulabilityOf(const ScrewChain& chain, Aspect aspect, const Coordinates& q) {
  ArmJacobian jacobian;
  const Transform tip = chain.place(q, jacobian);
  for (int i = 0; i < chain.count; ++i)
    jacobian.col(i).tail<3>() += Eigen::Vector3d(jacobian.col(i).head<3>()).cross(tip.translation);
  const int rows = rowsOf(aspect);
  const auto active = jacobian.bottomRows(rows);
  if (chain.count == rows) {
    const Normal square = active;
    return std::abs(square.partialPivLu().determinant());
  }
  const Normal gram = chain.count < rows ? Normal(active.transpose() * active) : Normal(active * active.transpose());
  return std::sqrt(std::max(gram.partialPivLu().determinant(), 0.0));
}

}  // namespace limber::ways
