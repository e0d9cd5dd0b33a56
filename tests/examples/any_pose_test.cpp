// SPDX-License-Identifier: MIT
// "Find any pose" on the humanoid: targets of hands and head from a random pose within the limits are reached from
// rest.
#include <gtest/gtest.h>

#include "limber/io/open.h"
#include "limber/posing/posed_problem.h"
#include "limber/posing/posing.h"
#include "limber/solvers/steps/random_pose.h"

namespace limber::any_pose_test {
namespace {

/// Random values for the coordinates that the document's goals move.
Pose randomPoseOf(const Document& document, RandomStream& random) {
  const PosedProblem problem = makeProblem(document, {});
  Evaluation evaluation;
  Eigen::VectorXd gradient;
  FreeSpace space;
  problem.objective->evaluate(document.pose, evaluation);
  problem.objective->computeGradient(evaluation, gradient);
  problem.objective->feasibleSet().findFreeSpace(document.pose, gradient, space);
  Pose pose;
  randomizePose(*problem.objective, space, document.pose, random, pose);
  return pose;
}

TEST(FindAnyPose, ReachesWithHandsAndHeadWhatARandomPoseReaches) {
  const auto opened = io::openAny("humanoid");
  ASSERT_TRUE(opened) << opened.error().message();
  Document document = opened->document;
  document.solver.solver = "multi-start";
  document.goals.clear();
  for (const char* name : {"left_palm", "right_palm", "head_top"}) {
    const Site& site = document.figure->sites()[static_cast<std::size_t>(document.figure->findSite(name))];
    addGoal(document, site.link, site.linkFromSite.translation);
  }
  RandomStream random(41);
  Posing posing;
  Kinematics kinematics;
  for (int trial = 0; trial < 50; ++trial) {
    Document asked = document;
    computeTransforms(*asked.figure, randomPoseOf(asked, random), kinematics);
    for (GoalItem& goal : asked.goals)
      goal.target = kinematics.worldFromLink[static_cast<std::size_t>(goal.link)] * goal.pointInLink;
    const PosingReport report = solveToEnd(posing, asked);
    EXPECT_EQ(report.outcome, Outcome::Reached) << trial << ": " << report.sentence;
  }
}

}  // namespace
}  // namespace limber::any_pose_test
