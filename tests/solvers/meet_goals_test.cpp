// SPDX-License-Identifier: MIT
// Goals that are missed because of a pull are met without it, near the pulled pose and within the limits.
#include "limber/solvers/steps/meet_goals.h"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/solvers/registry.h"
#include "support/allocation_count.h"
#include "support/awkward_figure.h"
#include "support/reachable_arm.h"

namespace limber::meet_goals_test {
namespace {

constexpr double kMet = 1e-5;  // metres, radians

/// The result of the default solver with the pull.
Pose pulledPose(const Objective& objective, Pose pose) {
  Workspace workspace;
  const Solver& newton = *findSolver("newton");
  newton.solve(objective, pose, defaultOptions(newton), workspace);
  return pose;
}

/// A target that the arm reaches with its elbow nearly straight, where a pull has the largest effect; the start, to
/// which it pulls, is near the pose that does.
test::ArmProblem nearlyStraight(const std::shared_ptr<const Figure>& arm, RandomStream& random, double bend) {
  Pose there = test::uniformPose(*arm, random), start = there;
  there.coordinates[arm->joint(arm->findJoint("elbow")).poseIndex] = bend;
  Pose goal = there;
  for (int j = 0; j < 7; ++j) start.coordinates[j] = there.coordinates[j] + random.uniform(-0.4, 0.4);
  FeasibleSet(*arm, limitsOf(*arm)).project(start);
  return {arm, start, test::toolOf(*arm, goal)};
}

TEST(MeetGoals, MeetsWhatAPullKeepsFromBeingMet) {
  const auto arm = makeArm();
  RandomStream random(31);
  int missed = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const test::ArmProblem problem = test::makeArmProblem(arm, random);
    const Objective objective = test::makeObjective(problem, 1e-2);
    Pose near = problem.start;  // the pulled minimum that belongs to an answer
    Workspace workspace;
    const Solver& anyPose = *findSolver("multi-start");
    anyPose.solve(objective, near, defaultOptions(anyPose), workspace);
    const Pose pulled = pulledPose(objective, near);
    const test::ArmError before = test::errorOf(problem, pulled);
    if (before.position > 0.05 || before.angle > 0.05) continue;  // it went to another minimum
    missed += before.position > kMet || before.angle > kMet;
    Pose pose = pulled;
    MeetGoalsWorkspace meeting;
    const MeetGoalsSummary summary = meetGoals(objective, pose, {}, meeting);
    const test::ArmError error = test::errorOf(problem, pose);
    EXPECT_TRUE(summary.met) << trial;
    EXPECT_LT(error.position, kMet) << trial;
    EXPECT_LT(error.angle, kMet) << trial;
    EXPECT_EQ(objective.feasibleSet().violation(pose), 0.0);
  }
  EXPECT_GT(missed, 100) << "the pull cannot have kept many";
}

// The steps must be damped by several powers of ten in a row there, before one helps.
TEST(MeetGoals, MeetsThemBesideAStraightElbow) {
  const auto arm = makeArm();
  for (const double bend : {0.3, 0.1, 0.03}) {
    RandomStream random(32);
    int met = 0;
    for (int trial = 0; trial < 100; ++trial) {
      const test::ArmProblem problem = nearlyStraight(arm, random, bend);
      const Objective objective = test::makeObjective(problem, 1e-3);
      Pose pose = pulledPose(objective, problem.start);
      MeetGoalsWorkspace meeting;
      met += meetGoals(objective, pose, {}, meeting).met;
    }
    EXPECT_EQ(met, 100) << bend;
  }
}

TEST(MeetGoals, EndsNearestToTheReferenceToFirstOrder) {
  // A planar arm of three with one point to meet: the answers are a curve, and the nearest one has no slope along it.
  const Objective objective = test::makeChainObjective(3, {1.7, 1.4, 0.0}, 1e2);
  const Pose pulled = pulledPose(objective, restPose(objective.figure()));
  Pose pose = pulled;
  MeetGoalsWorkspace meeting;
  ASSERT_TRUE(meetGoals(objective, pose, {.tolerance = 1e-12}, meeting).met);
  Evaluation evaluation;
  Eigen::VectorXd gradient;
  objective.evaluate(pose, evaluation);
  objective.computeGradient(evaluation, gradient);
  Eigen::MatrixXd jacobian(2, 3);  // by central differences
  for (int j = 0; j < 3; ++j) {
    Evaluation forward, backward;
    Pose there = pose, here = pose;
    there.coordinates[j] += 1e-6;
    here.coordinates[j] -= 1e-6;
    objective.evaluate(there, forward);
    objective.evaluate(here, backward);
    jacobian.col(j) = (forward.residuals[0] - backward.residuals[0]).head<2>() / 2e-6;
  }
  const Eigen::Vector3d along = jacobian.row(0).transpose().head<3>().cross(jacobian.row(1).transpose().head<3>());
  const Eigen::VectorXd offset = pose.coordinates - restPose(objective.figure()).coordinates;
  EXPECT_LT(std::abs(along.normalized().dot(offset.head<3>())), 1e-3 * offset.norm());
}

TEST(MeetGoals, WhatIsOutOfReachLeavesThePoseAsItIs) {
  const Objective objective = test::makeChainObjective(4, {9.0, 1.0, 0.0});
  const Pose pulled = pulledPose(objective, restPose(objective.figure()));
  Pose pose = pulled;
  MeetGoalsWorkspace meeting;
  const MeetGoalsSummary summary = meetGoals(objective, pose, {}, meeting);
  EXPECT_FALSE(summary.met);
  EXPECT_GT(summary.missed, 4.0);
  EXPECT_LE(summary.iterations, MeetGoalsOptions{}.maxIterations);
  EXPECT_TRUE(pose == pulled);
}

TEST(MeetGoals, TheShiftsOfHardGoalsAreNoPartOfWhatIsMet) {
  Objective objective = test::makeChainObjective(4, {2.0, 1.5, 0.0}, 10.0);
  Residual shift;
  shift.setConstant(objective.goals()[0]->residualSize(), 0.2);
  objective.setResidualShift(0, shift);
  Pose pose = pulledPose(objective, restPose(objective.figure()));
  Evaluation evaluation;
  objective.evaluate(pose, evaluation);
  EXPECT_GT(missedBy(objective, evaluation), 0.05);
  MeetGoalsWorkspace meeting;
  ASSERT_TRUE(meetGoals(objective, pose, {}, meeting).met);
  objective.evaluate(pose, evaluation);
  EXPECT_LT(missedBy(objective, evaluation), MeetGoalsOptions{}.tolerance);
  EXPECT_NEAR((evaluation.residuals[0] - shift).norm(), 0.0, MeetGoalsOptions{}.tolerance);
}

TEST(MeetGoals, GoalsWithoutWeightAndAPoseThatMeetsThemTakeNoStep) {
  const Objective objective = test::makeChainObjective(4, {1.0, 1.0, 0.0}, 0.0);
  Pose pose = restPose(objective.figure());
  pose.coordinates.setConstant(0.5);
  const Pose before = pose;
  MeetGoalsWorkspace meeting;
  EXPECT_EQ(meetGoals(objective, pose, {}, meeting).iterations, 0);
  EXPECT_TRUE(pose == before);
  const test::ArmProblem problem{makeArm(), restPose(*makeArm()), test::toolOf(*makeArm(), restPose(*makeArm()))};
  const Objective met = test::makeObjective(problem, 1e-3);
  Pose there = problem.start;
  EXPECT_TRUE(meetGoals(met, there, {}, meeting).met);
  EXPECT_TRUE(there == problem.start);
}

TEST(MeetGoals, AllocatesNothingWhenWarm) {
  RandomStream random(33);
  const test::ArmProblem problem = test::makeArmProblem(makeArm(), random);
  const Objective objective = test::makeObjective(problem, 1e-2);
  const Pose pulled = pulledPose(objective, problem.start);
  Pose pose = pulled;
  MeetGoalsWorkspace meeting;
  meetGoals(objective, pose, {}, meeting);
  pose = pulled;
  const std::size_t before = test::allocationCount();
  meetGoals(objective, pose, {}, meeting);
  EXPECT_EQ(test::allocationCount(), before);
}

}  // namespace
}  // namespace limber::meet_goals_test
