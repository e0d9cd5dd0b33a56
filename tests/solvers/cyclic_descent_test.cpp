// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/cyclic_descent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "limber/goals/orientation_goal.h"
#include "limber/goals/position_goal.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/solvers/registry.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"
#include "support/limited_figure.h"
#include "support/random_chain.h"
#include "support/repetitions.h"

namespace limber::cyclic_descent_test {
namespace {

const auto& ccd = CyclicDescentOptions::solver();

Summary sweeps(const Objective& objective, Pose& pose, int count) {
  Workspace workspace;
  return ccd.solve(objective, pose, CyclicDescentOptions{}, workspace, {count});
}

TEST(CyclicDescent, ReachesRandomTargetsOfRandomChains) {
  const auto shares = test::sharesReached([](const Objective& objective, Pose& pose) { sweeps(objective, pose, 300); });
  EXPECT_GE(shares.ballChains, 0.95);
  EXPECT_GE(shares.planarChains, 0.95);
  EXPECT_GE(shares.forks, 0.95);
}

/// Single joints: after one sweep of a single hinge, slide or ball f is minimal.
TEST(CyclicDescent, OneJointAloneIsPutAtItsMinimum) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int trial = 0; trial < 300; ++trial) {
    const JointType type = trial % 3 == 0   ? JointType::Revolute
                           : trial % 3 == 1 ? JointType::Prismatic
                                            : JointType::Ball;
    FigureBuilder builder("one");
    Joint joint{.name = "joint", .type = type};
    if (type != JointType::Ball && trial % 2 == 0) joint.limits = {-0.4, 0.7};
    const int link = builder.addLink({.name = "link"}, joint);
    builder.addSite({.name = "tip", .link = link, .linkFromSite = Transform::fromTranslation({1, 0.2, 0.1})});
    std::shared_ptr<const Figure> figure = test::built(builder);
    std::vector<std::unique_ptr<Goal>> goals;
    for (int k = 0; k < 1 + trial % 4; ++k) {
      const double a = uniform(random), b = uniform(random), c = uniform(random), d = uniform(random);
      goals.push_back(
          std::make_unique<PositionGoal>(link, Eigen::Vector3d(1, a, b), Eigen::Vector3d(c, d, 2 * a), 10.0, 1.0));
    }
    std::vector<int> active;
    for (int c = 0; c < figure->stepSize(); ++c) active.push_back(c);
    const double pull = trial % 5 == 0 ? 0.0 : 3.0;
    const Objective objective(figure, std::move(goals),
                              Regulariser(*figure, test::randomPose(*figure, random), pull, std::vector<double>{0.0}),
                              FeasibleSet(*figure, limitsOf(*figure)), active);
    Pose pose = test::randomPose(*figure, random);
    const Summary summary = sweeps(objective, pose, type == JointType::Ball && pull > 0.0 ? 5 : 1);
    EXPECT_LT(summary.gradientNorm, 1e-6) << trial;
    Pose other = test::randomPose(*figure, random);  // the global minimum, not just one
    const Summary again = sweeps(objective, other, 5);
    if (pull == 0.0) {
      EXPECT_NEAR(again.objective, summary.objective, 1e-9 * (1.0 + summary.objective)) << trial;
    }
  }
}

TEST(CyclicDescent, EndsWhereNewtonSaysThatItIsAMinimum) {
  std::mt19937 random(5);
  CyclicDescentOptions options;
  options.maxIterations = 20000;
  options.tolerance = 1e-9;
  for (int trial = 0; trial < 12; ++trial) {
    auto [objective, pose] = test::makeForkProblem(2 + trial % 3, random, 200.0);  // a weak pull converges slowly
    Workspace workspace;
    const Summary summary = ccd.solve(objective, pose, options, workspace);
    EXPECT_LT(summary.gradientNorm, 1e-3) << solveStatusName(summary.status);  // of a gradient of thousands
    const Solver& newton = *findSolver("newton");
    const double before = summary.objective;
    const Summary polished = newton.solve(objective, pose, defaultOptions(newton), workspace);
    EXPECT_NEAR(polished.objective, before, 1e-6 * before) << trial;
  }
}

TEST(CyclicDescent, KeepsLimitsAndEndsAtKuhnTuckerPoints) {
  std::mt19937 random(6);
  CyclicDescentOptions options;
  options.maxIterations = 20000;
  options.tolerance = 1e-9;
  const int kTrials = test::repetitions(100, 20);
  int stationary = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto figure = test::makeLimitedFigure(
        random,
        {.links = 2 + trial % 8, .withBalls = trial % 2 == 0, .withCouplings = false, .withLinearLimits = false});
    const Objective objective = test::makeLimitedObjective(figure, 1 + trial % 3, trial % 4 < 2, random);
    Pose pose = test::randomPose(*figure, random);
    Workspace workspace;
    const Summary summary = ccd.solve(objective, pose, options, workspace);
    ASSERT_NE(summary.status, SolveStatus::BadInput);
    EXPECT_LT(objective.feasibleSet().violation(pose), 1e-9);
    for (std::size_t i = 1; i < workspace.history.size(); ++i)
      EXPECT_LE(workspace.history[i].objective, workspace.history[i - 1].objective);
    if (summary.gradientNorm < 1e-3) ++stationary;
  }
  std::printf("%d of %d at Kuhn-Tucker points\n", stationary, kTrials);
  EXPECT_GE(stationary, kTrials * 95 / 100);
}

TEST(CyclicDescent, StretchesStraightAtATargetOutOfReach) {
  std::mt19937 random(7);
  CyclicDescentOptions options;
  options.maxIterations = 100000;
  options.tolerance = 1e-10;
  const Objective objective = test::makeChainObjective(4, {5.0, 6.0, 0.0}, 1e3, 0.0);
  Pose pose = test::randomPose(objective.figure(), random);
  Workspace workspace;
  ccd.solve(objective, pose, options, workspace);
  EXPECT_NEAR(std::remainder(pose.coordinates[0] - std::atan2(6.0, 5.0), 2.0 * std::numbers::pi), 0.0, 1e-4);
  for (int i = 1; i < 4; ++i) EXPECT_NEAR(std::remainder(pose.coordinates[i], 2.0 * std::numbers::pi), 0.0, 1e-4);
}

TEST(CyclicDescent, RefusesWhatItCannotMoveOrMeet) {
  std::mt19937 random(8);
  const Objective awkward = test::makeRandomObjective(test::makeAwkwardFigure(), test::kAwkwardTips, random);
  EXPECT_EQ(ccd.refusal(awkward), "CCD moves hinges, slides and ball joints; joint float is free");
  test::ObjectiveOptions options;
  options.furtherGoals.push_back(std::make_unique<OrientationGoal>(
      5, Eigen::Matrix3d::Identity(), Eigen::Matrix3d::Identity(), std::array<double, 2>{1, 1}, 1.0));
  const Objective turned =
      test::makeRandomObjective(test::makeBallTree(), test::kBallTreeTips, random, std::move(options));
  EXPECT_EQ(ccd.refusal(turned), "CCD meets position goals; the goal on left hand is of another kind");
  FigureBuilder builder("coupled");
  const Joint hinge{.name = "driver", .type = JointType::Revolute};
  const int first = builder.addLink({.name = "first"}, hinge);
  const int second =
      builder.addLink({.name = "second", .parent = first}, {.name = "follower", .type = JointType::Revolute});
  builder.addCoupling({.name = "pair", .follower = second, .terms = {{first, {1, 0, 0, 0}}}});
  std::shared_ptr<const Figure> coupled = test::built(builder);
  const Objective follows = test::makeRandomObjective(coupled, std::vector<int>{1}, random);
  EXPECT_EQ(ccd.refusal(follows), "CCD moves joints one by one; joint follower follows others");
}

}  // namespace
}  // namespace limber::cyclic_descent_test
