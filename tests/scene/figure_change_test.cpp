// SPDX-License-Identifier: MIT
#include "limber/scene/figure_change.h"

#include <gtest/gtest.h>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/problem/new_goal.h"
#include "limber/scene/skin.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"
#include "support/figure_equality.h"
#include "support/says.h"

namespace limber::figure_change_test {
namespace {

using Notes = std::vector<std::string>;

/// A posed document of the coupled figure with settings, goals and pins on several links.
Document makeRichDocument() {
  std::mt19937 random(4);
  Document document = makeDocument(test::makeCoupledFigure());
  document.pose = test::randomPose(*document.figure, random);
  document.joints[3].rigidity = 0.25;
  document.joints[9].locked = true;
  document.joints[4].limits = {-1.9, 2.0};
  document.couplingEnabled = {1, 0, 0};
  clampToLimits(document, document.pose);
  addGoal(document, GoalType::Position, {.link = 9, .point = {0, 0.1, 0}});
  addGoal(document, GoalType::Position, {.link = 6});
  addGoal(document, GoalType::KeepPose, {.link = 6});
  addGoal(document, GoalType::Relative, {.link = 9}, EndEffector{.link = 6});
  document.goals[0].chain = {9, 5, 1};
  document.pins = {{.link = 6}, {.link = 9}};
  document.selection = {9, document.goals[1].id};
  return document;
}

/// A skin with one vertex at `place` of each link.
std::shared_ptr<const Skin> pointSkin(int linkCount, const Eigen::Vector3f& place) {
  Skin skin;
  for (int link = 0; link < linkCount; ++link) {
    SkinSurface& surface = skin.surfaces.emplace_back();
    surface.positions = {place};
    surface.normals = {Eigen::Vector3f::UnitY()};
    surface.bones = {{.link = link}};
  }
  return std::make_shared<const Skin>(skin);
}

TEST(FigureChange, SkinOfALinkThatGoesHangsOnTheOneAbove) {
  const Eigen::Vector3f place(0.1f, 0.2f, 0.3f);
  Document document = makeDocument(makeBallChain(3));
  document.skin = pointSkin(3, place);
  const std::vector<std::string> notes = replaceFigure(document, makeBallChain(2), {0, 1, -1});
  ASSERT_TRUE(document.skin);
  std::vector<Eigen::Affine3d> worldFromSkin;
  Kinematics kinematics;
  computeKinematics(*document.figure, document.pose, kinematics);
  computeBoneTransforms(*document.skin, kinematics, worldFromSkin);
  for (int link = 0; link < 3; ++link) {
    EXPECT_EQ(document.skin->surfaces[link].bones[0].link, std::min(link, 1));
    const Eigen::Vector3d posed = worldFromSkin[link] * place.cast<double>();
    EXPECT_LT((posed - place.cast<double>() - link * Eigen::Vector3d::UnitY()).norm(), 1e-6) << "where it was";
  }
}

TEST(FigureChange, SkinGoesWithItsRoot) {
  Document document = makeDocument(makeBallChain(2));
  document.skin = pointSkin(2, {0, 0, 0});
  const std::vector<std::string> notes = replaceFigure(document, makeBallChain(1), {-1, 0});
  EXPECT_FALSE(document.skin);
  ASSERT_FALSE(notes.empty());
  EXPECT_NE(notes.back().find("skin"), std::string::npos);
}

TEST(FigureChange, SameFigureChangesNothing) {
  const Document before = makeRichDocument();
  Document after = before;
  EXPECT_TRUE(replaceFigure(after, before.figure, matchLinksByName(*before.figure, *before.figure)).empty());
  EXPECT_EQ(after.pose, before.pose);
  EXPECT_EQ(after.joints, before.joints);
  EXPECT_EQ(after.goals, before.goals);
  EXPECT_EQ(after.pins, before.pins);
  EXPECT_EQ(after.couplingEnabled, before.couplingEnabled);
  EXPECT_EQ(after.selection, before.selection);
}

TEST(FigureChange, WhatNeedsAGoneLinkGoesAndIsTold) {
  const Document before = makeRichDocument();
  Document after = before;
  const FigureEdit edit = removeLink(*before.figure, 5);  // "upper" with "hand", index 6
  ASSERT_TRUE(edit.figure) << edit.fault;
  const Notes notes = replaceFigure(after, edit.figure, edit.linkFromOld);
  EXPECT_EQ(notes,
            (Notes{"the chain of goal \"foot\" is shorter", "the goal \"hand\" is dropped: its link \"hand\" is gone",
                   "the goal \"foot\" is dropped: its link \"hand\" is gone", "the pin of \"hand\" is dropped"}));
  ASSERT_EQ(after.goals.size(), 2u);
  EXPECT_EQ(after.goals[0].link, 7);
  EXPECT_EQ(after.goals[0].chain, (std::vector<int>{7, 1}));
  EXPECT_EQ(after.goals[1].type, GoalType::KeepPose);
  EXPECT_EQ(after.goals[1].kept, after.pose);
  ASSERT_EQ(after.pins.size(), 1u);
  EXPECT_EQ(after.pins[0].link, 7);
  EXPECT_EQ(after.selection, (Selection{7, -1}));
  EXPECT_EQ(after.couplingEnabled, (std::vector<char>{0, 0}));
  EXPECT_EQ(after.joints[3].rigidity, 0.25);
  EXPECT_TRUE(after.joints[7].locked);
  EXPECT_EQ(jointRotation(*after.figure, after.pose, 5).coeffs(),
            jointRotation(*before.figure, before.pose, 7).coeffs());
}

TEST(FigureChange, DisabledPairsGoOnForTheLinksThatStay) {
  Document document = makeDocument(makeBallChain(4));
  setCollision(document, 0, 2, false);
  setCollision(document, 1, 3, false);
  document.safetyDistance = 0.02;
  const FigureEdit edit = removeLink(*document.figure, 3);
  replaceFigure(document, edit.figure, edit.linkFromOld);
  EXPECT_EQ(document.disabledPairs, (std::vector<LinkPair>{{0, 2}}));
  scaleLengths(document, 2.0);
  EXPECT_EQ(document.safetyDistance, 0.04);
}

TEST(FigureChange, ObstaclesGoOnForTheLinksThatStay) {
  const Document before = makeRichDocument();
  Document after = before;
  addObstacle(after, {.name = "all"});
  addObstacle(after, {.name = "some", .links = {6, 9}, .points = {{.link = 6}, {.link = 9}}});
  addObstacle(after, {.name = "gone", .links = {6}});
  const FigureEdit edit = removeLink(*before.figure, 5);
  const Notes notes = replaceFigure(after, edit.figure, edit.linkFromOld);
  EXPECT_TRUE(after.obstacles[0].enabled && after.obstacles[0].links.empty());
  EXPECT_EQ(after.obstacles[1].links, std::vector<int>{7});
  ASSERT_EQ(after.obstacles[1].points.size(), 1u);
  EXPECT_EQ(after.obstacles[1].points[0].link, 7);
  EXPECT_FALSE(after.obstacles[2].enabled) << "not one for all links";
  EXPECT_TRUE(test::says(notes.back(), {"obstacle \"gone\"", "off"}));
  scaleLengths(after, 2.0);
  EXPECT_EQ(after.obstacles[0].size, Eigen::Vector3d(2.0, 2.0, 2.0));
}

TEST(FigureChange, EditOfTheFiguresOwnValueOutdoesTheUsers) {
  Document document = makeRichDocument();
  const FigureEdit edit = setLimits(*document.figure, 4, {-0.5, 0.5});
  ASSERT_TRUE(edit.figure) << edit.fault;
  replaceFigure(document, edit.figure, edit.linkFromOld);
  EXPECT_EQ(document.joints[4].limits, (Interval{-0.5, 0.5}));
  EXPECT_LE(std::abs(document.pose.coordinates[document.figure->joint(4).poseIndex]), 0.5);
  EXPECT_EQ(document.joints[3].rigidity, 0.25);
}

TEST(FigureChange, GoalWithoutAnyJointOfItsChainGoes) {
  Document document = makeDocument(makePlanarChain(3));
  document.goals[0].link = 0;
  document.goals[0].chain = {2};
  const FigureEdit edit = removeLink(*document.figure, 2);
  EXPECT_EQ(replaceFigure(document, edit.figure, edit.linkFromOld),
            Notes{"the goal \"link2\" is dropped: every joint of its chain is gone"});
  EXPECT_TRUE(document.goals.empty());
}

TEST(FigureChange, MotionKeepsTheChannelsOfJointsThatStay) {
  FigureBuilder builder("three roots");
  for (const char* name : {"a", "b", "c"}) builder.addLink({.name = name}, {.type = JointType::Ball});
  Motion motion;
  motion.frameCount = 2;
  for (int joint = 0; joint < 3; ++joint) motion.channels.push_back({joint, ChannelType::XRotation});
  motion.values = {1, 2, 3, 4, 5, 6};
  Document document = makeDocument(test::built(builder), std::make_shared<Motion>(motion));
  showFrame(document, 1);
  const Document before = document;
  const FigureEdit edit = removeLink(*document.figure, 1);
  replaceFigure(document, edit.figure, edit.linkFromOld);
  EXPECT_EQ(document.motion->values, (std::vector<double>{1, 3, 4, 6}));
  EXPECT_EQ(document.motion->channels[1].joint, 1);
  EXPECT_EQ(document.motion->poseAt(*document.figure, 1), document.pose);
  EXPECT_EQ(before.motion->values.size(), 6u);
}

TEST(FigureChange, MotionOfPosesKeepsTheCoordinatesOfJointsThatStay) {
  FigureBuilder builder("three roots");
  for (const char* name : {"a", "b", "c"}) builder.addLink({.name = name}, {.type = JointType::Revolute});
  Motion motion;
  motion.frameCount = 2;
  motion.poses = {1, 2, 3, 4, 5, 6};
  Document document = makeDocument(test::built(builder), std::make_shared<Motion>(motion));
  const FigureEdit edit = removeLink(*document.figure, 1);
  replaceFigure(document, edit.figure, edit.linkFromOld);
  EXPECT_EQ(document.motion->poses, (std::vector<double>{1, 3, 4, 6}));
}

TEST(FigureChange, BakedSettingsAreTheFiguresOwn) {
  Document document = makeRichDocument();
  document.joints[4].limits = {0.5, 1.0};  // the rest, at zero, has to move
  const FigureEdit edit = bakeSettings(document);
  ASSERT_TRUE(edit.figure) << edit.fault;
  EXPECT_EQ(edit.figure->joint(4).limits, (Interval{0.5, 1.0}));
  EXPECT_EQ(edit.figure->restPose()[edit.figure->joint(4).poseIndex], 0.5);
  EXPECT_EQ(edit.figure->joint(3).rigidity, 0.25);
  EXPECT_TRUE(edit.figure->joint(9).locked);
  const Document baked = makeDocument(edit.figure);
  for (std::size_t i = 0; i < baked.joints.size(); ++i) EXPECT_EQ(baked.joints[i], document.joints[i]) << i;
}

TEST(FigureChange, BallsRestInsideTheUsersCones) {
  Document document = makeDocument(makeBallChain(2));
  document.joints[1].ballLimits = {.coneAxis = {1, 0, 0}, .twistAxis = {1, 0, 0}, .swing = 0.5, .twist = {0.3, 0.4}};
  const FigureEdit edit = bakeSettings(document);
  ASSERT_TRUE(edit.figure) << edit.fault;
  EXPECT_EQ(edit.figure->joint(1).ballLimits, document.joints[1].ballLimits);
}

TEST(FigureChange, RestMayBeAPoseWithinTheUsersLimitsOnly) {
  Document document = makeDocument(makePlanarChain(2));
  const FigureEdit narrow = setLimits(*document.figure, 0, {-1, 1});
  replaceFigure(document, narrow.figure, narrow.linkFromOld);
  document.joints[0].limits = {-2, 2};
  document.pose.coordinates << 1.5, 0.0;
  const FigureEdit edit = bakeSettings(document, document.pose);
  ASSERT_TRUE(edit.figure) << edit.fault;
  EXPECT_EQ(edit.figure->restPose()[0], 1.5);
}

TEST(FigureChange, PointsMoveAlongWithAScaledLink) {
  Document document = makeDocument(makePlanarChain(2));
  document.pins = {{.link = 1, .pointInLink = {0.5, 0, 0}}};
  const FigureEdit edit = scaleLink(*document.figure, 1, 2.0);
  replaceFigure(document, edit.figure, edit.linkFromOld);
  scalePointsOnLink(document, 1, 2.0);
  EXPECT_EQ(document.goals[0].pointInLink, Eigen::Vector3d(2, 0, 0));
  EXPECT_EQ(document.pins[0].pointInLink, Eigen::Vector3d(1, 0, 0));
}

}  // namespace
}  // namespace limber::figure_change_test
