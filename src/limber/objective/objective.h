// SPDX-License-Identifier: MIT
// The objective over the active coordinates:
//
//   f(q) = sum over goals 1/2 w |r(q) + shift|^2  +  regularisers(q)  +  stay(q),    q within the feasible set,
//
// where of a one-sided goal only the negative rows of r + shift count. A goal whose force is limited to F is quadratic
// up to that force and linear beyond (Huber 1964): F |r| - F^2 / (2 w) where w |r| > F.
//
// Gradient and Hessian are with respect to the step at zero, in the order of the active coordinates. A follower (a
// coordinate that a coupling determines) is never active: its derivatives count for its drivers, by C'g and C'HC + sum
// p'' g.
#pragma once

#include <memory>
#include <vector>

#include "limber/goals/goal.h"
#include "limber/objective/limits/feasible_set.h"
#include "limber/objective/regulariser.h"
#include "limber/objective/stay_term.h"

namespace limber {

/// All that is computed for an objective at one pose, and the function that fills it. It belongs to one thread at a
/// time.
struct Evaluation {
  Kinematics kinematics;                   ///< transforms by evaluate(), twists by computeGradient()
  std::vector<Residual> residuals;         ///< by goal; evaluate()
  std::vector<double> weights;             ///< by goal: its own weight, or less where its force is limited; evaluate()
  std::vector<StayTerm::State> stays;      ///< by body of the stay term; evaluate(), computeGradient()
  std::vector<Eigen::VectorXd> offsets;    ///< by regulariser, (stepSize x 1): pose minus reference; evaluate()
  std::vector<double> slopes, curvatures;  ///< by coupling term: first and second derivatives; evaluate()
  std::vector<double> crossCurvatures;     ///< by pair of coupling terms: mixed second derivative; evaluate()
  std::vector<std::vector<TwistJacobian>> jacobians;  ///< by goal and its links; computeGradient()
  std::vector<Residual> forces;                       ///< by goal: weight times residual; computeGradient()
  Eigen::VectorXd pulls;                              ///< (stepSize x 1): the regularisers' gradient; computeGradient()
  std::vector<Vector6d> wrenches;  ///< by link, summed over its descendants: weight J^T r; computeGradient()
  std::vector<Matrix6d> inertias;  ///< by link, summed over the link and its descendants; computeHessian()
  std::vector<Vector6d> motions;   ///< by link: its twist under a step; applyJacobian()
  Eigen::VectorXd fullGradient;    ///< (stepSize x 1), before followers are added to their drivers; computeGradient()
  std::vector<Vector6d> multiplierWrenches;  ///< wrenches of the multipliers; computeHessian()
  std::vector<TwistJacobian> linkJacobians;  ///< by link, for a goal with several links; computeHessian()
  Eigen::MatrixXd goalJacobian;              ///< (m x moving), for a goal with several links; computeHessian()
  Eigen::MatrixXd movingHessian;             ///< (moving x moving), before couplings are folded; computeHessian()
  double objective = 0.0;                    ///< evaluate()
  double rounding = 0.0;                     ///< bound on the rounding error of `objective`; evaluate()
  double positionRounding = 0.0;             ///< rounding error of a point, in mean link lengths; evaluate()
};

struct CoordinateTree;

/// Several threads may use its const functions at once, each with its own Evaluation.
class Objective {
 public:
  /// `active` are the step coordinates that the solver may change, ascending, without followers (asserted). The goals'
  /// links must exist. keepPoses are further regularisers, each toward its own pose; `stay` keeps links in place.
  Objective(std::shared_ptr<const Figure> figure, std::vector<std::unique_ptr<Goal>> goals, Regulariser regulariser,
            FeasibleSet feasibleSet, std::vector<int> active, std::vector<Regulariser> keepPoses = {},
            StayTerm stay = {});

  const Figure& figure() const { return *figure_; }
  const std::vector<std::unique_ptr<Goal>>& goals() const { return goals_; }
  /// The regulariser, then those of keepPoses.
  const std::vector<Regulariser>& regularisers() const { return regularisers_; }
  /// The pose to which a regulariser pulls, which may be changed.
  Pose& reference(std::size_t regulariser) { return regularisers_[regulariser].reference(); }
  const StayTerm& stay() const { return stay_; }
  const FeasibleSet& feasibleSet() const { return feasibleSet_; }

  int activeCount() const { return static_cast<int>(active_.size()); }
  const std::vector<int>& active() const { return active_; }
  /// Index of a step coordinate among the active ones, -1 if it is not active.
  int activeIndex(int coordinate) const { return activeIndex_[coordinate]; }
  /// The link whose joint has this step coordinate.
  int linkOf(int coordinate) const { return linkOf_[coordinate]; }
  /// The active coordinates, then their followers.
  const std::vector<int>& moving() const { return moving_; }
  /// The moving coordinates in the order of an elimination.
  const CoordinateTree& tree() const { return *tree_; }
  /// Adds a shift to a goal's residual, r + shift, by which hard goals are met (method of multipliers). Zero at first.
  void setResidualShift(int goal, const Residual& shift) { shifts_[goal] = shift; }
  const Residual& residualShift(int goal) const { return shifts_[goal]; }
  /// Limits the force w |r + shift| of a goal with one link. limit > 0 (asserted); infinite at first.
  void setForceLimit(int goal, double limit);
  double forceLimit(std::size_t goal) const { return forceLimits_[goal]; }
  bool limitsForces() const { return limitsForces_; }
  /// True where a goal's force is at its limit.
  bool isForceLimited(const Evaluation& evaluation, std::size_t goal) const {
    return evaluation.weights[goal] < goals_[goal]->weight();
  }
  /// Residual of a goal with its shift; rows of an inequality that holds are zero.
  void computeResidual(const Kinematics& kinematics, std::size_t goal, Residual& residual) const;
  /// The goal's term of f, from its residual with the shift.
  double goalValue(std::size_t goal, const Residual& residual) const;
  double goalValue(const Evaluation& evaluation, std::size_t goal) const {
    return goalValue(goal, evaluation.residuals[goal]);
  }
  /// True if the link or a descendant has a goal or a body of the stay term.
  bool isLoaded(int link) const { return isLoaded_[link] != 0; }
  /// The diagonal metric in which steps are measured and damped, (stepSize x 1): 1 for angles, 1 / L^2 for lengths.
  const Eigen::VectorXd& metric() const { return metric_; }
  /// True for lengths: coordinates of prismatic joints and translations of free joints.
  bool isLength(int coordinate) const { return isLength_[coordinate] != 0; }

  /// Computes f, transforms and residuals. NaN if the pose is not finite. Allocates nothing once sized.
  double evaluate(const Pose& pose, Evaluation& evaluation) const;

  /// Gradient (active x 1) at an evaluated pose. Computes twists and wrenches.
  void computeGradient(Evaluation& evaluation, Eigen::VectorXd& gradient) const;

  /// Exact Hessian (active x active), dense; after computeGradient. Cost O(active x depth): for tests and for solvers
  /// that need a matrix. `multipliers`, one for each goal, weigh the second derivatives of the residuals; by default
  /// they are weight * residual, which gives the Hessian of f. ofPulls selects the curvature of the stay term and of
  /// limited forces.
  void computeHessian(Evaluation& evaluation, Eigen::MatrixXd& hessian) const;
  void computeHessian(Evaluation& evaluation, const std::vector<Residual>& multipliers, Eigen::MatrixXd& hessian,
                      Curvature ofPulls = Curvature::Exact) const;

  /// gradient (active x 1) = sum over goals of J' forces, with one force for each goal; after computeGradient.
  void applyTransposedJacobian(Evaluation& evaluation, const std::vector<Residual>& forces,
                               Eigen::VectorXd& gradient) const;
  /// changes = J activeStep, one for each goal; after computeGradient.
  void applyJacobian(Evaluation& evaluation, const Eigen::VectorXd& activeStep, std::vector<Residual>& changes) const;

  /// Second derivatives of the sum of all regularisers: of a scalar, and (3 x 3) of a rotation.
  double regulariserWeight(int coordinate) const { return regulariserWeights_[coordinate]; }
  const Eigen::VectorXd& regulariserWeights() const { return regulariserWeights_; }
  Eigen::Matrix3d regulariserHessian(const Evaluation& evaluation, int rotation) const;

  /// out = the pose moved by an active step (active x 1) and projected onto the feasible set. `fullStep` is scratch.
  void move(const Pose& pose, const Eigen::VectorXd& activeStep, Eigen::VectorXd& fullStep, Pose& out) const;

 private:
  /// wrenches = J' forces of the goals on each link.
  void sumWrenches(const Evaluation& evaluation, const std::vector<Residual>& forces,
                   std::vector<Vector6d>& wrenches) const;
  /// Adds the wrenches of the stay term.
  void addStayWrenches(const Evaluation& evaluation, std::vector<Vector6d>& wrenches) const;
  void sumUp(std::vector<Vector6d>& wrenches) const;
  double weightAt(std::size_t goal, const Residual& residual) const;
  double extentOf(const Pose& pose, const Kinematics& kinematics) const;
  template <class F>
  void foldFollowers(const Evaluation& evaluation, F full, Eigen::VectorXd& gradient) const;
  double goalGradient(const Kinematics& kinematics, const std::vector<Vector6d>& wrenches, int coordinate) const;
  void measure();
  void findMovingAbove();
  // The parts of the Hessian over the moving coordinates, in the order in which they are added.
  void gatherInertias(Evaluation& evaluation, const std::vector<Residual>& multipliers, Curvature ofPulls) const;
  void addTreePart(Evaluation& evaluation) const;
  void addJoiningGoals(Evaluation& evaluation, const std::vector<Residual>& multipliers) const;
  void addRegularisers(Evaluation& evaluation) const;
  void foldCouplings(Evaluation& evaluation) const;

  std::shared_ptr<const Figure> figure_;
  std::vector<std::unique_ptr<Goal>> goals_;
  std::vector<Regulariser> regularisers_;
  StayTerm stay_;
  FeasibleSet feasibleSet_;
  std::vector<int> active_, activeIndex_, moving_, movingIndex_;
  std::vector<int> movingAbove_;  ///< by moving coordinate: index of the next one toward the root, -1 for none
  std::vector<int> linkOf_;       ///< of each step coordinate
  std::vector<Residual> shifts_;
  std::vector<double> forceLimits_;  ///< by goal
  bool limitsForces_ = false;        ///< some limit is finite
  std::vector<char> isLoaded_;
  Eigen::VectorXd metric_, regulariserWeights_;
  std::vector<char> isLength_;  ///< by step coordinate
  std::vector<int> slides_;     ///< pose indices of lengths that add to reach_
  double reach_ = 0.0;          ///< longest path from a root to a link at slides of 0, metres
  std::shared_ptr<const CoordinateTree> tree_;
};

/// The term of a goal with one link in the Hessian by that link's twist, symmetric (6 x 6): weight J^T J + sum of
/// multipliers * second derivatives. Where the force is at its limit, the exact curvature is zero along the residual;
/// the Gauss-Newton curvature is that of the parabola that touches f there and majorises it.
void computeGoalInertia(const Objective& objective, const Evaluation& evaluation, std::size_t goal,
                        const Residual& multipliers, Curvature curvature, Matrix6d& inertia);

/// multipliers = weight * residual of each goal, with which the Hessian is that of f.
void exactMultipliers(const Objective& objective, const Evaluation& evaluation, std::vector<Residual>& multipliers);

/// The spatial cross product S x* g of a twist (w; v) and a wrench (m; f): (w x m + v x f; w x f). Half of it is the
/// part of the Hessian that is due to the order of the joints: H_ij = S_i . (M S_j + 1/2 S_j x* g) for i above j.
inline Vector6d crossDual(const Vector6d& twist, const Vector6d& wrench) {
  const auto w = twist.head<3>();
  const auto v = twist.tail<3>();
  const auto m = wrench.head<3>();
  const auto f = wrench.tail<3>();
  Vector6d result;
  result.head<3>() = w.cross(m) + v.cross(f);
  result.tail<3>() = w.cross(f);
  return result;
}

}  // namespace limber
