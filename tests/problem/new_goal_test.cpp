// SPDX-License-Identifier: MIT
#include "limber/problem/new_goal.h"

#include <gtest/gtest.h>

#include <random>

#include "limber/problem/goal_error.h"
#include "limber/problem/goal_types.h"
#include "limber/scene/document.h"
#include "support/awkward_figure.h"

namespace limber::new_goal_test {
namespace {

/// The awkward figure in a random pose.
Document posed(unsigned seed) {
  Document document = makeDocument(test::makeAwkwardFigure());
  std::mt19937 random(seed);
  document.pose = test::randomPose(*document.figure, random);
  return document;
}

GoalError lastError(const Document& document) {
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  return goalErrorOf(document, kinematics, document.goals.back());
}

void expectMet(const Document& document) {
  EXPECT_LT(lastError(document).length, 1e-9);
  EXPECT_LT(lastError(document).angle, 1e-7);
}

TEST(NewGoal, OfEveryTypeIsMetWhereItIsPlanted) {
  for (const GoalTypeInfo& info : goalTypes()) {
    SCOPED_TRACE(info.name);
    Document document = posed(3);
    const EndEffector other = endEffectorOf(*document.figure, 9);
    const int id = addGoal(document, info.type, {6, {0.1, -0.2, 0.3}},
                           info.other != OtherLink::None ? std::optional(other) : std::nullopt);
    ASSERT_EQ(document.goals.size(), 1u);
    EXPECT_EQ(document.goals[0].id, id);
    EXPECT_EQ(document.goals[0].type, info.type);
    EXPECT_FALSE(document.goals[0].name.empty());
    expectMet(document);
  }
}

TEST(NewGoal, IsMetAgainAfterPosingByHand) {
  for (const GoalTypeInfo& info : goalTypes()) {
    if (info.kept) continue;  // keeps what it kept
    SCOPED_TRACE(info.name);
    Document document = posed(3);
    addGoal(document, info.type, {6, {0.1, -0.2, 0.3}});
    document.pose = posed(4).pose;
    moveTargetsToEndEffectors(document);
    if (info.other != OtherLink::Required) expectMet(document);
  }
}

TEST(NewGoal, BetweenTwoLinksKeepsItsRelationWhenTheFigureIsPosedByHand) {
  Document document = posed(3);
  addGoal(document, GoalType::Relative, {6}, EndEffector{9});
  const GoalItem before = document.goals[0];
  EXPECT_EQ(before.otherLink, 9);
  document.pose = posed(4).pose;
  moveTargetsToEndEffectors(document);
  EXPECT_EQ(document.goals[0], before);
}

TEST(NewGoal, OfEveryTypeCanBeAskedForThePresent) {
  for (const GoalTypeInfo& info : goalTypes()) {
    SCOPED_TRACE(info.name);
    Document document = posed(3);
    addGoal(document, info.type, {6, {0.1, -0.2, 0.3}},
            info.other != OtherLink::None ? std::optional(EndEffector{9}) : std::nullopt);
    document.pose = posed(4).pose;
    Kinematics kinematics;
    computeTransforms(*document.figure, document.pose, kinematics);
    askForPresent(document, kinematics, document.goals[0]);
    expectMet(document);
  }
}

TEST(NewGoal, OnALinkWithASiteTakesItsPlaceAndFrame) {
  const Document document = posed(3);
  const Figure& figure = *document.figure;
  ASSERT_FALSE(figure.sites().empty());
  const Site& site = figure.sites()[0];
  const EndEffector end = endEffectorOf(figure, site.link);
  EXPECT_EQ(end.point, site.linkFromSite.translation);
  EXPECT_EQ(end.frame, site.linkFromSite.rotation);
}

}  // namespace
}  // namespace limber::new_goal_test
