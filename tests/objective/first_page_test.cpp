// SPDX-License-Identifier: MIT
// First page of src/limber/objective: the function that solvers minimise, and the set of poses that limits allow.
//
// An Objective sums goals and pulls to reference poses over the active coordinates, and gives value, gradient and
// Hessian. A FeasibleSet holds limits and couplings. The sub-rooms compute with these faster than with dense matrices:
// `limits` projects onto the feasible set, `sweep` solves for a Newton step in time linear in the figure.
//
// Read next: objective/objective.h, objective/limits/feasible_set.h, objective/sweep/newton_system.h.
#include <gtest/gtest.h>

#include <numbers>

#include "limber/goals/position_goal.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/objective/objective.h"

namespace limber::objective_first_page {
namespace {

using Eigen::Vector2d;

/// Two links of 1 m along x, whose tip should go to (1, 1): the shoulder stays, and the elbow turns by 90 degrees. The
/// weight is 4, and a pull of weight 2 keeps the joints near zero.
Objective makeReach() {
  const auto figure = makePlanarChain(2);
  std::vector<std::unique_ptr<Goal>> goals;
  goals.push_back(std::make_unique<PositionGoal>(1, Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(1, 1, 0), 4.0, 1.0));
  return Objective(figure, std::move(goals), Regulariser(*figure, restPose(*figure), 2.0, {}),
                   FeasibleSet(*figure, limitsOf(*figure)), {0, 1});
}

TEST(ObjectiveFirstPage, AtRestOnlyTheGoalCounts) {
  const Objective objective = makeReach();
  Evaluation evaluation;
  // The tip is at (2, 0): r = (1, -1), f = 4/2 |r|^2.
  EXPECT_DOUBLE_EQ(objective.evaluate({Vector2d(0, 0)}, evaluation), 4.0);
  // The tip moves along y by 2 m per radian of the shoulder, by 1 m per radian of the elbow: gradient = 4 J^T r.
  Eigen::VectorXd gradient;
  objective.computeGradient(evaluation, gradient);
  EXPECT_LT((gradient - Vector2d(-8, -4)).norm(), 1e-12) << "both joints should turn upward";
}

TEST(ObjectiveFirstPage, AtTheTargetOnlyThePullCounts) {
  const Objective objective = makeReach();
  Evaluation evaluation;
  const double elbow = std::numbers::pi / 2.0;
  EXPECT_NEAR(objective.evaluate({Vector2d(0, elbow)}, evaluation), 2.0 / 2.0 * elbow * elbow, 1e-12);
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;
  objective.computeGradient(evaluation, gradient);
  objective.computeHessian(evaluation, hessian);
  EXPECT_LT((gradient - Vector2d(0, 2.0 * elbow)).norm(), 1e-12);
  // With r = 0 the Hessian is 4 J^T J plus the pull's 2, and J has the columns (-1, 1) and (-1, 0).
  Eigen::Matrix2d expected;
  expected << 4 * 2 + 2, 4 * 1, 4 * 1, 4 * 1 + 2;
  EXPECT_LT((hessian - expected).norm(), 1e-12);
}

TEST(ObjectiveFirstPage, AFeasibleSetBringsAPoseBackWithinTheLimits) {
  const auto figure = makePlanarChain(2);
  Limits limits = limitsOf(*figure);
  limits.intervals[1] = {-1.0, 1.0};
  const FeasibleSet set(*figure, limits);
  Pose pose{Vector2d(0.3, 1.5)};
  EXPECT_DOUBLE_EQ(set.violation(pose), 0.5);
  set.project(pose);
  EXPECT_EQ(Vector2d(pose.coordinates), Vector2d(0.3, 1.0));
}

}  // namespace
}  // namespace limber::objective_first_page
