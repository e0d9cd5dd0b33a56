// SPDX-License-Identifier: MIT
// The objective over the active coordinates:
//
//   f(q) = sum over goals 1/2 w |r(q)|^2  +  regulariser(q),    q within the feasible set.
//
// Gradient and Hessian are with respect to the step at zero, in the order of the active coordinates.
#pragma once

#include <memory>
#include <vector>

#include "goals/goal.h"
#include "objective/feasible_set.h"
#include "objective/regulariser.h"

namespace limber {

/// Everything that one pose makes of an objective.
struct Evaluation {
  Kinematics kinematics;            ///< transforms by evaluate(), twists by computeGradient()
  std::vector<Residual> residuals;  ///< one a goal; evaluate()
  Eigen::VectorXd offset;           ///< (stepSize x 1), pose minus reference; evaluate()
  std::vector<Vector6d> wrenches;   ///< one a link: sum of weight J^T r over its own goals; computeGradient()
  std::vector<Matrix6d> inertias;   ///< one a link, of everything at and below it; computeHessian()
  double objective = 0.0;           ///< evaluate()
  double rounding = 0.0;            ///< how far rounding alone can move `objective`; evaluate()
};

class Objective {
 public:
  /// active: step coordinates that the solver may change, ascending. The goals' links must exist.
  Objective(std::shared_ptr<const Figure> figure, std::vector<std::unique_ptr<Goal>> goals, Regulariser regulariser,
            FeasibleSet feasibleSet, std::vector<int> active);

  const Figure& figure() const { return *figure_; }
  const std::vector<std::unique_ptr<Goal>>& goals() const { return goals_; }
  const Regulariser& regulariser() const { return regulariser_; }
  const FeasibleSet& feasibleSet() const { return feasibleSet_; }

  int activeCount() const { return static_cast<int>(active_.size()); }
  const std::vector<int>& active() const { return active_; }
  /// Place of a step coordinate among the active ones, -1 when it is not.
  int activeIndex(int coordinate) const { return activeIndex_[static_cast<std::size_t>(coordinate)]; }
  /// True when a goal sits on the link or below it.
  bool isLoaded(int link) const { return isLoaded_[static_cast<std::size_t>(link)] != 0; }
  /// 1 for angles, 1 / L^2 for lengths: the metric in which a step is measured and damped, (stepSize x 1).
  const Eigen::VectorXd& metric() const { return metric_; }

  /// f, with transforms and residuals. NaN when the pose is not finite. Allocates nothing when warm.
  double evaluate(const Pose& pose, Evaluation& evaluation) const;

  /// Gradient (active x 1) of an evaluated pose; fills twists and wrenches.
  void computeGradient(Evaluation& evaluation, Eigen::VectorXd& gradient) const;

  /// Exact Hessian (active x active), dense; after computeGradient. Cost O(active x depth): for tests, and for the
  /// methods that want a matrix.
  void computeHessian(Evaluation& evaluation, Eigen::MatrixXd& hessian) const;

  /// out = the pose moved by an active step (active x 1), projected into the limits. `fullStep` is scratch.
  void move(const Pose& pose, const Eigen::VectorXd& activeStep, Eigen::VectorXd& fullStep, Pose& out) const;

 private:
  std::shared_ptr<const Figure> figure_;
  std::vector<std::unique_ptr<Goal>> goals_;
  Regulariser regulariser_;
  FeasibleSet feasibleSet_;
  std::vector<int> active_, activeIndex_;
  std::vector<char> isLoaded_;
  Eigen::VectorXd metric_;
};

/// What one goal adds to the Hessian on its link, symmetric (6 x 6): weight J^T J + sum of multipliers * second
/// derivatives. Gives J too. Shared by the dense Hessian and the tree sweep.
void computeGoalInertia(const Goal& goal, const Kinematics& kinematics, const Residual& multipliers,
                        TwistJacobian& jacobian, Matrix6d& inertia);

/// multipliers out, one a goal: weight * residual, with which the curvature is that of f itself.
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
