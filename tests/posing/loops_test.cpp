// SPDX-License-Identifier: MIT
// Solves of figures with closed loops.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/posed_problem.h"
#include "limber/scene/document.h"
#include "support/loop_figures.h"
#include "support/says.h"

namespace limber::posing_loops_test {
namespace {

using V = Eigen::Vector3d;

V placeOf(const Figure& figure, const Pose& pose, int link, const V& point) {
  return transformsOf(figure, pose).worldFromLink[link] * point;
}

/// The loops are closed by forward kinematics, and the limits kept.
void expectKept(const IkProblem& problem, const std::string& where) {
  const LoopGap gap = largestGap(*problem.figure, problem.pose);
  EXPECT_LE(gap.length, 1e-9) << where;
  EXPECT_LE(gap.angle, 1e-6) << where;
  EXPECT_LE(FeasibleSet(*problem.figure, limitsOf(problem)).violation(problem.pose), 1e-9) << where;
}

struct Dragged {
  int reached = 0;
  double worstDrift = 0.0;  ///< radians or metres, of the pose at the end of each round from that of the first one
};

/// The end is dragged three times around a closed curve of 200 events.
Dragged dragAround(const test::LoopFigure& looped, const std::string& solver, int events, int rounds) {
  Document document = makeDocument(looped.figure);
  const V start = placeOf(*looped.figure, document.pose, looped.link, looped.point);
  PosingRequest request;
  request.solver = solver;
  request.startPose = document.pose;
  request.drag = DragGoal{looped.link, looped.point, start, 1.0};
  Posing posing;
  Dragged dragged;
  Pose first;
  for (int event = 0; event < rounds * events; ++event) {
    const double t = 2.0 * std::numbers::pi * (event + 1) / events;
    request.drag->target = start + looped.reach * V(std::sin(t), 0.5 * std::sin(2.0 * t), 0.3 * (1.0 - std::cos(t)));
    request.followsLast = event > 0;
    const PosingReport report = solveToEnd(posing, document, request);
    const std::string where = std::string(looped.name) + ", event " + std::to_string(event) + ": " + report.sentence;
    EXPECT_TRUE(report.openLoops.empty()) << where;
    expectKept(document, where);
    if (testing::Test::HasFailure()) return dragged;
    dragged.reached += report.outcome == Outcome::Reached;
    if ((event + 1) % events != 0) continue;
    if (first.coordinates.size() == 0) first = document.pose;
    Eigen::VectorXd step;
    difference(*looped.figure, first, document.pose, step);
    dragged.worstDrift = std::max(dragged.worstDrift, step.cwiseAbs().maxCoeff());
  }
  return dragged;
}

TEST(PosingLoops, StayClosedThroughSixHundredEventsOfADrag) {
  for (const test::LoopFigure& looped : test::loopFigures()) {
    const Dragged dragged = dragAround(looped, "newton", 200, 3);
    EXPECT_LT(dragged.worstDrift, 1e-3) << looped.name;
    // A linkage with one degree of freedom follows no curve, and half of the gripper's is out of its reach.
    const int least = looped.freedom == 1 ? 0 : looped.name == std::string("gripper") ? 280 : 500;
    EXPECT_GE(dragged.reached, least) << looped.name;
  }
}

TEST(PosingLoops, GradientDescentKeepsThemClosed) {
  for (const test::LoopFigure& looped : test::loopFigures()) dragAround(looped, "gdls", 40, 1);
}

/// The crank of the four-bar linkage is posed by a goal for its direction; the rocker's angle follows from the lengths.
TEST(PosingLoops, ThePoseIsThatOfTheLinkage) {
  Document document = makeDocument(test::makeFourBar());
  const Figure& figure = *document.figure;
  const int crank = figure.findLink("crank"), rocker = figure.findLink("rocker");
  const double angle = 0.7;
  PosingRequest request;
  document.solver.restWeight = 0.0;
  request.drag = DragGoal{crank, {0.4, 0, 0}, {0.4 * std::cos(angle), 0.4 * std::sin(angle), 0}, 1.0};
  Posing posing;
  const PosingReport report = solveToEnd(posing, document, request);
  EXPECT_EQ(report.outcome, Outcome::Reached) << report.sentence;
  expectKept(document, report.sentence);
  // Triangle of the coupler (0.9), the rocker (0.7) and the line from its pivot to the crank's end.
  const V pivot(1, 0, 0), end = placeOf(figure, document.pose, crank, {0.4, 0, 0});
  const double line = (end - pivot).norm();
  const double opening = std::acos((line * line + 0.49 - 0.81) / (2.0 * line * 0.7));
  const double expected = std::atan2(end.y(), end.x() - 1.0) - opening;
  EXPECT_NEAR(document.pose.coordinates[figure.joint(rocker).poseIndex], expected, 1e-9);
}

TEST(PosingLoops, EveryShownPoseOfASolveIsClosed) {
  const auto figure = test::makeStewart();
  Document document = makeDocument(figure);
  const int platform = figure->findLink("platform");
  PosingRequest request;
  request.drag = DragGoal{platform, V::Zero(), V(0.1, 0.7, 0.1), 1.0};
  Posing posing;
  ASSERT_TRUE(posing.start(document, request)) << posing.report().sentence;
  for (bool ended = false; !ended;) {
    ended = posing.advance(document, 1);
    expectKept(document, "a slice");
  }
  EXPECT_EQ(posing.report().outcome, Outcome::Reached) << posing.report().sentence;
}

TEST(PosingLoops, ALoopThatCannotCloseIsNamedWithItsGap) {
  Document document = makeDocument(test::makeOpenLoop());
  PosingRequest request;
  request.drag = DragGoal{document.figure->findLink("left"), {1, 0, 0}, {1, 0, 0}, 1.0};
  Posing posing;
  const PosingReport report = solveToEnd(posing, document, request);
  EXPECT_NE(report.outcome, Outcome::Reached);
  ASSERT_EQ(report.openLoops.size(), 1u);
  EXPECT_NEAR(report.openLoops[0].gap.length, 1.0, 1e-3);
  EXPECT_TRUE(test::says(report.sentence, {"the loop \"gap\" is open by 1"})) << report.sentence;
}

TEST(PosingLoops, AChainBringsTheJointsOfItsLoop) {
  const auto figure = test::makeParallelGripper();
  Document document = makeDocument(figure);
  PosingRequest request;
  const int tip = figure->findLink("left_tip");
  request.drag = DragGoal{tip, {0, 0.04, 0}, {0.05, 0.5, 0}, 1.0, {figure->findLink("left_inner")}};
  const PosedProblem posed = makeProblem(document, request);
  ASSERT_TRUE(posed.objective) << posed.fault;
  std::vector<int> expected;
  for (const char* joint : {"left_inner", "left_outer", "left_tip"})
    expected.push_back(figure->joint(figure->findJoint(joint)).stepIndex);
  EXPECT_EQ(posed.objective->active(), expected);
  EXPECT_EQ(posed.loops.size(), 1u) << "the other finger does not move";
}

TEST(PosingLoops, PinsAndLoopsHoldTogether) {
  const auto figure = test::makeRodBiped();
  Document document = makeDocument(figure);
  const Kinematics start = transformsOf(*figure, document.pose);
  for (const char* foot : {"left_foot", "right_foot"}) {
    const int link = figure->findLink(foot);
    document.pins.push_back({.link = link, .worldFromLink = start.worldFromLink[link]});
  }
  PosingRequest request;
  request.drag = DragGoal{figure->findLink("pelvis"), V::Zero(), V(0.02, 0.8, 0.03), 1.0};
  request.freeRoot = true;
  Posing posing;
  const PosingReport report = solveToEnd(posing, document, request);
  expectKept(document, report.sentence);
  for (const GoalReport& goal : report.goals)
    if (goal.pinnedLink >= 0) {
      EXPECT_LT(goal.error, 1e-4) << report.sentence;
    }
}

}  // namespace
}  // namespace limber::posing_loops_test
