// SPDX-License-Identifier: MIT
// Searches of arms continue from closed forms where the plain solve from the start falls short.
#include "limber/solvers/steps/arm_starts.h"

#include <gtest/gtest.h>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/solvers/batch/batch.h"
#include "limber/solvers/methods/globalised_newton.h"
#include "limber/solvers/methods/multi_start.h"
#include "support/allocation_count.h"
#include "support/built_figure.h"
#include "support/reachable_arm.h"

namespace limber::arm_starts_test {
namespace {

constexpr double kLimit = 2.4;

/// An arm of hinges about random axes, with a spherical wrist if there are six of them.
std::shared_ptr<const Figure> makeRandomArm(int joints, RandomStream& random) {
  FigureBuilder builder("random arm");
  const auto number = [&] { return random.uniform(-1.0, 1.0); };
  for (int i = 0; i < joints; ++i) {
    Link link{.name = "link" + std::to_string(i), .parent = i - 1};
    link.capsules.push_back({Eigen::Vector3d::Zero(), {0.0, 0.3, 0.0}, 0.05});
    Joint joint{.name = "joint" + std::to_string(i), .type = JointType::Revolute};
    const bool isInWrist = joints == 6 && i > 3;
    const Eigen::Vector3d offset(0.3 * number(), 0.4, 0.2 * number());
    joint.parentFromJoint = Transform::fromTranslation(isInWrist ? Eigen::Vector3d::Zero() : offset);
    joint.axis = Eigen::Vector3d(number(), number(), number()).normalized();
    joint.limits = {-kLimit, kLimit};
    builder.addLink(std::move(link), std::move(joint));
  }
  builder.addSite({.name = "tool", .link = joints - 1, .linkFromSite = Transform::fromTranslation({0.0, 0.1, 0.0})});
  return test::built(builder);
}

Pose randomPose(const Figure& figure, RandomStream& random) {
  Pose pose = restPose(figure);
  for (const Joint& joint : figure.joints())
    pose.coordinates[joint.poseIndex] = random.uniform(joint.limits.lower, joint.limits.upper);
  return pose;
}

test::ArmProblem problemOf(const std::shared_ptr<const Figure>& figure, RandomStream& random) {
  test::ArmProblem problem;
  problem.figure = figure;
  problem.start = randomPose(*figure, random);
  problem.target = test::toolOf(*figure, randomPose(*figure, random));
  return problem;
}

bool isMet(const test::ArmProblem& problem, const Pose& pose) {
  const test::ArmError error = test::errorOf(problem, pose);
  return error.position < 1e-5 && error.angle < 1e-5;
}

/// Where the plain solve fails, each pose of the closed form is within the limits and meets the target, the nearest
/// first; the search then needs no random pose.
TEST(ArmStarts, FindWhatThePlainSolveMisses) {
  RandomStream random(31);
  int missed = 0;
  ArmStarts starts;
  for (int trial = 0; trial < 150; ++trial) {
    const test::ArmProblem problem = problemOf(makeRandomArm(6, random), random);
    const Objective objective = test::makeObjective(problem);
    Pose plain = problem.start;
    Workspace workspace;
    const GlobalisedNewtonOptions newton;
    newton.solver().solve(objective, plain, newton, workspace);
    if (isMet(problem, plain)) continue;
    ++missed;
    findArmStarts(objective, problem.start, 3, starts);
    ASSERT_GT(starts.count, 0) << trial << ": the target is that of a pose within the limits";
    double last = 0.0;
    for (int i = 0; i < starts.count; ++i) {
      EXPECT_TRUE(isMet(problem, starts.poses[i])) << trial;
      EXPECT_EQ(objective.feasibleSet().violation(starts.poses[i]), 0.0) << trial;
      const double distance = (starts.poses[i].coordinates - problem.start.coordinates).norm();
      EXPECT_GE(distance, last) << trial;
      last = distance;
    }
    Pose any = problem.start;
    const MultiStartOptions once{.restarts = 1, .answers = 1};
    const Summary summary = once.solver().solve(objective, any, once, workspace);
    EXPECT_TRUE(isMet(problem, any)) << trial;
    EXPECT_LE(summary.restarts, 1);
  }
  EXPECT_GT(missed, 20) << "the plain solve ends in local minima and at limits";
}

TEST(ArmStarts, OfSevenJointsMeetTheTargetWithinTheLimits) {
  RandomStream random(32);
  const auto arm = makeArm();
  ArmStarts starts;
  for (int trial = 0; trial < 200; ++trial) {
    const test::ArmProblem problem = problemOf(arm, random);
    const Objective objective = test::makeObjective(problem);
    findArmStarts(objective, problem.start, 1, starts);
    ASSERT_EQ(starts.count, 1) << trial;
    EXPECT_TRUE(isMet(problem, starts.poses[0])) << trial;
    EXPECT_EQ(objective.feasibleSet().violation(starts.poses[0]), 0.0);
  }
}

TEST(ArmStarts, AreNoneForOtherFiguresAndGoals) {
  RandomStream random(33);
  ArmStarts starts;
  const test::ArmProblem redundant = problemOf(makeRandomArm(9, random), random);
  findArmStarts(test::makeObjective(redundant), redundant.start, 3, starts);
  EXPECT_EQ(starts.count, 0) << "nine joints";
  test::ArmProblem far = problemOf(makeArm(), random);
  far.target.translation.y() += 5.0;
  findArmStarts(test::makeObjective(far), far.start, 3, starts);
  EXPECT_EQ(starts.count, 0) << "out of reach";
}

TEST(ArmStarts, AllocateNothingWhenWarm) {
  RandomStream random(34);
  const test::ArmProblem problem = problemOf(makeArm(), random);
  const Objective objective = test::makeObjective(problem);
  ArmStarts starts;
  findArmStarts(objective, problem.start, 3, starts);
  const long before = test::allocationCount();
  findArmStarts(objective, problem.start, 3, starts);
  EXPECT_EQ(test::allocationCount(), before);
}

/// Without restarts the vector code misses a quarter of the targets of this arm.
TEST(ArmStarts, AnswerTheProblemsThatABatchMisses) {
  RandomStream random(35);
  const auto arm = makeArm();
  const Site& tool = arm->sites()[0];
  const BatchSolver solver(arm, {{tool.link, tool.linkFromSite}});
  BatchProblems problems;
  constexpr int kCount = 200;
  problems.starts.resize(7, kCount);
  for (int i = 0; i < kCount; ++i) {
    const test::ArmProblem problem = problemOf(arm, random);
    problems.starts.col(i) = problem.start.coordinates;
    problems.targets.push_back(problem.target);
  }
  for (const bool polish : {false, true}) {
    BatchAnswers answers;
    solver.solve(problems, {.restarts = 0, .polish = polish}, answers);
    for (int i = 0; i < kCount; ++i) {
      EXPECT_TRUE(answers.answers[i].reached) << i;
      const Eigen::VectorXd pose = answers.poses.col(i);
      for (int j = 0; j < 7; ++j) {
        EXPECT_LE(pose[j], arm->joint(j).limits.upper);
        EXPECT_GE(pose[j], arm->joint(j).limits.lower);
      }
      if (!polish) continue;
      const Transform place = test::toolOf(*arm, Pose{pose});
      EXPECT_LT((place.translation - problems.targets[i].translation).norm(), 2e-9) << i;
    }
  }
}

}  // namespace
}  // namespace limber::arm_starts_test
