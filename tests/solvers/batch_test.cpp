// SPDX-License-Identifier: MIT
// Many problems at once: each is solved as if it were alone, and no answer is called reached wrongly.
#include "limber/solvers/batch/batch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "limber/kinematics/figure_builder.h"
#include "support/built_figure.h"
#include "support/reachable_arm.h"

namespace limber::batch_test {
namespace {

/// Reachable full poses of the arm from random starts.
BatchProblems armProblems(int count, std::uint64_t seed) {
  const auto arm = makeArm();
  RandomStream random(seed);
  BatchProblems problems;
  problems.starts.resize(7, count);
  for (int i = 0; i < count; ++i) {
    const test::ArmProblem problem = test::makeArmProblem(arm, random);
    problems.starts.col(i) = problem.start.coordinates;
    problems.targets.push_back(problem.target);
  }
  return problems;
}

BatchSolver armSolver() {
  const auto arm = makeArm();
  const Site& tool = arm->sites()[0];
  return BatchSolver(arm, {{tool.link, tool.linkFromSite}});
}

int reachedCount(const BatchAnswers& answers) {
  int count = 0;
  for (const BatchAnswer& answer : answers.answers) count += answer.reached;
  return count;
}

/// Links on hinges about random axes and two slides, forked after the second.
std::shared_ptr<const Figure> makeFork(RandomStream& random) {
  FigureBuilder builder("fork");
  for (int i = 0; i < 9; ++i) {
    Link link{.name = "link" + std::to_string(i), .parent = i == 5 ? 1 : i - 1};
    link.capsules.push_back({Eigen::Vector3d::Zero(), {0.0, 0.3, 0.0}, 0.05});
    Joint joint{.name = "joint" + std::to_string(i),
                .type = i == 3 || i == 7 ? JointType::Prismatic : JointType::Revolute};
    joint.parentFromJoint = Transform::fromTranslation({0.0, i > 0 ? 0.3 : 0.1, 0.02 * i});
    joint.axis = Eigen::Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.1, 1)).normalized();
    joint.limits = joint.type == JointType::Prismatic ? Interval{-0.1, 0.2} : Interval{-2.0, 2.4};
    if (i == 2) joint.limits = {};
    builder.addLink(std::move(link), std::move(joint));
  }
  return test::built(builder);
}

class Precision : public testing::TestWithParam<bool> {};

TEST_P(Precision, FindsEveryReachableFullPoseOfTheArm) {
  constexpr int kCount = 3000;
  const BatchProblems problems = armProblems(kCount, 21);
  const BatchSolver solver = armSolver();
  ASSERT_EQ(solver.refusal(), "");
  BatchOptions options;
  options.doublePrecision = GetParam();
  ASSERT_EQ(solver.fault(problems, options), "");
  BatchAnswers answers;
  solver.solve(problems, options, answers);
  EXPECT_GE(reachedCount(answers), kCount * 999 / 1000);
  const auto arm = makeArm();
  for (int i = 0; i < kCount; ++i) {
    const Pose pose{answers.poses.col(i)};
    const test::ArmError error = test::errorOf({arm, pose, problems.targets[static_cast<std::size_t>(i)]}, pose);
    const BatchAnswer& answer = answers.answers[static_cast<std::size_t>(i)];
    EXPECT_NEAR(error.position, answer.positionError, 1e-12);
    EXPECT_NEAR(error.angle, answer.angleError, 1e-9);
    EXPECT_EQ(answer.reached, error.position <= options.positionTolerance && error.angle <= options.angleTolerance);
    for (int j = 0; j < 7; ++j) {
      EXPECT_GE(pose.coordinates[j], arm->joint(j).limits.lower);
      EXPECT_LE(pose.coordinates[j], arm->joint(j).limits.upper);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(SingleAndDouble, Precision, testing::Bool());

TEST(Batch, PolishesToTheLastDigits) {
  const BatchProblems problems = armProblems(500, 22);
  BatchOptions options;
  options.polish = true;
  options.positionTolerance = options.angleTolerance = 1e-8;
  BatchAnswers answers;
  armSolver().solve(problems, options, answers);
  EXPECT_GE(reachedCount(answers), 499);
}

TEST(Batch, NeitherNeighboursNorThreadsChangeTheBits) {
  constexpr int kCount = 700;
  const BatchProblems problems = armProblems(kCount, 23);
  const BatchSolver solver = armSolver();
  BatchAnswers one, four;
  BatchOptions options;
  solver.solve(problems, options, one);
  options.threads = 4;
  solver.solve(problems, options, four);
  EXPECT_TRUE(one.poses == four.poses);
  // Only the first problems, so that each shares its register with other problems than before.
  BatchProblems few{problems.starts.leftCols(3), {problems.targets.begin(), problems.targets.begin() + 3}};
  BatchAnswers alone;
  solver.solve(few, options, alone);
  EXPECT_TRUE(alone.poses == one.poses.leftCols(3));
}

TEST(Batch, TheSameProblemHasTheSameAnswerAtEveryPlace) {
  const BatchProblems some = armProblems(40, 28);
  const BatchSolver solver = armSolver();
  BatchProblems problems;  // each problem at 600 indices, next to others
  problems.starts.resize(7, 600);
  for (int i = 0; i < 600; ++i) {
    problems.starts.col(i) = some.starts.col(i % 40);
    problems.targets.push_back(some.targets[static_cast<std::size_t>(i % 40)]);
  }
  BatchAnswers answers;
  solver.solve(problems, {}, answers);
  int restarted = 0;
  for (int i = 0; i < 600; ++i) {
    EXPECT_TRUE(answers.poses.col(i) == answers.poses.col(i % 40)) << i;
    restarted += answers.answers[static_cast<std::size_t>(i)].restarts > 0;
  }
  EXPECT_GT(restarted, 0) << "no restart tells one place from another";
}

/// The arm with a gripper of two fingers next to its tool; the second finger follows the first.
std::shared_ptr<const Figure> makeGripper() {
  FigureBuilder builder("gripper");
  for (int i = 0; i < 6; ++i) {
    const bool isFinger = i >= 4;
    Link link{.name = "link" + std::to_string(i), .parent = isFinger ? 3 : i - 1};
    Joint joint{.name = "joint" + std::to_string(i), .type = isFinger ? JointType::Prismatic : JointType::Revolute};
    joint.parentFromJoint = Transform::fromTranslation({0.0, i > 0 ? 0.3 : 0.0, 0.0});
    joint.axis = i % 2 == 0 ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitX();
    joint.limits = isFinger ? Interval{0.0, 0.04} : Interval{-2.0, 2.0};
    builder.addLink(std::move(link), std::move(joint));
  }
  builder.addCoupling({.name = "mimic", .follower = 5, .terms = {{.driver = 4, .coefficients = {1, 0, 0, 0}}}});
  return test::built(builder);
}

TEST(Batch, LeavesOutCouplingsThatMoveNoGoal) {
  const auto figure = makeGripper();
  const Transform tip = Transform::fromTranslation({0.0, 0.2, 0.0});
  EXPECT_EQ(BatchSolver(figure, {{3, tip, true, false}}).refusal(), "");
  EXPECT_EQ(BatchSolver(figure, {{5, tip, true, false}}).refusal(), "joint joint5 follows others");
  EXPECT_EQ(BatchSolver(figure, {{4, tip, true, false}}).refusal(), "joint joint5 follows others");
}

TEST(Batch, APolishLosesNoAnswerAndKeepsItsWord) {
  const BatchProblems problems = armProblems(3000, 29);
  const BatchSolver solver = armSolver();
  BatchAnswers plain, polished;
  solver.solve(problems, {}, plain);
  solver.solve(problems, {.polish = true}, polished);
  for (std::size_t i = 0; i < 3000; ++i) {
    EXPECT_TRUE(polished.answers[i].reached || !plain.answers[i].reached) << i;
    if (!polished.answers[i].reached) continue;
    EXPECT_LE(polished.answers[i].positionError, 1e-9) << i;
    EXPECT_LE(polished.answers[i].angleError, 1e-9) << i;
  }
}

TEST(Batch, CountsTheRestartsOfWhatIsSolvedOneByOne) {
  const auto figure = makeBallChain(3);
  const BatchSolver solver(figure, {{2, Transform::fromTranslation({0.0, 1.0, 0.0}), true, false}});
  BatchProblems problems{restPose(*figure).coordinates, {Transform::fromTranslation({50.0, 0.0, 0.0})}};
  BatchAnswers answers;
  solver.solve(problems, {.restarts = 7}, answers);
  EXPECT_FALSE(answers.answers[0].reached);
  EXPECT_EQ(answers.answers[0].restarts, 7);
}

TEST(Batch, TakesTreesOfHingesAndSlidesWithSeveralGoals) {
  RandomStream random(24);
  const auto figure = makeFork(random);
  Kinematics kinematics;
  const Transform hand = Transform::fromTranslation({0.0, 0.25, 0.0});
  const BatchSolver solver(figure, {{4, hand, true, false}, {8, hand, true, false}, {1, Transform{}, false, true}});
  ASSERT_EQ(solver.refusal(), "");
  constexpr int kCount = 300;
  BatchProblems problems;
  problems.starts.resize(figure->poseSize(), kCount);
  for (int i = 0; i < kCount; ++i) {
    Pose start = restPose(*figure), there = start;
    for (const Joint& joint : figure->joints()) {
      const double low = std::max(joint.limits.lower, -3.0), high = std::min(joint.limits.upper, 3.0);
      start.coordinates[joint.poseIndex] = random.uniform(low, high);
      there.coordinates[joint.poseIndex] = random.uniform(low, high);
    }
    problems.starts.col(i) = start.coordinates;
    computeTransforms(*figure, there, kinematics);
    problems.targets.push_back(kinematics.worldFromLink[4] * hand);
    problems.targets.push_back(kinematics.worldFromLink[8] * hand);
    problems.targets.push_back(kinematics.worldFromLink[1]);
  }
  BatchAnswers answers;
  solver.solve(problems, {.restarts = 100}, answers);  // two hinges with exact angles, below two hands
  EXPECT_GE(reachedCount(answers), kCount * 99 / 100);
}

TEST(Batch, SaysWhyItSolvesOneByOneAndDoes) {
  const auto figure = makeBallChain(4);
  const BatchSolver solver(figure, {{3, Transform::fromTranslation({0.0, 1.0, 0.0}), true, false}});
  EXPECT_EQ(solver.refusal(), "joint joint0 is a ball joint");
  BatchProblems problems;
  problems.starts = restPose(*figure).coordinates.replicate(1, 3);
  for (const double x : {1.0, 2.0, 3.0}) problems.targets.push_back(Transform::fromTranslation({x, 0.5, -1.0}));
  BatchAnswers answers;
  solver.solve(problems, {}, answers);
  EXPECT_EQ(reachedCount(answers), 3);
}

TEST(Batch, WhatIsOutOfReachIsNotReachedAndStaysFinite) {
  BatchProblems problems = armProblems(40, 25);
  for (std::size_t i = 0; i < problems.targets.size(); i += 2) problems.targets[i].translation *= 50.0;
  BatchAnswers answers;
  armSolver().solve(problems, {}, answers);
  EXPECT_TRUE(answers.poses.allFinite());
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(answers.answers[i].reached, i % 2 == 1) << i;
}

TEST(Batch, NamesWhatIsWrong) {
  BatchProblems problems = armProblems(3, 26);
  const BatchSolver solver = armSolver();
  problems.targets[1].translation.x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(solver.fault(problems, {}).find("target of problem 1"), std::string::npos);
  problems = armProblems(3, 26);
  problems.starts(2, 2) = std::numeric_limits<double>::infinity();
  EXPECT_NE(solver.fault(problems, {}).find("start of problem 2"), std::string::npos);
  problems = armProblems(3, 26);
  problems.targets.pop_back();
  EXPECT_NE(solver.fault(problems, {}).find("one target"), std::string::npos);
  problems = armProblems(3, 26);
  EXPECT_NE(solver.fault(problems, {.positionTolerance = 0.0}), "");
}

TEST(Batch, AnEmptyBatchAndAnEarlyEndAreFine) {
  const BatchSolver solver = armSolver();
  BatchAnswers answers;
  solver.solve({Eigen::MatrixXd(7, 0), {}}, {}, answers);
  EXPECT_TRUE(answers.answers.empty());
  const BatchProblems problems = armProblems(2000, 27);
  solver.solve(problems, {}, answers, [] { return false; });
  EXPECT_TRUE(answers.answers.front().isSolved);
  EXPECT_FALSE(answers.answers.back().isSolved);
}

}  // namespace
}  // namespace limber::batch_test
