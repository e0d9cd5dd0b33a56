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
//
// What breaks the tree's shape stays open: it is not eliminated but carries a column up the tree
// (objective/sweep/column_bundle.h) into a small system at the end (objective/sweep/open_system.h). Open are drivers of other
// coordinates, whose unknown sits at several joints at once, with the slope of its coupling at each (of a ball three, one
// an axis; those of one that follows another are that one's own); scalars that a
// linear limit ties while it holds; and what goals over several links add (objective/sweep/joining_columns.h). Below such a
// goal a pivot may be bad though H is positive definite, for the goal's share is not in it yet: that coordinate stays
// open, too, and the small system judges.
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
  /// Takes the goals' inertias at an evaluation whose gradient has been computed. The curvature of the residuals is
  /// weighed by `multipliers`, one a goal: weight * residual gives the Hessian itself; a solver that knows better
  /// multipliers (primal-dual) may say so. No allocation when warm.
  void assemble(const Objective& objective, const Evaluation& evaluation, const std::vector<Residual>& multipliers,
                Curvature ofPulls = Curvature::Exact);

  /// Factors P (H + C + lambda M) P over what the limits leave free, with the projector P and the curvature C of the
  /// limits that hold. metric (active x 1) is M. False when that is not positive definite; curvatureDirection() is then
  /// valid. Keeps both by reference.
  bool factor(double lambda, const FreeSpace& space, const Eigen::VectorXd& metric);

  /// direction (active x 1) = -(H + C + lambda M)^-1 gradient over what is free, 0 elsewhere; next after a factor()
  /// that returned true, which has eliminated this right-hand side on its way.
  void solve(Eigen::VectorXd& direction);

  /// The same for another right-hand side: the gradient of the goals alone if their residuals were `residuals`.
  void solveForResiduals(const std::vector<Residual>& residuals, Eigen::VectorXd& direction);

  /// After solve(): the residuals that its step would leave were they linear, r + J direction. One a goal.
  void linearResiduals(std::vector<Residual>& residuals) const;

  /// After a factor() that returned false: a direction v (active x 1) and a bound <= 0 on its curvature
  /// v'(H + C + lambda M)v.
  double curvatureDirection(Eigen::VectorXd& direction);

 private:
  using ThreeColumns = Eigen::Matrix<double, 6, 3>;
  struct RunTerms {
    Matrix6d own;          ///< sum of the goals' inertias at the run's end
    Matrix6d articulated;  ///< P, during factor()
    Vector6d wrench;       ///< multipliers' wrench of everything at and below: g
    Vector6d bias;         ///< pA, during an elimination
    Vector6d motion;       ///< xi at the run's end, after solve()
    int bundle;            ///< the columns of what is open below, -1 for none; after factor() those above the run
    bool isPlain;          ///< nothing is open at or below it
    // Of a rotation.
    ThreeColumns h;
    Eigen::Matrix3d inverse;  ///< D^-1
    Eigen::Vector3d right;    ///< D^-1 alpha
    Eigen::Vector3d solution;
    ThreeColumns feelings;    ///< e', by axis
    const FreeSpace::Block* limits;  ///< a ball whose limits hold, or null
  };
  /// One unknown's share of an open scalar.
  struct Share {
    int unknown = 0;
    double slope = 0.0, bend = 0.0;
  };
  /// Two unknowns that bend it together.
  struct CrossShare {
    int unknown = 0, other = 0;
    double bend = 0.0;
  };

  // The goals' part.
  void takeGoal(std::size_t goal, const std::vector<Residual>& multipliers, Curvature ofPulls);
  void takeStay(Curvature curvature);
  void takeForces(const std::vector<Residual>& residuals);
  void takeStayForces();
  // What is free and what is open.
  void takeFreeSpace(const FreeSpace& space, const Eigen::VectorXd& metric);
  void openUnknowns(const FreeSpace& space);
  void openLoose();
  void findShares(int active, int follower);
  void findCrossShares(const Couplings::Follower& follows);
  int unknownOfAxis(int element, int axis) const;
  void addShares(double diagonal, double gradient, double right);
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
  int addBundle();
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
  bool isOpenRotation(int element) const;
  ThreeColumns twistsOf(int element) const;
  SweepArrays arrays();
  RunTerms& termsOf(int run) { return runs_[static_cast<std::size_t>(run)]; }
  ColumnBundle& bundleAt(int bundle) { return bundles_[static_cast<std::size_t>(bundle)]; }

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
  std::vector<char> isOpen_;
  Eigen::Matrix<double, kSweepRows, Eigen::Dynamic> feelings_;  ///< e' of what is below open unknowns
  Eigen::VectorXd total_;           ///< alpha / d with what open unknowns add
  std::vector<int> bundleOf_;       ///< columns that an element feels, -1 for none

  JoiningColumns joining_;
  OpenSystem open_;
  std::vector<int> unknownOf_;      ///< by active coordinate, -1 for none
  std::vector<ColumnBundle> bundles_;
  int bundleCount_ = 0;
  std::vector<Share> shares_;       ///< scratch
  std::vector<CrossShare> crossShares_;
  bool mayOpen_ = false;            ///< something of the objective may stay open

  std::vector<char> isBelow_;  ///< by run, of curvatureDirection()
  int badRun_ = -1, badElement_ = -1;  ///< where factor() met its bad pivot; -1: in the small system
  double badPivot_ = 0.0;
  Eigen::Vector3d badAxis_;    ///< eigenvector of a rotation block's most negative eigenvalue
};

}  // namespace limber
