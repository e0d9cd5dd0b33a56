// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/levenberg_marquardt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "limber/goals/position_goal.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/solvers/registry.h"
#include "support/awkward_figure.h"
#include "support/dense_algebra.h"
#include "support/limited_figure.h"
#include "support/repetitions.h"

namespace limber::levenberg_marquardt_test {
namespace {

const auto& marquardt = LevenbergMarquardtOptions::solver();

TEST(LevenbergMarquardt, FirstStepSolvesTheDampedNormalEquations) {
  const Objective objective = test::makeChainObjective(5, {2, 3, 0}, 100.0, 0.3);
  const Pose start{Eigen::VectorXd::LinSpaced(5, 0.3, -0.2)};
  Pose pose = start;
  LevenbergMarquardtOptions options;
  options.tau = 10.0;  // short enough to be taken at once
  Workspace workspace;
  marquardt.solve(objective, pose, options, workspace, {1});

  Evaluation evaluation;
  Eigen::VectorXd gradient;
  objective.evaluate(start, evaluation);
  objective.computeGradient(evaluation, gradient);
  Eigen::MatrixXd jacobian(3, 5);
  std::vector<Residual> change;
  for (int j = 0; j < 5; ++j) {
    objective.applyJacobian(evaluation, Eigen::VectorXd::Unit(5, j), change);
    jacobian.col(j) = change[0];
  }
  const Eigen::MatrixXd system =
      100.0 * jacobian.transpose() * jacobian + (0.3 + 10.0 * 100.0) * Eigen::MatrixXd::Identity(5, 5);
  const Eigen::VectorXd expected = start.coordinates - test::solveSymmetric(system, gradient);
  EXPECT_LT((pose.coordinates - expected).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(LevenbergMarquardt, ConvergesOnReachableGoalsAsQuicklyAsNewton) {
  std::mt19937 random(41);
  std::vector<int> iterations;
  constexpr int kTrials = 200;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto figure = test::makeBallTree();
    test::ObjectiveOptions shape;
    shape.restWeight = 0.0;
    const Objective objective = test::makeRandomObjective(figure, std::vector<int>{5}, random, std::move(shape));
    Pose pose = test::randomPose(*figure, random);
    Workspace workspace;
    const Summary summary = marquardt.solve(objective, pose, LevenbergMarquardtOptions{}, workspace);
    if (summary.objective < 1e-9) iterations.push_back(summary.iterations());
  }
  ASSERT_GE(static_cast<int>(iterations.size()), kTrials * 98 / 100);
  std::sort(iterations.begin(), iterations.end());
  std::printf("reached %zu of %d, median %d iterations, most %d\n", iterations.size(), kTrials,
              iterations[iterations.size() / 2], iterations.back());
  EXPECT_LE(iterations[iterations.size() / 2], 12);
}

TEST(LevenbergMarquardt, EndsAtKuhnTuckerPointsWithinEveryKindOfLimit) {
  std::mt19937 random(43);
  const int kTrials = test::repetitions(400, 60);
  constexpr double kKuhnTucker = 1e-4;  // projected gradient, relative to the steepest on the way
  int converged = 0, stationary = 0;
  Workspace workspace;
  for (int trial = 0; trial < kTrials; ++trial) {
    const test::LimitedFigureOptions shape{.links = 2 + trial % 10,
                                           .withBalls = trial % 4 != 1,
                                           .withCouplings = trial % 3 == 0,
                                           .withLinearLimits = trial % 5 == 0};
    const auto figure = test::makeLimitedFigure(random, shape);
    const Objective objective =
        test::makeLimitedObjective(figure, 1 + trial % 3, trial % 2 == 0, random, trial % 7 < 4);
    Pose pose = test::randomPose(*figure, random);
    LevenbergMarquardtOptions options;
    options.maxIterations = 3000;
    const Summary summary = marquardt.solve(objective, pose, options, workspace);
    EXPECT_LT(objective.feasibleSet().violation(pose), 1e-9);
    double steepest = 1.0;
    for (std::size_t i = 0; i < workspace.history.size(); ++i) {
      steepest = std::max(steepest, workspace.history[i].gradientNorm);
      if (i > 0) {
        EXPECT_LE(workspace.history[i].objective, workspace.history[i - 1].objective);
      }
    }
    if (summary.status != SolveStatus::Converged) continue;
    ++converged;
    if (summary.gradientNorm < kKuhnTucker * steepest) ++stationary;
  }
  std::printf("converged %d of %d, %d of them stationary\n", converged, kTrials, stationary);
  EXPECT_GE(converged, kTrials * 95 / 100);
  EXPECT_GE(stationary, converged * 99 / 100);
}

/// The number of goals reached from rest, out of `goals` that a planar chain meets within limits of +-2.5 radians.
int countReached(const Solver& solver, int links, int trials) {
  constexpr double kLimit = 2.5;
  constexpr double kReached = 1e-3;  // mean links
  const auto figure = makePlanarChain(links);
  Limits limits = limitsOf(*figure);
  for (Interval& interval : limits.intervals) interval = {-kLimit, kLimit};
  std::vector<int> active(static_cast<std::size_t>(links));
  std::iota(active.begin(), active.end(), 0);
  const std::vector<double> rigidities(static_cast<std::size_t>(links), 0.0);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-kLimit, kLimit);
  int reached = 0;
  for (int trial = 0; trial < trials; ++trial) {
    Pose there = restPose(*figure), pose = there;
    for (double& q : there.coordinates) q = uniform(random);
    Kinematics kinematics;
    computeTransforms(*figure, there, kinematics);
    const Eigen::Vector3d target =
        kinematics.worldFromLink[static_cast<std::size_t>(links - 1)] * Eigen::Vector3d::UnitX();
    std::vector<std::unique_ptr<Goal>> goals;
    goals.push_back(
        std::make_unique<PositionGoal>(links - 1, Eigen::Vector3d::UnitX(), target, 1e3, figure->meanLinkLength()));
    const Objective objective(figure, std::move(goals), Regulariser(*figure, pose, 1e-3, rigidities),
                              FeasibleSet(*figure, limits), active);
    Workspace workspace;
    solver.solve(objective, pose, defaultOptions(solver), workspace);
    EXPECT_LT(objective.feasibleSet().violation(pose), 1e-9);
    Evaluation evaluation;
    objective.evaluate(pose, evaluation);
    reached += evaluation.residuals[0].norm() < kReached;
  }
  return reached;
}

TEST(LevenbergMarquardt, ReachesWithinLimitsNearlyWhatTheDefaultReaches) {
  constexpr int kTrials = 200;
  for (const int links : {3, 4, 6}) {
    const int byDefault = countReached(*findSolver("newton"), links, kTrials);
    const int reached = countReached(marquardt, links, kTrials);
    std::printf("%d links: %d reached, %d by default\n", links, reached, byDefault);
    EXPECT_GE(reached, byDefault - kTrials / 50) << links;
  }
}

}  // namespace
}  // namespace limber::levenberg_marquardt_test
