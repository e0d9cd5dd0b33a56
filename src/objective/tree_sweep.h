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

#include "objective/coordinate_tree.h"
#include "objective/objective.h"
#include "objective/sweep_kernel.h"

namespace limber {

class TreeSweep {
 public:
  /// Takes the goals' inertias at an evaluation whose gradient has been computed. The curvature of the residuals is
  /// weighed by `multipliers`, one a goal: weight * residual gives the Hessian itself; a solver that knows better
  /// multipliers (primal-dual) may say so. No allocation when warm.
  void assemble(const Objective& objective, const Evaluation& evaluation, const std::vector<Residual>& multipliers);

  /// Factors H + lambda M over what the limits leave free: scalars free or not, and of a limited ball its block
  /// P (B + C) P with the projector and the curvature of the limits that hold. metric (active x 1) is M. False when that
  /// is not positive definite; curvatureDirection() is then valid. Keeps both by reference.
  bool factor(double lambda, const FreeSpace& space, const Eigen::VectorXd& metric);

  /// direction (active x 1) = -(H + lambda M)^-1 gradient over the free coordinates, 0 elsewhere; next after a
  /// factor() that returned true, which has eliminated this right-hand side on its way.
  void solve(Eigen::VectorXd& direction);

  /// The same for another right-hand side: the gradient of the goals alone if their residuals were `residuals`.
  void solveForResiduals(const std::vector<Residual>& residuals, Eigen::VectorXd& direction);

  /// After solve(): the residuals that its step would leave were they linear, r + J direction. One a goal.
  void linearResiduals(std::vector<Residual>& residuals) const;

  /// After a factor() that returned false: a direction v (active x 1) and its curvature v'(H + lambda M)v <= 0.
  double curvatureDirection(Eigen::VectorXd& direction);

 private:
  using ThreeColumns = Eigen::Matrix<double, 6, 3>;
  struct RunTerms {
    Matrix6d own;          ///< sum of the goals' inertias at the run's end
    Matrix6d articulated;  ///< P, during factor()
    Vector6d wrench;       ///< multipliers' wrench of everything at and below: g
    Vector6d bias;         ///< pA, during an elimination
    Vector6d motion;       ///< xi at the run's end, after solve()
    // Of a rotation.
    ThreeColumns h;
    Eigen::Matrix3d inverse;  ///< D^-1
    Eigen::Vector3d right;    ///< D^-1 alpha
    Eigen::Vector3d solution;
    const FreeSpace::Block* limits;  ///< a ball whose limits hold, or null
  };

  void takeFreeSpace(const FreeSpace& space, const Eigen::VectorXd& metric);
  void takeForces(const std::vector<Residual>& residuals);
  bool factorRotation(int element, RunTerms& terms);
  void eliminateRotation(int element, bool withRegulariser, RunTerms& terms);
  void moveRun(const CoordinateTree::Run& run, const Vector6d& above, RunTerms& terms);
  void moveRotation(int element, const Vector6d& above, RunTerms& terms);
  void moveAll(Eigen::VectorXd& direction);
  void gather(Eigen::VectorXd& direction) const;
  bool isFree(int coordinate) const;
  ThreeColumns twistsOf(int element) const;
  SweepArrays arrays();
  RunTerms& termsOf(int run) { return runs_[static_cast<std::size_t>(run)]; }

  const Objective* objective_ = nullptr;
  const Evaluation* evaluation_ = nullptr;
  const CoordinateTree* tree_ = nullptr;
  const FreeSpace* space_ = nullptr;
  const Eigen::VectorXd* metric_ = nullptr;
  double lambda_ = 0.0;
  std::vector<RunTerms> runs_;
  // By element, of scalars.
  Eigen::Matrix<double, kSweepRows, Eigen::Dynamic> h_;  ///< SweepArrays::h
  Eigen::VectorXd weight_, slope_;  ///< regulariser: second and first derivative
  Eigen::VectorXd pull_;            ///< weight and damping
  Eigen::VectorXd inverse_, right_, solution_;  ///< 1 / d, alpha / d, the step
  Eigen::VectorXd above_;           ///< SweepArrays::above
  std::vector<char> free_;
  std::vector<char> isBelow_;  ///< by run, of curvatureDirection()
  int badRun_ = -1, badElement_ = -1;  ///< where factor() met its bad pivot
  double badPivot_ = 0.0;
  Eigen::Vector3d badAxis_;    ///< eigenvector of a rotation block's most negative eigenvalue
};

}  // namespace limber
