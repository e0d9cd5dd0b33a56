// SPDX-License-Identifier: MIT
// "Find any pose": its guarantees for reachable and unreachable targets.
#include "limber/solvers/methods/multi_start.h"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/goals/position_goal.h"
#include "limber/solvers/registry.h"
#include "support/awkward_figure.h"
#include "support/limited_figure.h"
#include "support/reachable_arm.h"

namespace limber::multi_start_test {
namespace {

constexpr double kReached = 1e-5;  // metres, radians: tolerance of the arm's task

const Solver& anyPose() { return *findSolver("multi-start"); }

Summary findPose(const Objective& objective, Pose& pose, const MultiStartOptions& options = {}) {
  Workspace workspace;
  return MultiStartOptions::solver().solve(objective, pose, options, workspace);
}

double distance(const Objective& objective, const Pose& from, const Pose& to) {
  Eigen::VectorXd step;
  difference(objective.figure(), from, to, step);
  return std::sqrt(step.cwiseProduct(objective.metric()).dot(step));
}

/// Every goal that has a weight is met within the solver's own tolerance.
bool meets(const Objective& objective, const Pose& pose) {
  Evaluation evaluation;
  objective.evaluate(pose, evaluation);
  for (std::size_t k = 0; k < evaluation.residuals.size(); ++k)
    if (objective.goals()[k]->weight() > 0.0 && evaluation.residuals[k].norm() > MultiStartOptions{}.tolerance)
      return false;
  return true;
}

class ReachableArm : public testing::TestWithParam<double> {};

TEST_P(ReachableArm, EveryFullPoseIsFoundWithinTwentyRestarts) {
  const auto arm = makeArm();
  RandomStream random(2024);
  for (int trial = 0; trial < 500; ++trial) {
    const test::ArmProblem problem = test::makeArmProblem(arm, random);
    const Objective objective = test::makeObjective(problem, GetParam());
    Pose pose = problem.start;
    const Summary summary = findPose(objective, pose);
    const test::ArmError error = test::errorOf(problem, pose);
    EXPECT_EQ(summary.status, SolveStatus::Converged) << trial;
    EXPECT_LT(error.position, kReached) << trial;
    EXPECT_LT(error.angle, kReached) << trial;
    EXPECT_EQ(objective.feasibleSet().violation(pose), 0.0);
  }
}

// Without a pull, with one as weak as the document's default (1 to 1000), and with one that matters.
INSTANTIATE_TEST_SUITE_P(PullToRest, ReachableArm, testing::Values(0.0, 1e-3, 1e-2));

TEST(MultiStart, ReachesWhatARandomPoseOfAnyFigureReaches) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const auto figure = test::makeLimitedFigure(random, {.links = 4 + trial % 12, .withBalls = trial % 3 != 0});
    const Objective objective = test::makeLimitedObjective(figure, 1, true, random);
    Pose pose = test::randomPose(*figure, random);
    const Summary summary = findPose(objective, pose);
    EXPECT_EQ(summary.status, SolveStatus::Converged) << trial;
    EXPECT_TRUE(meets(objective, pose)) << trial;
    EXPECT_LT(objective.feasibleSet().violation(pose), 1e-9) << trial;
  }
}

TEST(MultiStart, WhereNothingMeetsTheGoalsItIsNoWorseThanTheDefaultSolver) {
  std::mt19937 random(6);
  for (int trial = 0; trial < 100; ++trial) {
    const auto figure = test::makeLimitedFigure(random, {.links = 3 + trial % 8});
    const Objective objective = test::makeLimitedObjective(figure, 3, false, random, trial % 2 == 0);
    const Pose start = test::randomPose(*figure, random);
    Pose any = start, near = start;
    const Summary found = findPose(objective, any);
    if (meets(objective, any)) continue;
    Workspace workspace;
    const Solver& newton = *allSolvers().front();
    const Summary local = newton.solve(objective, near, defaultOptions(newton), workspace);
    EXPECT_LE(found.objective, local.objective) << trial;
    EXPECT_LE(found.objective, found.objectiveBefore) << trial;
  }
}

TEST(MultiStart, APoseThatMeetsTheGoalsStaysAsItIs) {
  RandomStream random(7);
  test::ArmProblem problem = test::makeArmProblem(makeArm(), random);
  const Pose start = problem.start;
  problem.target = test::toolOf(*problem.figure, start);
  const Objective objective = test::makeObjective(problem, 1e-3);
  Pose pose = start;
  const Summary summary = findPose(objective, pose);
  EXPECT_EQ(summary.status, SolveStatus::Converged);
  EXPECT_EQ(summary.iterations(), 0);
  EXPECT_TRUE(pose == start);
}

TEST(MultiStart, TheNearestOfSeveralAnswersWins) {
  RandomStream random(8);
  const auto arm = makeArm();
  int nearer = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const test::ArmProblem problem = test::makeArmProblem(arm, random);
    const Objective objective = test::makeObjective(problem);
    Pose any = problem.start, nearest = problem.start;
    findPose(objective, any, {.answers = 1});
    findPose(objective, nearest, {.answers = 10});
    EXPECT_LE(distance(objective, problem.start, nearest), distance(objective, problem.start, any)) << trial;
    nearer += !(any == nearest);
  }
  EXPECT_GT(nearer, 10) << "the first run cannot have found all of them";
}

TEST(MultiStart, TheSeedDecidesTheRestarts) {
  std::mt19937 random(9);
  int different = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const auto figure = test::makeLimitedFigure(random, {.links = 9 + trial % 6});
    const Objective objective = test::makeLimitedObjective(figure, 2, true, random);  // two goals: no closed form
    Pose one = test::randomPose(*figure, random), again = one, other = one;
    findPose(objective, one, {.seed = 4});
    findPose(objective, again, {.seed = 4});
    findPose(objective, other, {.seed = 5});
    EXPECT_TRUE(one == again);
    different += !(one == other);
  }
  EXPECT_GT(different, 0);
}

TEST(MultiStart, SlicesGiveTheSameBitsThroughRestarts) {
  RandomStream random(10);
  const auto arm = makeArm();
  for (int trial = 0; trial < 40; ++trial) {
    test::ArmProblem problem = test::makeArmProblem(arm, random);
    if (trial % 4 == 0) problem.target.translation.y() += 2.0;  // out of reach: through every restart
    const Objective objective = test::makeObjective(problem, 1e-3);
    Pose whole = problem.start, sliced = problem.start;
    const Summary once = findPose(objective, whole);
    Workspace workspace;
    Summary summary;
    Start begin = Start::Here;
    double last = std::numeric_limits<double>::infinity();
    do {
      summary = anyPose().solve(objective, sliced, defaultOptions(anyPose()), workspace, {1 + trial % 7}, begin);
      begin = Start::Resume;
      EXPECT_TRUE(summary.objective <= last || meets(objective, sliced));
      last = summary.objective;
    } while (summary.status == SolveStatus::BudgetSpent);
    EXPECT_TRUE(whole == sliced) << trial;
    EXPECT_EQ(summary.iterations(), once.iterations());
    EXPECT_EQ(summary.status, once.status);
  }
}

// Its iterates are not evaluated (solvers/methods/planar_newton.h): the first run must not be left as if it had met the
// goals.
TEST(MultiStart, TakesPlanarChains) {
  const Objective objective = test::makeChainObjective(6, {2.0, 1.5, 0.0});
  Pose pose = restPose(objective.figure());
  const Summary summary = findPose(objective, pose);
  EXPECT_EQ(summary.status, SolveStatus::Converged);
  EXPECT_GT(summary.phases[0].iterations, 1);
  EXPECT_EQ(summary.phases[1].iterations, 0) << "no restart is needed";
  EXPECT_TRUE(meets(objective, pose));
}

// The first run is stopped when it makes no progress, and continues if the restarts have found nothing.
TEST(MultiStart, GoesOnWithPlanarChainsThatWereLeft) {
  std::mt19937 random(8);
  int restarted = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Objective objective = test::makeChainObjective(3 + trial % 8, {12.0, 5.0, 0.0});
    Pose any = test::randomPose(objective.figure(), random), near = any;
    const Summary found = findPose(objective, any);
    Workspace workspace;
    const Solver& newton = *allSolvers().front();
    const Summary local = newton.solve(objective, near, defaultOptions(newton), workspace);
    EXPECT_LE(found.objective, local.objective + 1e-9 * local.objective) << trial;
    restarted += found.phases[1].iterations > 0;
  }
  EXPECT_GT(restarted, 50);
}

TEST(MultiStart, GoalsWithoutWeightAreNotAskedFor) {
  const Objective objective = test::makeChainObjective(4, {1, 1, 0}, 0.0);
  Pose pose = restPose(objective.figure());
  pose.coordinates.setConstant(0.5);
  const Summary summary = findPose(objective, pose);
  EXPECT_EQ(summary.status, SolveStatus::Converged);
  EXPECT_LT(pose.coordinates.cwiseAbs().maxCoeff(), 1e-9) << "the pull to rest alone counts";
  EXPECT_EQ(summary.phases[1].iterations, 0);
}

TEST(RandomPose, IsUniformWithinLimitsAndLeavesTheRestAlone) {
  std::mt19937 random(11);
  const auto figure = test::makeLimitedFigure(random, {.links = 12});
  const Objective objective = test::makeLimitedObjective(figure, 2, true, random);
  const Pose around = test::randomPose(*figure, random);
  Evaluation evaluation;
  Eigen::VectorXd gradient;
  FreeSpace space;
  objective.evaluate(around, evaluation);
  objective.computeGradient(evaluation, gradient);
  objective.feasibleSet().findFreeSpace(around, gradient, space);
  RandomStream stream(3);
  Pose pose;
  for (int trial = 0; trial < 200; ++trial) {
    randomizePose(objective, space, around, stream, pose);
    EXPECT_TRUE(isValid(*figure, pose));
    EXPECT_LT(objective.feasibleSet().violation(pose), 1e-9);
  }
}

TEST(RandomPose, FillsTheArmsIntervalsEvenly) {
  RandomStream random(12);
  const test::ArmProblem problem = test::makeArmProblem(makeArm(), random);
  const Objective objective = test::makeObjective(problem);
  constexpr int kPoses = 4000;
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(7), square = mean;
  Pose pose;
  for (int trial = 0; trial < kPoses; ++trial) {
    randomizePose(objective, {}, problem.start, random, pose);
    for (int j = 0; j < 7; ++j) {
      const double u = pose.coordinates[j] / problem.figure->joint(j).limits.upper;  // the limits are symmetric
      EXPECT_LE(std::abs(u), 1.0);
      mean[j] += u / kPoses;
      square[j] += u * u / kPoses;
    }
  }
  for (int j = 0; j < 7; ++j) {  // of a uniform number: 0 and 1/3, within four standard deviations
    EXPECT_NEAR(mean[j], 0.0, 4.0 * std::sqrt(1.0 / 3.0 / kPoses));
    EXPECT_NEAR(square[j], 1.0 / 3.0, 4.0 * std::sqrt(4.0 / 45.0 / kPoses));
  }
}

}  // namespace
}  // namespace limber::multi_start_test
