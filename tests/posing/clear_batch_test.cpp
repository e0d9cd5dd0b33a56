// SPDX-License-Identifier: MIT
#include "limber/posing/clear_batch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>

#include "limber/kinematics/standard_figures.h"
#include "limber/posing/posed_problem.h"
#include "limber/problem/goal_error.h"
#include "posing/apart.h"

namespace limber::clear_batch_test {
namespace {

using V = Eigen::Vector3d;

constexpr Eigen::Index kCount = 120;

/// An arm among a ball and a box, and targets of its tool from random poses.
struct Batch {
  IkProblem problem = makeIkProblem(makeArm());
  std::vector<BatchGoal> goals;
  BatchProblems problems;
  BatchOptions options{.restarts = 20, .polish = true, .threads = 1};

  Batch() {
    const Figure& figure = *problem.figure;
    const Site& tool = figure.sites()[0];
    goals = {{.link = tool.link, .linkFromFrame = tool.linkFromSite, .orientation = false}};
    problem.solver.reachedDistance = options.positionTolerance;
    addObstacle(problem, makeSphere({0.35, 0.6, 0.2}, 0.15, "ball"));
    addObstacle(
        problem,
        {.name = "box", .worldFromObstacle = Transform::fromTranslation({-0.35, 0.5, 0.1}), .size = V(0.2, 0.6, 0.3)});
    std::mt19937 random(3);
    for (Eigen::Index i = 0; i < kCount; ++i) {
      Pose pose = restPose(figure);
      for (const Joint& joint : figure.joints())
        pose.coordinates[joint.poseIndex] =
            std::uniform_real_distribution<double>(joint.limits.lower, joint.limits.upper)(random);
      problems.targets.push_back(transformsOf(figure, pose).worldFromLink[tool.link] * tool.linkFromSite);
    }
    problems.starts = problem.pose.coordinates.replicate(1, kCount);
  }
  BatchAnswers solvePlainly() const {
    const BatchSolver solver(problem.figure, goals);
    BatchAnswers answers;
    solver.solve(problems, options, answers);
    return answers;
  }
  Eigen::Index keepClear(BatchAnswers& answers, const std::function<bool()>& goesOn = {}) const {
    return limber::keepClear(
        problem, problems, options,
        [&](Eigen::Index i) { return goalItemsOf(goals, std::span(problems.targets).subspan(i, 1)); }, answers, goesOn);
  }
  double apart(const Eigen::VectorXd& pose) const {
    const Kinematics kinematics = transformsOf(*problem.figure, Pose{pose});
    double least = 1.0;
    for (int link = 0; link < problem.figure->linkCount(); ++link)
      for (const Obstacle& obstacle : problem.obstacles)
        least = std::min(least, test::apart(*problem.figure, kinematics, link, obstacle));
    return least;
  }
};

TEST(ClearBatch, CollidingAnswersAreSolvedAnewAndTheOthersStay) {
  for (const double safety : {0.0, 0.03}) {
    Batch batch;
    batch.problem.safetyDistance = safety;
    const BatchAnswers before = batch.solvePlainly();
    BatchAnswers after = before;
    const Eigen::Index solved = batch.keepClear(after);
    int reached = 0, changed = 0;
    for (Eigen::Index i = 0; i < kCount; ++i) {
      const bool wasClear = batch.apart(before.poses.col(i)) > safety;
      EXPECT_TRUE(after.answers[i].isSolved);
      if (wasClear) {
        EXPECT_EQ(after.poses.col(i), before.poses.col(i)) << i;
        EXPECT_EQ(after.answers[i].reached, before.answers[i].reached) << i;
      }
      changed += !wasClear;
      if (!after.answers[i].reached) continue;
      ++reached;
      EXPECT_GT(batch.apart(after.poses.col(i)), safety > 0.0 ? safety - 1e-6 : -1e-3) << i;
      const Kinematics kinematics = transformsOf(*batch.problem.figure, Pose{after.poses.col(i)});
      const Transform tool = kinematics.worldFromLink[batch.goals[0].link] * batch.goals[0].linkFromFrame;
      const double error = (tool.translation - batch.problems.targets[i].translation).norm();
      EXPECT_LT(error, batch.options.positionTolerance) << i;
      EXPECT_NEAR(error, after.answers[i].positionError, 1e-9) << i;
    }
    EXPECT_GE(changed, solved) << "what is allowed to stay is not solved";
    EXPECT_GT(solved, 10);
    EXPECT_GT(reached, kCount / 2);
  }
}

TEST(ClearBatch, ThreadsChangeNoBit) {
  Batch batch;
  BatchAnswers one = batch.solvePlainly(), three = one;
  const Eigen::Index solved = batch.keepClear(one);
  batch.options.threads = 3;
  EXPECT_EQ(batch.keepClear(three), solved);
  EXPECT_EQ(one.poses, three.poses);
  for (Eigen::Index i = 0; i < kCount; ++i) EXPECT_EQ(one.answers[i].reached, three.answers[i].reached);
}

TEST(ClearBatch, LinksStayOutOfEachOtherUnlessThePairIsDisabled) {
  Batch batch;
  batch.problem.obstacles.clear();
  BatchAnswers answers = batch.solvePlainly();
  EXPECT_EQ(batch.keepClear(answers), 0) << "nothing is avoided";
  batch.problem.selfAvoidance = SelfAvoidance::All;
  batch.problem.safetyDistance = 0.3;
  batch.options.restarts = 0;
  BatchAnswers apart = answers;
  EXPECT_GT(batch.keepClear(apart), 0);
  for (int a = 0; a < batch.problem.figure->linkCount(); ++a)
    for (int b = 0; b < a; ++b) setCollision(batch.problem, a, b, false);
  EXPECT_EQ(batch.keepClear(answers), 0);
}

TEST(ClearBatch, WhatIsNotComparedIsNotSolved) {
  Batch batch;
  BatchAnswers answers = batch.solvePlainly();
  std::atomic<int> asked = 0;
  batch.keepClear(answers, [&] { return ++asked < 2; });
  int solved = 0;
  for (const BatchAnswer& answer : answers.answers) {
    solved += answer.isSolved;
    EXPECT_FALSE(answer.reached && !answer.isSolved);
  }
  EXPECT_GT(solved, 0);
  EXPECT_LT(solved, kCount);
}

}  // namespace
}  // namespace limber::clear_batch_test
