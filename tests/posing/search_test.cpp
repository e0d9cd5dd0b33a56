// SPDX-License-Identifier: MIT
// A single solve searches beyond the nearest minimum; a drag does not.
#include <gtest/gtest.h>

#include "limber/kinematics/standard_figures.h"
#include "limber/posing/posing.h"
#include "limber/scene/document.h"
#include "limber/solvers/registry.h"
#include "support/reachable_arm.h"

namespace limber::search_test {
namespace {

using V = Eigen::Vector3d;

Document makeAlternatives(const V& first, const V& second) {
  Document document = makeDocument(makePlanarChain(3));
  document.solver.restWeight = 1e-3;
  addGoal(document, 2, V::UnitX());
  document.goals[0].target = first;
  document.goals[1].target = second;
  for (GoalItem& goal : document.goals) goal.anyOf = 1;
  return document;
}

TEST(Search, TriesEveryAlternative) {
  for (const char* solver : {"newton", "multi-start", "global"}) {
    Document document = makeAlternatives(V(3.6, 0, 0), V(0.5, 2, 0));  // the first is nearer, and too far
    document.solver.solver = solver;
    Posing posing;
    const PosingReport report = solveToEnd(posing, document, {.searches = true});
    EXPECT_EQ(report.outcome, Outcome::Reached) << solver << ": " << report.sentence;
    EXPECT_TRUE(report.goals[1].live && report.goals[1].reached) << solver;
    EXPECT_EQ(report.goals[0].objective, 0.0) << "what stands by has no share of f";
  }
}

TEST(Search, WithoutOneADragStaysWithTheNearerAlternative) {
  Document document = makeAlternatives(V(3.6, 0, 0), V(0.5, 2, 0));
  Posing posing;
  const PosingReport report = solveToEnd(posing, document);
  EXPECT_TRUE(report.goals[0].live);
  EXPECT_NE(report.outcome, Outcome::OutOfReach);
}

/// A full pose that an arm meets in one pose, solved from another one.
Document askOfArm(RandomStream& random) {
  const test::ArmProblem problem = test::makeArmProblem(makeArm(), random);
  Document document = makeDocument(problem.figure);
  const Site& tool = problem.figure->sites()[static_cast<std::size_t>(problem.figure->findSite("tool"))];
  addGoal(document, tool.link, tool.linkFromSite.translation);
  GoalItem& goal = document.goals[0];
  goal.type = GoalType::PositionOrientation;
  goal.frameInLink = tool.linkFromSite.rotation;
  goal.target = problem.target.translation;
  goal.targetFrame = problem.target.rotation;
  document.pose = problem.start;
  return document;
}

TEST(Search, ReachesWhatTheNearestMinimumMisses) {
  RandomStream random(11);
  int missed = 0;
  for (int i = 0; i < 100; ++i) {
    const Document asked = askOfArm(random);
    Document dragged = asked, solved = asked;
    Posing posing;
    missed += solveToEnd(posing, dragged).outcome != Outcome::Reached;
    const PosingReport report = solveToEnd(posing, solved, {.searches = true});
    EXPECT_EQ(report.outcome, Outcome::Reached) << i << ": " << report.sentence;
  }
  EXPECT_GT(missed, 5) << "there was something to search for";
}

TEST(Search, SlicesGiveTheSameBitsAndShowNoTryOnTheWay) {
  RandomStream random(12);
  for (int i = 0; i < 20; ++i) {
    const Document asked = askOfArm(random);
    Document whole = asked, sliced = asked;
    Posing posing, other;
    const PosingReport report = solveToEnd(posing, whole, {.searches = true});
    ASSERT_TRUE(other.start(sliced, {.searches = true}));
    double f = std::numeric_limits<double>::infinity();
    while (!other.advance(sliced, 3)) {
      const double before = std::exchange(f, other.report().goals[0].objective);
      const bool isSearching = other.report().summary.phaseCount == 2;
      EXPECT_TRUE(!isSearching || f <= before * (1.0 + 1e-9)) << "a try was shown";
    }
    EXPECT_TRUE(whole.pose == sliced.pose) << i;
    EXPECT_EQ(report.sentence, other.report().sentence);
    EXPECT_EQ(report.summary.iterations(), other.report().summary.iterations());
  }
}

TEST(Search, WhatNoTryMeetsStaysAtTheNearestMinimum) {
  Document document = makeDocument(makeArm());
  addGoal(document, 6, V::Zero());
  document.goals[0].target = {0.0, 0.02, 0.0};  // within the lengths, but limits keep the arm from folding so far
  Document near = document;
  Posing posing;
  const PosingReport local = solveToEnd(posing, near);
  const PosingReport report = solveToEnd(posing, document, {.searches = true});
  ASSERT_NE(local.outcome, Outcome::Reached);
  EXPECT_TRUE(document.pose == near.pose);
  EXPECT_EQ(report.outcome, local.outcome);
  EXPECT_EQ(report.sentence, local.sentence);
  EXPECT_GT(report.summary.iterations(), local.summary.iterations()) << "restarts are counted";
}

TEST(Search, TheMethodsOfTheAssignmentStayAsTheyAre) {
  for (const char* solver : {"gdls", "nm", "gdls+nm"}) {
    Document document = makeAlternatives(V(3.6, 0, 0), V(0.5, 2, 0)), plain = document;
    document.solver.solver = plain.solver.solver = solver;
    Posing posing, other;
    solveToEnd(posing, document, {.searches = true});
    solveToEnd(other, plain);
    EXPECT_TRUE(document.pose == plain.pose) << solver;
  }
}

}  // namespace
}  // namespace limber::search_test
