// SPDX-License-Identifier: MIT
// The properties of GDLS, NM and their combination in the course assignment.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "limber/kinematics/standard_figures.h"
#include "limber/solvers/registry.h"
#include "support/awkward_figure.h"
#include "support/dense_algebra.h"

namespace limber::assignment_test {
namespace {

OptionValues withOption(const Solver& solver, std::string_view name, double value) {
  OptionValues values = defaultOptions(solver);
  EXPECT_TRUE(setOption(solver, name, value, values)) << name;
  return values;
}

struct Solved {
  Summary summary;
  Pose pose;
};

Solved solveFrom(const Solver& solver, const Objective& objective, Pose pose, const OptionValues& options) {
  Workspace workspace;
  const Summary summary = solver.solve(objective, pose, options, workspace);
  return {summary, pose};
}

Solved solveFromRest(std::string_view name, const Objective& objective) {
  const Solver& solver = *findSolver(name);
  return solveFrom(solver, objective, restPose(objective.figure()), defaultOptions(solver));
}

/// The root of 1000 cos t = t, which the assignment's one link has for its minimum.
double oneLinkMinimiser() {
  double t = 1.5;
  for (int i = 0; i < 50; ++i) t -= (1000.0 * std::cos(t) - t) / (-1000.0 * std::sin(t) - 1.0);
  return t;
}

TEST(Gdls, OneLinkResettingAlphaEndsNear088) {
  const Objective objective = test::makeChainObjective(1, {0, 1, 0});
  const Solver& gdls = *findSolver("gdls");
  const Solved solved = solveFrom(gdls, objective, restPose(objective.figure()), withOption(gdls, "carryAlpha", 0));
  EXPECT_EQ(solved.summary.phases[0].iterations, 10);
  EXPECT_EQ(solved.summary.status, SolveStatus::IterationCap);
  EXPECT_NEAR(solved.pose.coordinates[0], 0.88, 0.01);
}

TEST(Gdls, OneLinkCarryingAlphaComesCloseButNotExactly) {
  const Objective objective = test::makeChainObjective(1, {0, 1, 0});
  const Solved solved = solveFromRest("gdls", objective);
  const double distance = std::abs(solved.pose.coordinates[0] - oneLinkMinimiser());
  EXPECT_NEAR(oneLinkMinimiser(), 1.5692, 5e-5);
  EXPECT_LT(distance, 0.05);
  EXPECT_GT(distance, 1e-6);
}

TEST(GdlsThenNewton, OneLinkReachesTheMinimiser) {
  const Solved solved = solveFromRest("gdls+nm", test::makeChainObjective(1, {0, 1, 0}));
  EXPECT_NEAR(solved.pose.coordinates[0], oneLinkMinimiser(), 1e-6);
  EXPECT_EQ(solved.summary.phaseCount, 2);
  EXPECT_EQ(solved.summary.phases[0].phase, "gdls");
  EXPECT_EQ(solved.summary.phases[1].phase, "nm");
  EXPECT_GT(solved.summary.phases[1].iterations, 0);
}

TEST(GdlsThenNewton, TwoAndFourLinksReachAMinimum) {
  for (const auto& [n, target] : {std::pair{2, Eigen::Vector3d(1, 1, 0)}, std::pair{4, Eigen::Vector3d(3, 1, 0)}}) {
    const Objective objective = test::makeChainObjective(n, target);
    const Solved solved = solveFromRest("gdls+nm", objective);
    EXPECT_EQ(solved.summary.status, SolveStatus::Converged) << n;
    // The result is the minimiser to 1e-6: one more Newton step moves no angle by more.
    Evaluation evaluation;
    Eigen::VectorXd gradient;
    Eigen::MatrixXd hessian;
    objective.evaluate(solved.pose, evaluation);
    objective.computeGradient(evaluation, gradient);
    objective.computeHessian(evaluation, hessian);
    EXPECT_LT(test::solveSymmetric(hessian, gradient).cwiseAbs().maxCoeff(), 1e-6) << n;
    EXPECT_TRUE(test::isPositiveDefinite(hessian.cast<long double>()));
  }
}

TEST(GdlsThenNewton, KeepsNewtonsAnswerOnlyWhereFFell) {
  // The bare Newton's method diverges for half the goals in the disc; the hybrid must never end above its GDLS part.
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  int kept = 0, refused = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int n = 2 + trial % 9;
    const Objective objective = test::makeChainObjective(n, {n * uniform(random), n * uniform(random), 0});
    const Solved gdls = solveFromRest("gdls", objective);
    const Solved both = solveFromRest("gdls+nm", objective);
    EXPECT_LE(both.summary.objective, gdls.summary.objective);
    (both.summary.objective < gdls.summary.objective ? kept : refused)++;
    if (both.summary.objective == gdls.summary.objective) {
      EXPECT_TRUE(both.pose == gdls.pose);
    }
  }
  EXPECT_GT(kept, 5);
  EXPECT_GT(refused, 5);
}

TEST(GdlsThenNewton, WorksForUpToAHundredLinks) {
  for (const int n : {3, 7, 10, 30, 100}) {
    const Objective objective = test::makeChainObjective(n, {0.5 * n, 0.4 * n, 0});
    const Solved solved = solveFromRest("gdls+nm", objective);
    EXPECT_LT(solved.summary.objective, solved.summary.objectiveBefore);
    EXPECT_TRUE(solved.pose.coordinates.allFinite());
    EXPECT_LE(solved.summary.phases[0].iterations, 10 * n);
    EXPECT_LE(solved.summary.phases[1].iterations, 10 * n);
  }
}

TEST(Gdls, NeverRaisesF) {
  const Objective objective = test::makeChainObjective(6, {2, 3, 0});
  Workspace workspace;
  Pose pose = restPose(objective.figure());
  const Solver& gdls = *findSolver("gdls");
  gdls.solve(objective, pose, defaultOptions(gdls), workspace);
  ASSERT_GT(workspace.history.size(), 10u);
  for (std::size_t i = 1; i < workspace.history.size(); ++i)
    EXPECT_LT(workspace.history[i].objective, workspace.history[i - 1].objective);
}

TEST(ForwardDifferences, AgreeInEveryIterationAndChangeNothing) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Eigen::VectorXd step, fullStep;
  for (const char* name : {"gdls", "nm", "gdls+nm"}) {
    const Solver& solver = *findSolver(name);
    const bool isNewton = std::string_view(name) != "gdls";
    for (int trial = 0; trial < 20; ++trial) {
      const Objective objective = trial < 5 ? test::makeChainObjective(2 + trial, {1, 1, 0})
                                            : test::makeRandomObjective(test::makeAwkwardFigure(), test::kAwkwardTips,
                                                                        random, {.withLimits = false});
      // Near a minimum, because elsewhere the bare Newton's method jumps to angles so large that they lose their
      // digits.
      Pose start = solveFromRest("newton", objective).pose;
      step.resize(objective.activeCount());
      for (double& entry : step) entry = 0.1 * uniform(random);
      objective.move(Pose(start), step, fullStep, start);
      const Solved off = solveFrom(solver, objective, start, defaultOptions(solver));
      const Solved on = solveFrom(solver, objective, start, withOption(solver, "forwardDifferences", 1));
      EXPECT_TRUE(std::isnan(off.summary.gradientDifference) && std::isnan(off.summary.hessianDifference)) << name;
      EXPECT_TRUE(on.pose == off.pose) << name;
      EXPECT_GT(on.summary.gradientDifference, 0.0) << name;
      EXPECT_LT(on.summary.gradientDifference, 1e-4) << name;
      EXPECT_EQ(std::isfinite(on.summary.hessianDifference), isNewton) << name;
      if (isNewton) {
        EXPECT_LT(on.summary.hessianDifference, 1e-4) << name;
      }
    }
  }
}

}  // namespace
}  // namespace limber::assignment_test
