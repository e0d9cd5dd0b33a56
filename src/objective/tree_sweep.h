// SPDX-License-Identifier: MIT
// The exact Newton step of an objective in time linear in the figure, and the inertia of its Hessian.
//
// H has the shape of the tree: coordinates that are not above one another meet only through the joints they share.
// An LDL^T elimination from the leaves to the root therefore fills in nothing, and in world-frame twists it needs one
// symmetric 6 x 6 matrix a link:
//
//   P = own goals' inertia + sum of the children's P'          h = P S + 1/2 S x* g
//   d = S . h + w + lambda                                     P' = P - h h^T / d
//
// with S a joint's twist, g the wrench of everything below, w the regulariser. A rotation (ball, free) is one 3 x 3
// block whose axes turn at once, so the bracket term 1/2 S x* g is absent within it. All d > 0 exactly when
// H + lambda is positive definite (Sylvester), so the signs come free; the first bad pivot ends the sweep and leaves
// a direction of negative curvature.
#pragma once

#include <vector>

#include "objective/objective.h"

namespace limber {

class TreeSweep {
 public:
  /// Takes the goals' inertias at an evaluation whose gradient has been computed. The curvature of the residuals is
  /// weighed by `multipliers`, one a goal: weight * residual gives the Hessian itself; a solver that knows better
  /// multipliers (primal-dual) may say so. No allocation when warm.
  void assemble(const Objective& objective, const Evaluation& evaluation, const std::vector<Residual>& multipliers);

  /// Factors H + lambda * metric over what the limits leave free: scalars free or not, and of a limited ball its block
  /// P (B + C) P with the projector and the curvature of the limits that hold. False when that is not positive
  /// definite; curvatureDirection() is then valid.
  bool factor(double lambda, const FreeSpace& space);

  /// direction (active x 1) = -(H + lambda metric)^-1 gradient over the free coordinates, 0 elsewhere; after a factor()
  /// that returned true.
  void solve(Eigen::VectorXd& direction);

  /// The same for another right-hand side: the gradient of the goals alone if their residuals were `residuals`.
  void solveForResiduals(const std::vector<Residual>& residuals, Eigen::VectorXd& direction);

  /// After solve(): the residuals that its step would leave were they linear, r + J direction. One a goal.
  void linearResiduals(std::vector<Residual>& residuals) const;

  /// After a factor() that returned false: a direction v (active x 1) and its curvature v'(H + lambda metric)v <= 0.
  double curvatureDirection(Eigen::VectorXd& direction);

 private:
  struct LinkTerms {
    Matrix6d own;            ///< sum of the goals' inertias on this link
    Matrix6d articulated;    ///< P, during factor()
    Vector6d wrench;         ///< multipliers' wrench of everything at and below: g
    Vector6d bias;           ///< pA, during solve()
    Vector6d motion;         ///< xi, during solve()
    Eigen::Matrix3d inverse; ///< D^-1 of the rotation block
  };

  void takeFreeSpace(const FreeSpace& space);
  bool factorScalar(int coordinate, LinkTerms& terms);
  bool factorRotation(int coordinate, LinkTerms& terms);
  void sweep(const std::vector<Residual>& residuals, bool withRegulariser, Eigen::VectorXd& direction);
  void eliminateScalar(int coordinate, Vector6d& bias);
  void eliminateRotation(int coordinate, const LinkTerms& terms, Vector6d& bias);
  void moveScalar(int coordinate, Vector6d& motion);
  void moveRotation(int coordinate, const LinkTerms& terms, Vector6d& motion);
  void moveLink(int link, Vector6d& motion);
  double damping(int coordinate) const;
  bool isFree(int coordinate) const;

  const Objective* objective_ = nullptr;
  const Evaluation* evaluation_ = nullptr;
  std::vector<LinkTerms> links_;
  std::vector<TwistJacobian> jacobians_;        ///< one a goal
  Eigen::Matrix<double, 6, Eigen::Dynamic> h_;  ///< (6 x stepSize)
  Eigen::VectorXd inverse_;                     ///< 1 / d of scalar coordinates, (stepSize x 1)
  Eigen::VectorXd right_;                       ///< D^-1 alpha, (stepSize x 1)
  Eigen::VectorXd solution_;                    ///< (stepSize x 1)
  std::vector<char> free_;                      ///< by step coordinate
  std::vector<const FreeSpace::Block*> blocks_; ///< by first coordinate of a rotation: a ball whose limits hold, or null
  double lambda_ = 0.0;
  bool withRegulariser_ = true;
  int badLink_ = -1;         ///< where factor() met its bad pivot
  int badCoordinate_ = -1;   ///< scalar, or the first of a rotation
  bool badIsRotation_ = false;
  double badPivot_ = 0.0;
  Eigen::Vector3d badAxis_;  ///< eigenvector of a rotation block's most negative eigenvalue
};

}  // namespace limber
