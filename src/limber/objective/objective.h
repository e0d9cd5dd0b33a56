// SPDX-License-Identifier: MIT
// The objective over the active coordinates:
//
//   f(q) = sum over goals 1/2 w |r(q) + shift|^2  +  regularisers(q)  +  stay(q),    q within the feasible set,
//
// of a one-sided goal only what of r + shift is below zero. A goal whose force is limited to F is quadratic up to that
// force and linear beyond (Huber 1964): F |r| - F^2 / (2 w) where w |r| > F.
//
// Gradient and Hessian are with respect to the step at zero, in the order of the active coordinates. A coordinate that
// follows others (a coupling) is never active: what it feels counts for its drivers, by C'g and C'HC + sum p'' g.
#pragma once

#include <memory>
#include <vector>

#include "limber/goals/goal.h"
#include "limber/objective/limits/feasible_set.h"
#include "limber/objective/regulariser.h"
#include "limber/objective/stay_term.h"

namespace limber {

/// Everything that one pose makes of an objective.
struct Evaluation {
  Kinematics kinematics;            ///< transforms by evaluate(), twists by computeGradient()
  std::vector<Residual> residuals;  ///< one a goal; evaluate()
  std::vector<double> weights;      ///< one a goal: its own, or less where its force is limited; evaluate()
  std::vector<StayTerm::State> stays;  ///< one a body of the stay term; evaluate(), computeGradient()
  std::vector<Eigen::VectorXd> offsets;  ///< one a regulariser (stepSize x 1): pose minus reference; evaluate()
  std::vector<double> slopes, bends;     ///< one a coupling term: derivatives of follower by driver; evaluate()
  std::vector<double> crossBends;        ///< one a pair of terms that bend together; evaluate()
  std::vector<std::vector<TwistJacobian>> jacobians;  ///< by goal, by its links; computeGradient()
  std::vector<Residual> forces;          ///< one a goal: weight times residual; computeGradient()
  Eigen::VectorXd pulls;            ///< (stepSize x 1): the regularisers' gradient; computeGradient()
  std::vector<Vector6d> wrenches;   ///< one a link: sum of weight J^T r of everything at and below; computeGradient()
  std::vector<Matrix6d> inertias;   ///< one a link, of everything at and below it; computeHessian()
  std::vector<Vector6d> motions;    ///< one a link: its twist under a step; applyJacobian()
  Eigen::VectorXd fullGradient;     ///< (stepSize x 1), followers apart from their drivers; computeGradient()
  std::vector<Vector6d> multiplierWrenches;  ///< wrenches of the multipliers; computeHessian()
  std::vector<TwistJacobian> linkJacobians;  ///< one a link, of a goal with several; computeHessian()
  Eigen::MatrixXd goalJacobian;     ///< (m x moving) of a goal with several links; computeHessian()
  Eigen::MatrixXd movingHessian;    ///< (moving x moving), before couplings are folded; computeHessian()
  double objective = 0.0;           ///< evaluate()
  double rounding = 0.0;            ///< how far rounding alone can move `objective`; evaluate()
  double positionRounding = 0.0;    ///< of one place, in mean link lengths; evaluate()
};

struct CoordinateTree;

class Objective {
 public:
  /// active: step coordinates that the solver may change, ascending, none of them a follower (asserted). The goals'
  /// links must exist. keepPoses: further pulls, each toward its own pose. stay: what keeps links where they stand.
  Objective(std::shared_ptr<const Figure> figure, std::vector<std::unique_ptr<Goal>> goals, Regulariser regulariser,
            FeasibleSet feasibleSet, std::vector<int> active, std::vector<Regulariser> keepPoses = {},
            StayTerm stay = {});

  const Figure& figure() const { return *figure_; }
  const std::vector<std::unique_ptr<Goal>>& goals() const { return goals_; }
  /// The pull to the reference, then the keep-poses.
  const std::vector<Regulariser>& regularisers() const { return regularisers_; }
  const StayTerm& stay() const { return stay_; }
  const FeasibleSet& feasibleSet() const { return feasibleSet_; }

  int activeCount() const { return static_cast<int>(active_.size()); }
  const std::vector<int>& active() const { return active_; }
  /// Place of a step coordinate among the active ones, -1 when it is not.
  int activeIndex(int coordinate) const { return activeIndex_[static_cast<std::size_t>(coordinate)]; }
  /// The link that a step coordinate moves against its parent.
  int linkOf(int coordinate) const { return linkOf_[static_cast<std::size_t>(coordinate)]; }
  /// Coordinates that change with the active ones: these, then their followers.
  const std::vector<int>& moving() const { return moving_; }
  /// The moving coordinates as an elimination takes them.
  const CoordinateTree& tree() const { return *tree_; }
  /// Moves the residual of a goal, r + shift: how a hard goal is met (multiplier updates). Zero at first.
  void setResidualShift(int goal, const Residual& shift) { shifts_[static_cast<std::size_t>(goal)] = shift; }
  const Residual& residualShift(int goal) const { return shifts_[static_cast<std::size_t>(goal)]; }
  /// Limits the force of a goal of one link, w |r + shift|: infinite at first, > 0.
  void setForceLimit(int goal, double limit);
  double forceLimit(std::size_t goal) const { return forceLimits_[goal]; }
  bool limitsForces() const { return limitsForces_; }
  /// True where a goal pulls with all the force that it may.
  bool isForceLimited(const Evaluation& evaluation, std::size_t goal) const {
    return evaluation.weights[goal] < goals_[goal]->weight();
  }
  /// Residual of a goal with its shift, zero where an inequality is met.
  void computeResidual(const Kinematics& kinematics, std::size_t goal, Residual& residual) const;
  /// What a goal adds to f, by its residual with the shift.
  double goalValue(std::size_t goal, const Residual& residual) const;
  double goalValue(const Evaluation& evaluation, std::size_t goal) const {
    return goalValue(goal, evaluation.residuals[goal]);
  }
  /// True when a goal or a body of the stay term sits on the link or below it.
  bool isLoaded(int link) const { return isLoaded_[static_cast<std::size_t>(link)] != 0; }
  /// 1 for angles, 1 / L^2 for lengths: the metric in which a step is measured and damped, (stepSize x 1).
  const Eigen::VectorXd& metric() const { return metric_; }
  /// True for what is a length: a slide, a free joint's shift.
  bool isLength(int coordinate) const { return isLength_[static_cast<std::size_t>(coordinate)] != 0; }

  /// f, with transforms and residuals. NaN when the pose is not finite. Allocates nothing when warm.
  double evaluate(const Pose& pose, Evaluation& evaluation) const;

  /// Gradient (active x 1) of an evaluated pose; fills twists and wrenches.
  void computeGradient(Evaluation& evaluation, Eigen::VectorXd& gradient) const;

  /// Exact Hessian (active x active), dense; after computeGradient. Cost O(active x depth): for tests, and for the
  /// methods that want a matrix. The curvature of the residuals is weighed by `multipliers`, one a goal; without them
  /// by weight * residual, which gives the Hessian of f. `ofPulls` says how much of the curvature of the
  /// stay term and of limited forces counts.
  void computeHessian(Evaluation& evaluation, Eigen::MatrixXd& hessian) const;
  void computeHessian(Evaluation& evaluation, const std::vector<Residual>& multipliers, Eigen::MatrixXd& hessian,
                      Curvature ofPulls = Curvature::Exact) const;

  /// gradient (active x 1) = sum over goals of J' forces, forces one a goal; after computeGradient.
  void applyTransposedJacobian(Evaluation& evaluation, const std::vector<Residual>& forces,
                               Eigen::VectorXd& gradient) const;
  /// changes, one a goal: J step, for an active step; after computeGradient.
  void applyJacobian(Evaluation& evaluation, const Eigen::VectorXd& activeStep, std::vector<Residual>& changes) const;

  /// Value, slope and curvature of all regularisers together, in step coordinates.
  double regulariserGradient(const Evaluation& evaluation, int coordinate) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < regularisers_.size(); ++i)
      sum += regularisers_[i].gradient(evaluation.offsets[i], coordinate);
    return sum;
  }
  double regulariserWeight(int coordinate) const { return regulariserWeights_[coordinate]; }
  const Eigen::VectorXd& regulariserWeights() const { return regulariserWeights_; }
  Eigen::Matrix3d regulariserHessian(const Evaluation& evaluation, int rotation) const;

  /// out = the pose moved by an active step (active x 1), projected into the limits. `fullStep` is scratch.
  void move(const Pose& pose, const Eigen::VectorXd& activeStep, Eigen::VectorXd& fullStep, Pose& out) const;

 private:
  /// wrenches, one a link: J' forces of the goals on it.
  void sumWrenches(const Evaluation& evaluation, const std::vector<Residual>& forces,
                   std::vector<Vector6d>& wrenches) const;
  /// Adds to them what the stay term pulls.
  void addStayWrenches(const Evaluation& evaluation, std::vector<Vector6d>& wrenches) const;
  void sumUp(std::vector<Vector6d>& wrenches) const;
  double weightAt(std::size_t goal, const Residual& residual) const;
  double extentOf(const Pose& pose, const Kinematics& kinematics) const;
  void foldFollowers(const Evaluation& evaluation, const Eigen::VectorXd& full, Eigen::VectorXd& gradient) const;
  double goalGradient(const Kinematics& kinematics, const std::vector<Vector6d>& wrenches, int coordinate) const;
  void measure();
  void findMovingAbove();
  // The parts of the Hessian over the moving coordinates, in the order in which they are added.
  void gatherInertias(Evaluation& evaluation, const std::vector<Residual>& multipliers, Curvature ofPulls) const;
  void addTreePart(Evaluation& evaluation) const;
  void addJoiningGoals(Evaluation& evaluation, const std::vector<Residual>& multipliers) const;
  void addRegularisers(Evaluation& evaluation) const;
  void foldCouplings(Evaluation& evaluation) const;
  int movingIndex(int coordinate) const { return movingIndex_[static_cast<std::size_t>(coordinate)]; }

  std::shared_ptr<const Figure> figure_;
  std::vector<std::unique_ptr<Goal>> goals_;
  std::vector<Regulariser> regularisers_;
  StayTerm stay_;
  FeasibleSet feasibleSet_;
  std::vector<int> active_, activeIndex_, moving_, movingIndex_;
  std::vector<int> movingAbove_;  ///< one a moving coordinate: place of the next one toward the root, -1 for none
  std::vector<int> linkOf_;  ///< of each step coordinate
  std::vector<Residual> shifts_;
  std::vector<double> forceLimits_;  ///< one a goal
  bool limitsForces_ = false;        ///< any of them
  std::vector<char> isLoaded_;
  Eigen::VectorXd metric_, regulariserWeights_;
  std::vector<char> isLength_;  ///< by step coordinate
  std::vector<int> slides_;   ///< pose indices of lengths that add to it
  double reach_ = 0.0;        ///< longest way from a root to a link, without slides; metres
  std::shared_ptr<const CoordinateTree> tree_;
};

/// What a goal of one link adds to the Hessian there, symmetric (6 x 6): weight J^T J + sum of multipliers * second
/// derivatives. Where its force is limited the exact curvature has nothing along the residual; the Gauss-Newton one is
/// that of the parabola that touches f there and is nowhere below it. Shared by the dense Hessian and the tree sweep.
void computeGoalInertia(const Objective& objective, const Evaluation& evaluation, std::size_t goal,
                        const Residual& multipliers, Curvature curvature, Matrix6d& inertia);

/// multipliers out, one a goal: the forces, with which the curvature is that of f itself.
void exactMultipliers(const Objective& objective, const Evaluation& evaluation, std::vector<Residual>& multipliers);

/// The wrench (moment; force) turned by a twist: (w x m + v x f; w x f). Half of it is the part of the Hessian that
/// comes from the order of the joints: H_ij = S_i . (M S_j + 1/2 S_j x* g) for i above j.
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
