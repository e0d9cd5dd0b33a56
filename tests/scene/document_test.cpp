// SPDX-License-Identifier: MIT
#include "limber/scene/document.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/problem/joint_turn.h"
#include "limber/scene/history.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"

namespace limber::document_test {
namespace {

Eigen::Vector3d tipOf(const Document& document) {
  return transformsOf(*document.figure, document.pose).worldFromLink.back() * Eigen::Vector3d::UnitX();
}

TEST(Document, AChainStartsWithATargetAtItsTip) {
  const Document document = makeDocument(makePlanarChain(4));
  ASSERT_EQ(document.goals.size(), 1u);
  EXPECT_EQ(document.goals[0].target, Eigen::Vector3d(4, 0, 0));
  EXPECT_EQ(document.solver.reference, RestReference::RestPose);
}

TEST(Document, AFigureStartsWithoutTargetsAndKeepsItsPose) {
  const Document document = makeDocument(test::makeAwkwardFigure());
  EXPECT_TRUE(document.goals.empty());
  EXPECT_EQ(document.solver.reference, RestReference::StartPose);
}

TEST(Document, TogglingNeverMovesTheFigureAndBringsTheTargets) {
  Document document = makeDocument(makePlanarChain(3));
  setMode(document, Mode::Forward);
  turnJoint(document, 1, 0, 0.7);
  const Pose before = document.pose;
  setMode(document, Mode::Inverse);
  EXPECT_TRUE(document.pose == before);
  EXPECT_EQ(document.goals[0].target, tipOf(document));
  setMode(document, Mode::Forward);
  EXPECT_TRUE(document.pose == before);
}

TEST(Document, TurningStopsAtLimitsAndWraps) {
  Document document = makeDocument(makePlanarChain(2));
  document.joints[0].limits = {-0.1, 0.1};
  turnJoint(document, 0, 0, 0.5);
  EXPECT_EQ(document.pose.coordinates[0], 0.1);
  for (int i = 0; i < 100; ++i) turnJoint(document, 1, 0, 0.5);
  EXPECT_LE(std::abs(document.pose.coordinates[1]), std::numbers::pi);
  EXPECT_NEAR(std::cos(document.pose.coordinates[1]), std::cos(50.0), 1e-12);
}

TEST(Document, TurningABallTurnsAboutItsOwnAxis) {
  Document document = makeDocument(makeBallChain(2));
  turnJoint(document, 1, 2, std::numbers::pi / 2);
  const Eigen::Quaterniond q = jointRotation(*document.figure, document.pose, 1);
  EXPECT_LT((q * Eigen::Vector3d::UnitY() + Eigen::Vector3d::UnitX()).norm(), 1e-15);
}

/// Three hinges in a row; the third follows: q2 = 0.1 + 0.5 q0 + 0.25 q1^2.
Document makeCoupledDocument() {
  FigureBuilder builder("coupled");
  int parent = -1;
  for (int i = 0; i < 3; ++i)
    parent = builder.addLink({.name = "link" + std::to_string(i), .parent = parent},
                             {.type = JointType::Revolute, .limits = {-1.0, 1.0}});
  builder.addCoupling(
      {.name = "group", .follower = 2, .offset = 0.1, .terms = {{0, {0.5, 0, 0, 0}}, {1, {0, 0.25, 0, 0}}}});
  const auto figure = test::built(builder);
  return makeDocument(figure);
}

TEST(Document, TurningADriverBringsItsFollower) {
  Document document = makeCoupledDocument();
  turnJoint(document, 0, 0, 0.6);
  EXPECT_EQ(document.pose.coordinates, Eigen::Vector3d(0.6, 0.0, 0.1 + 0.5 * 0.6));
  turnJoint(document, 1, 0, 5.0);
  EXPECT_EQ(document.pose.coordinates, Eigen::Vector3d(0.6, 1.0, 0.1 + 0.5 * 0.6 + 0.25));
}

TEST(Document, TurningAFollowerTurnsItsDrivers) {
  Document document = makeCoupledDocument();
  turnJoint(document, 2, 0, 0.2);
  EXPECT_NEAR(document.pose.coordinates[2], 0.3, 1e-15) << "0.1 at rest";
  EXPECT_NEAR(document.pose.coordinates[0], 0.4, 1e-15) << "the other driver has no slope at zero";
  EXPECT_EQ(document.pose.coordinates[1], 0.0);
  turnJoint(document, 2, 0, 9.0);
  EXPECT_EQ(document.pose.coordinates[0], 1.0) << "as far as its drivers may turn";
  EXPECT_NEAR(document.pose.coordinates[2], 0.6, 1e-15);
}

/// A ball, a hinge that follows the upward component x of its bone by 0.5 (1 + x), and a second ball that follows it.
Document makeBallLedDocument() {
  FigureBuilder builder("ball-led");
  builder.addLink({.name = "hinge"}, {.type = JointType::Revolute, .limits = {-0.1, 1.2}});
  Joint ball{.type = JointType::Ball};
  ball.ballLimits.swing = 2.0;
  builder.addLink({.name = "ball", .parent = 0}, ball);
  ball.ballLimits.swing = 1.0;
  builder.addLink({.name = "alike", .parent = 1}, ball);
  builder.addCoupling(
      {.name = "rhythm", .follower = 0, .offset = 0.5, .terms = {{1, {0.5, 0, 0, 0}, Coupling::Pointing{}}}});
  builder.addCoupling({.name = "bend", .follower = 2, .terms = {{.driver = 1}}});
  const auto figure = test::built(builder);
  return makeDocument(figure);
}

TEST(Document, TurningABallBringsWhatFollowsItAndStopsWhereTheseStop) {
  Document document = makeBallLedDocument();
  EXPECT_EQ(document.pose.coordinates[0], 1.0);
  turnJoint(document, 1, 0, 0.6);
  const Eigen::Quaterniond turned(Eigen::AngleAxisd(0.6, Eigen::Vector3d::UnitX()));
  EXPECT_LT(jointRotation(*document.figure, document.pose, 2).angularDistance(turned), 1e-14);
  EXPECT_NEAR(document.pose.coordinates[0], 0.5 * (1.0 + std::cos(0.6)), 1e-15);
  turnJoint(document, 1, 0, 0.9);
  EXPECT_NEAR(document.pose.coordinates[0], 0.5 * (1.0 + std::cos(1.0)), 1e-9) << "the second ball's cone";
}

TEST(Document, TurningWhatFollowsABallTurnsTheBall) {
  Document document = makeBallLedDocument();
  turnJoint(document, 2, 2, 0.3);
  for (const int ball : {1, 2})
    EXPECT_LT(jointRotation(*document.figure, document.pose, ball)
                  .angularDistance(Eigen::Quaterniond(Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitZ()))),
              1e-14);
  turnJoint(document, 0, 0, -0.1);
  EXPECT_NEAR(document.pose.coordinates[0], 0.5 * (1.0 + std::cos(0.3)) - 0.1, 1e-12);
  document.couplingEnabled = {0, 1};
  turnJoint(document, 0, 0, -0.1);
  EXPECT_NEAR(document.pose.coordinates[0], 0.5 * (1.0 + std::cos(0.3)) - 0.2, 1e-12) << "untied it turns by itself";
}

TEST(Document, TurningStopsAtLinearLimitsAndCones) {
  FigureBuilder builder("tied");
  int parent = -1;
  for (int i = 0; i < 2; ++i)
    parent = builder.addLink({.name = std::to_string(i), .parent = parent}, {.type = JointType::Revolute});
  Joint ball{.type = JointType::Ball};
  ball.ballLimits = {.coneAxis = Eigen::Vector3d::UnitY(), .twistAxis = Eigen::Vector3d::UnitY(), .swing = 0.5};
  builder.addLink({.name = "ball", .parent = parent}, ball);
  builder.addLinearLimit({.name = "sum", .terms = {{0, 1.0}, {1, 1.0}}, .bounds = {-1.0, 1.0}});
  const auto figure = test::built(builder);
  Document document = makeDocument(figure);
  turnJoint(document, 0, 0, 0.75);
  turnJoint(document, 1, 0, 0.75);
  EXPECT_EQ(document.pose.coordinates[0], 0.75);
  EXPECT_NEAR(document.pose.coordinates[1], 0.25, 1e-9);
  turnJoint(document, 2, 0, 2.0);
  const Eigen::Vector3d bone = jointRotation(*figure, document.pose, 2) * Eigen::Vector3d::UnitY();
  EXPECT_NEAR(std::acos(bone.y()), 0.5, 1e-9);
}

TEST(Document, PinsAreOneALink) {
  Document document = makeDocument(makePlanarChain(3));
  turnJoint(document, 0, 0, 0.3);
  pinLink(document, 1, true, false, Eigen::Vector3d::UnitX());
  pinLink(document, 1, true, true);
  ASSERT_EQ(document.pins.size(), 1u);
  ASSERT_NE(findPin(document, 1), nullptr);
  EXPECT_TRUE(findPin(document, 1)->rotation);
  EXPECT_LT((findPin(document, 1)->worldFromLink.translation - Eigen::Vector3d(std::cos(0.3), std::sin(0.3), 0)).norm(),
            1e-15);
  EXPECT_EQ(findPin(document, 0), nullptr);
  pinLink(document, 1, false, false);
  EXPECT_TRUE(document.pins.empty()) << "a pin of nothing is none";
}

TEST(Document, ResetBringsTheRestPoseAndTheTargets) {
  Document document = makeDocument(makePlanarChain(3));
  turnJoint(document, 0, 0, 1.0);
  document.goals[0].target = {9, 9, 9};
  resetPose(document);
  EXPECT_TRUE(document.pose == restPose(*document.figure));
  EXPECT_EQ(document.goals[0].target, Eigen::Vector3d(3, 0, 0));
}

TEST(Document, GoalsKeepTheirIds) {
  Document document = makeDocument(makePlanarChain(3));
  const int first = document.goals[0].id;
  const int second = addGoal(document, 1, Eigen::Vector3d::Zero());
  document.selection.goal = second;
  removeGoal(document, second);
  EXPECT_EQ(document.selection.goal, -1);
  EXPECT_NE(addGoal(document, 1, Eigen::Vector3d::Zero()), second) << "ids are never reused";
  EXPECT_NE(findGoal(document, first), nullptr);
  EXPECT_EQ(findGoal(document, second), nullptr);
}

TEST(Motion, ChannelsMultiplyInTheirOrder) {
  const auto figure = makeBallChain(1);
  Motion motion;
  motion.channels = {{0, ChannelType::ZRotation}, {0, ChannelType::XRotation}, {0, ChannelType::YRotation}};
  motion.values = {90.0, 90.0, 0.0};
  motion.frameCount = 1;
  const Pose pose = motion.poseAt(*figure, 0);
  // Rz Rx y = Rz z = z.
  EXPECT_LT((jointRotation(*figure, pose, 0) * Eigen::Vector3d::UnitY() - Eigen::Vector3d::UnitZ()).norm(), 1e-15);
}

TEST(History, UndoAndRedoGiveBackDocuments) {
  History history;
  Document document = makeDocument(makePlanarChain(2));
  const Pose first = document.pose;
  history.record(document, "turn joint");
  turnJoint(document, 0, 0, 0.4);
  const Pose second = document.pose;
  EXPECT_EQ(history.undoLabel(), "turn joint");
  ASSERT_TRUE(history.undo(document));
  EXPECT_TRUE(document.pose == first);
  EXPECT_FALSE(history.undo(document));
  ASSERT_TRUE(history.redo(document));
  EXPECT_TRUE(document.pose == second);
  history.undo(document);
  history.record(document, "drag");
  EXPECT_FALSE(history.canRedo()) << "a new edit ends the redo line";
}

TEST(History, ForgetsTheOldestStepWhenFull) {
  History history(3);
  Document document = makeDocument(makePlanarChain(1));
  for (int i = 0; i < 5; ++i) {
    history.record(document, std::to_string(i));
    turnJoint(document, 0, 0, 0.1);
  }
  int undone = 0;
  while (history.undo(document)) ++undone;
  EXPECT_EQ(undone, 3);
}

}  // namespace
}  // namespace limber::document_test
