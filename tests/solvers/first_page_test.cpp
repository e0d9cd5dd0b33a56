// SPDX-License-Identifier: MIT
// First page of src/limber/solvers: minimises an objective.
//
// All solvers have one interface, Solver, and are listed in one table, the registry. A solver keeps no state: its
// memory is a Workspace, so that a second solve allocates nothing, and a solve whose budget is used up can continue
// later. Budgets count iterations, not time: the same input gives the same bits.
//
// Read next: solvers/solver.h, solvers/registry.h, solvers/methods/globalised_newton.h (the default); solvers/batch for
// many problems of one figure; docs/solvers for each method.
#include <gtest/gtest.h>

#include <numbers>

#include "limber/goals/position_goal.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/solvers/methods/globalised_newton.h"
#include "limber/solvers/registry.h"

namespace limber::solvers_first_page {
namespace {

using Eigen::Vector2d;

constexpr double kPi = std::numbers::pi;

/// Two links of 1 m along x, whose tip should go to (1, 1), with limits of the elbow.
Objective makeReach(const Interval& elbow) {
  const auto figure = makePlanarChain(2);
  std::vector<std::unique_ptr<Goal>> goals;
  goals.push_back(std::make_unique<PositionGoal>(1, Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(1, 1, 0), 1.0, 1.0));
  Limits limits = limitsOf(*figure);
  limits.intervals[1] = elbow;
  return Objective(figure, std::move(goals), Regulariser(*figure, restPose(*figure), 0.0, {}),
                   FeasibleSet(*figure, limits), {0, 1});
}

TEST(SolversFirstPage, TheDefaultBendsTheElbowToReach) {
  const Objective objective = makeReach({0.0, 3.0});
  Pose pose{Vector2d(0.1, 0.2)};
  Workspace workspace;
  const Solver& solver = *findSolver("newton");
  const Summary summary = solver.solve(objective, pose, defaultOptions(solver), workspace);
  EXPECT_EQ(summary.status, SolveStatus::Converged);
  EXPECT_LT(summary.objective, 1e-12);
  EXPECT_LT((pose.coordinates - Vector2d(0, kPi / 2)).norm(), 1e-6);
}

TEST(SolversFirstPage, LimitsHoldExactly) {
  // With an elbow that bends by 1 radian at most, the tip remains too far out: the best pose points at the target.
  const Objective objective = makeReach({0.0, 1.0});
  Pose pose{Vector2d(0.1, 0.2)};
  Workspace workspace;
  GlobalisedNewtonOptions::solver().solve(objective, pose, GlobalisedNewtonOptions{}, workspace);
  EXPECT_EQ(pose.coordinates[1], 1.0);
  EXPECT_NEAR(pose.coordinates[0], kPi / 4 - 0.5, 1e-6);
}

TEST(SolversFirstPage, ASolveInSlicesGivesTheSameBits) {
  const Objective objective = makeReach({0.0, 3.0});
  const Solver& solver = *findSolver("gd");
  const OptionValues options = defaultOptions(solver);
  Workspace workspace, sliced;
  Pose atOnce{Vector2d(0.1, 0.2)}, inSlices = atOnce;
  const Summary whole = solver.solve(objective, atOnce, options, workspace);
  Summary part = solver.solve(objective, inSlices, options, sliced, {.iterations = 3});
  ASSERT_EQ(part.status, SolveStatus::BudgetSpent);
  while (part.status == SolveStatus::BudgetSpent)
    part = solver.solve(objective, inSlices, options, sliced, {.iterations = 3}, Start::Resume);
  EXPECT_TRUE(inSlices == atOnce);
  EXPECT_EQ(part.iterations(), whole.iterations());
}

}  // namespace
}  // namespace limber::solvers_first_page
