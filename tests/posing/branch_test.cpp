// SPDX-License-Identifier: MIT
#include "limber/posing/branch.h"

#include <gtest/gtest.h>

#include <optional>

#include "limber/kinematics/standard_figures.h"
#include "limber/posing/posing.h"
#include "limber/scene/document.h"

namespace limber::branch_test {
namespace {

using V = Eigen::Vector3d;

/// A planar chain whose tip has two alternative targets.
Document makeAlternatives(const V& first, const V& second) {
  Document document = makeDocument(makePlanarChain(4));
  addGoal(document, 3, V::UnitX());
  document.goals[0].target = first;
  document.goals[1].target = second;
  for (GoalItem& goal : document.goals) goal.anyOf = 5;
  return document;
}

bool isFirstLive(const PosingReport& report) {
  EXPECT_NE(report.goals.at(0).live, report.goals.at(1).live) << "one of two counts";
  return report.goals.at(0).live;
}

TEST(Branch, TheNearerAlternativeCounts) {
  Document document = makeAlternatives(V(0, 3.5, 0), V(3, 2, 0));
  Posing posing;
  const PosingReport report = solveToEnd(posing, document);
  EXPECT_FALSE(isFirstLive(report));
  EXPECT_EQ(report.outcome, Outcome::Reached) << report.sentence;
  EXPECT_TRUE(report.goals[1].reached);
  EXPECT_LT(report.worstError, 0.01) << "what does not count is no error";
}

TEST(Branch, OneThatCannotBeMetGivesWayAfterASolve) {
  // From the tip at (4, 0) the first is nearer (0.67 against 0.71), but 0.6 beyond reach. Where the solve for it ends,
  // 0.5 from the second, the latter is nearer by more than the margin.
  Document document = makeAlternatives(V(4.6, 0.3, 0), V(3.9, 0.7, 0));
  Posing posing;
  const PosingReport report = solveToEnd(posing, document);
  EXPECT_FALSE(isFirstLive(report)) << report.sentence;
  EXPECT_EQ(report.outcome, Outcome::Reached) << report.sentence;
}

TEST(Branch, ATargetCreptAcrossTheSwitchSwitchesOnceEachWay) {
  Document document = makeAlternatives(V(-1, 3, 0), V(1, 3, 0));
  Posing posing;
  PosingRequest request;
  int switches = 0;
  bool first = false;
  const auto creep = [&](int from, int to) {
    for (int frame = from; frame != to; frame += from < to ? 1 : -1) {
      // A second, stronger goal determines the tip; the alternatives have little effect.
      request.drag = DragGoal{3, V::UnitX(), V(-1.0 + 0.01 * frame, 2.0, 0), 20.0};
      const bool now = isFirstLive(solveToEnd(posing, document, request));
      switches += frame != from && now != first;
      first = now;
    }
  };
  creep(0, 200);
  EXPECT_EQ(switches, 1);
  EXPECT_FALSE(first);
  creep(200, 0);
  EXPECT_EQ(switches, 2);
  EXPECT_TRUE(first);
}

TEST(Branch, StandingOnTheBorderDoesNotFlicker) {
  Document document = makeAlternatives(V(-1, 3, 0), V(1, 3, 0));
  Posing posing;
  PosingRequest request;
  std::optional<bool> first;
  for (int frame = 0; frame < 100; ++frame) {
    const double tremble = frame % 2 == 0 ? 1e-3 : -1e-3;
    request.drag = DragGoal{3, V::UnitX(), V(tremble, 2.0, 0), 20.0};
    const bool now = isFirstLive(solveToEnd(posing, document, request));
    EXPECT_EQ(now, first.value_or(now)) << frame;
    first = now;
  }
}

TEST(Branch, WithoutEnabledAlternativesThereIsNothingToChoose) {
  Document document = makeAlternatives(V(1, 3, 0), V(3, 1, 0));
  for (GoalItem& goal : document.goals) goal.enabled = false;
  Posing posing;
  EXPECT_FALSE(posing.start(document));
  EXPECT_NE(posing.report().sentence.find("no goal"), std::string::npos);
  document.goals[0].enabled = true;
  const PosingReport report = solveToEnd(posing, document);
  ASSERT_EQ(report.goals.size(), 1u);
  EXPECT_TRUE(report.goals[0].live && report.goals[0].reached) << report.sentence;
}

}  // namespace
}  // namespace limber::branch_test
