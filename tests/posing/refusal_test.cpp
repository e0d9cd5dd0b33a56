// SPDX-License-Identifier: MIT
// A solver that does not support a problem says so, and does not change the pose.
#include <gtest/gtest.h>

#include "limber/kinematics/standard_figures.h"
#include "limber/posing/posed_problem.h"
#include "limber/posing/posing.h"
#include "limber/scene/document.h"
#include "limber/solvers/registry.h"

namespace limber::refusal_test {
namespace {

Document armWithGoal(const std::string& solver) {
  Document document = makeDocument(makeArm());
  document.solver.solver = solver;
  document.solver.insist = true;  // limits are not the subject of this test
  addGoal(document, document.figure->linkCount() - 1, Eigen::Vector3d::Zero());
  document.goals[0].target = {0.3, 0.6, 0.2};
  return document;
}

TEST(Refusal, PosingSaysWhichJointAndLeavesThePose) {
  Document document = armWithGoal("fabrik");
  const Pose before = document.pose;
  Posing posing;
  const PosingReport report = solveToEnd(posing, document);
  EXPECT_EQ(report.outcome, Outcome::BadInput);
  EXPECT_EQ(report.sentence, "FABRIK turns ball joints and the hinges of planar chains; joint " +
                                 document.figure->joint(0).name + " is revolute");
  EXPECT_TRUE(document.pose == before);
  EXPECT_FALSE(posing.isRunning());
}

TEST(Refusal, PosingSaysWhichGoal) {
  Document document = armWithGoal("ccd");
  document.goals[0].type = GoalType::Orientation;
  const Pose before = document.pose;
  Posing posing;
  const PosingReport report = solveToEnd(posing, document);
  EXPECT_EQ(report.outcome, Outcome::BadInput);
  const int link = document.figure->linkCount() - 1;
  EXPECT_EQ(report.sentence,
            "CCD meets position goals; the goal on " + document.figure->link(link).name + " is of another kind");
  EXPECT_TRUE(document.pose == before);
}

TEST(Refusal, EveryMethodPosesOrSaysWhyNot) {
  for (const Solver* solver : allSolvers()) {
    Document document = armWithGoal(std::string(solver->name()));
    const Pose before = document.pose;
    const std::string refusal = solver->refusal(*makeProblemToJudge(document).objective);
    Posing posing;
    const PosingReport report = solveToEnd(posing, document);
    EXPECT_EQ(report.outcome == Outcome::BadInput, !refusal.empty()) << solver->name() << ": " << report.sentence;
    if (refusal.empty()) continue;
    EXPECT_EQ(report.sentence, refusal);
    EXPECT_TRUE(document.pose == before);
  }
}

TEST(Refusal, WithoutGoalsADragIsWhatAMethodIsJudgedBy) {
  const PosedProblem problem = makeProblemToJudge(makeDocument(makeArm()));
  ASSERT_TRUE(problem.objective) << problem.fault;
  EXPECT_NE(findSolver("fabrik")->refusal(*problem.objective), "");
  EXPECT_EQ(findSolver("ccd")->refusal(*problem.objective), "");
}

}  // namespace
}  // namespace limber::refusal_test
