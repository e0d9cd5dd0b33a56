// SPDX-License-Identifier: MIT
// The exact Newton step of an objective in time linear in the figure, and the inertia of its Hessian.
//
// H has the sparsity of the tree: an entry of two coordinates of which neither is above the other is zero. An LDL^T
// elimination from the leaves to the root therefore causes no fill-in, and with twists in the world frame it needs one
// symmetric 6 x 6 matrix for each link (compare Featherstone's articulated-body algorithm):
//
//   P = own goals' inertia + sum of the children's P'          h = P S + 1/2 S x* g
//   d = S . h + w + lambda                                     P' = P - h h^T / d
//
// with S a joint's twist, g the wrench of the goals that it moves, w the regulariser's weight. A rotation (ball, free)
// is one 3 x 3 block whose axes turn simultaneously, so the bracket term 1/2 S x* g is absent within it. All d > 0 if
// and only if H + lambda is positive definite (Sylvester's law of inertia); the first bad pivot ends the sweep and
// gives a direction of negative curvature.
//
// Unknowns that break this sparsity stay open: they are not eliminated but carry a column up the tree
// (objective/sweep/column_bundle.h) into a small system at the end (objective/sweep/open_system.h). Open are drivers of
// other coordinates, which move several joints, each with the slope of its coupling (a ball joint has three unknowns,
// one for each axis, which a ball joint that copies it shares); scalars that an active linear limit ties; and the
// auxiliary unknowns of goals with several links (objective/sweep/joining_columns.h). Below such a goal a pivot may be
// bad although H is positive definite, because the goal's contribution is not in it yet; that coordinate stays open,
// too, and the small system decides.
#pragma once

#include <vector>

#include "limber/objective/objective.h"
#include "limber/objective/sweep/column_bundle.h"
#include "limber/objective/sweep/coordinate_tree.h"
#include "limber/objective/sweep/joining_columns.h"
#include "limber/objective/sweep/open_system.h"

namespace limber {

class TreeSweep {
 public:
  /// Assembles the goals' inertias at an evaluation whose gradient has been computed. `multipliers`, one for each goal,
  /// weigh the second derivatives of the residuals: weight * residual gives the Hessian of f; a primal-dual solver
  /// passes its own. Keeps references to objective and evaluation. Allocates nothing once sized.
  void assemble(const Objective& objective, const Evaluation& evaluation, const std::vector<Residual>& multipliers,
                Curvature ofPulls = Curvature::Exact);

  /// Factors P (H + C + lambda M) P over the free space, with the projector P and the curvature C of the limits that
  /// hold. metric (active x 1) is M. False if it is not positive definite; curvatureDirection() is then valid. Keeps
  /// references to space and metric.
  bool factor(double lambda, const FreeSpace& space, const Eigen::VectorXd& metric);

  /// direction (active x 1) = -(H + C + lambda M)^-1 gradient over the free space, 0 elsewhere; directly after a
  /// factor() that returned true, which has eliminated this right-hand side.
  void solve(Eigen::VectorXd& direction);

  /// The same for another right-hand side: the gradient of only the goals, for other residuals.
  void solveForResiduals(const std::vector<Residual>& residuals, Eigen::VectorXd& direction);

  /// After solve(): the linearised residuals r + J direction, one for each goal.
  void linearResiduals(std::vector<Residual>& residuals) const;

  /// After a factor() that returned false: a direction v (active x 1) and a bound <= 0 on its curvature
  /// v'(H + C + lambda M)v.
  double curvatureDirection(Eigen::VectorXd& direction);

 private:
  using ThreeColumns = Eigen::Matrix<double, 6, 3>;
  struct RunTerms {
    Matrix6d own;          ///< sum of the inertias of the goals at the run's end
    Matrix6d articulated;  ///< P, during factor()
    Vector6d wrench;       ///< g: wrench of the multipliers of this run and those below
    Vector6d bias;         ///< pA, the bias force, during an elimination
    Vector6d motion;       ///< twist of the step at the run's end, after solve()
    int bundle;            ///< columns of open unknowns below, -1 for none; after factor() those above the run
    bool isPlain;          ///< no unknown is open in this run or below it
    // Rotations only.
    ThreeColumns h;
    Eigen::Matrix3d inverse;  ///< D^-1
    Eigen::Vector3d right;    ///< D^-1 alpha
    Eigen::Vector3d solution;
    ThreeColumns border;             ///< e', by axis
    const FreeSpace::Block* limits;  ///< of a ball whose limits hold, or null
  };
  /// Dependence of an open scalar on an open unknown: first and second derivative.
  struct Dependence {
    int unknown = 0;
    double slope = 0.0, curvature = 0.0;
  };
  /// Its mixed second derivative by two unknowns.
  struct MixedDependence {
    int unknown = 0, other = 0;
    double curvature = 0.0;
  };

  // Goals.
  void takeGoal(std::size_t goal, const std::vector<Residual>& multipliers, Curvature ofPulls);
  void takeStay(Curvature curvature);
  void takeForces(const std::vector<Residual>& residuals);
  void takeStayForces();
  // Free space and open unknowns.
  void takeFreeSpace(const FreeSpace& space, const Eigen::VectorXd& metric);
  void openUnknowns(const FreeSpace& space);
  void openUnloaded();
  void findDependences(int active, int follower);
  void findMixedDependences(const Couplings::Follower& follows);
  int unknownOfAxis(int element, int axis) const;
  void addToUnknowns(double diagonal, double gradient, double right);
  // Elimination.
  bool factorScalars(int run);
  bool factorRotation(int run);
  bool isEliminated(int run, const Eigen::Matrix3d& block);
  void openScalar(int element, RunTerms& terms);
  void openRotation(int element, const Eigen::Matrix3d& block, RunTerms& terms);
  void eliminateScalars(const CoordinateTree::Run& run, RunTerms& terms);
  void eliminateRotation(int element, bool withRegulariser, RunTerms& terms);
  void passUp(int run);
  bool factorOpen();
  // Columns.
  ColumnBundle& renewBundle(RunTerms& terms);
  ColumnBundle& beginElimination(RunTerms& terms);
  void passColumns(int bundle, ColumnBundle& to);
  void closeBundle(const ColumnBundle& bundle);
  void loadScalars(const CoordinateTree::Run& run);
  void pullLoads();
  // Back.
  void pullBundles();
  void moveScalars(int first, int end, const Vector6d& above, RunTerms& terms);
  void moveRun(const CoordinateTree::Run& run, const Vector6d& above, RunTerms& terms);
  void moveRotation(int element, const Vector6d& above, RunTerms& terms);
  void moveAll(Eigen::VectorXd& direction);
  void gather(Eigen::VectorXd& direction) const;
  void moveBelowBadPivot(Eigen::VectorXd& direction);

  bool isFree(int coordinate) const;
  bool isOpenRotation(int element) const { return mayOpen_ && isOpen_[element] != 0; }
  ThreeColumns twistsOf(int element) const;
  SweepArrays arrays();

  const Objective* objective_ = nullptr;
  const Evaluation* evaluation_ = nullptr;
  const CoordinateTree* tree_ = nullptr;
  const FreeSpace* space_ = nullptr;
  const Eigen::VectorXd* metric_ = nullptr;
  double lambda_ = 0.0;
  std::vector<RunTerms> runs_;
  // By element, for scalars.
  Eigen::Matrix<double, kSweepRows, Eigen::Dynamic> h_;  ///< SweepArrays::h
  Eigen::VectorXd weight_, slope_;                       ///< second and first derivative of the regularisers
  Eigen::VectorXd pull_;                                 ///< weight plus damping
  Eigen::VectorXd inverse_, right_, solution_;           ///< 1 / d, alpha / d, the step
  Eigen::VectorXd above_;                                ///< SweepArrays::above
  std::vector<char> free_;
  std::vector<char> isOpen_;
  Eigen::Matrix<double, kSweepRows, Eigen::Dynamic> borders_;  ///< e', for elements above open unknowns
  Eigen::VectorXd total_;                                      ///< alpha / d plus the terms of open unknowns
  std::vector<int> bundleOf_;                                  ///< bundle of columns at an element, -1 for none

  JoiningColumns joining_;
  OpenSystem open_;
  std::vector<int> unknownOf_;  ///< by active coordinate, -1 for none
  std::vector<ColumnBundle> bundles_;
  int bundleCount_ = 0;
  std::vector<Dependence> dependences_;  ///< scratch
  std::vector<MixedDependence> mixedDependences_;
  bool mayOpen_ = false;  ///< some unknowns may stay open

  std::vector<char> isBelow_;          ///< by run, scratch of curvatureDirection()
  int badRun_ = -1, badElement_ = -1;  ///< of factor()'s bad pivot; -1 if it is in the small system
  double badPivot_ = 0.0;
  Eigen::Vector3d badAxis_;  ///< eigenvector of a rotation block's most negative eigenvalue
};

}  // namespace limber
