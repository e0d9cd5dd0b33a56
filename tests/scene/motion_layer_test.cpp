// SPDX-License-Identifier: MIT
#include "limber/scene/motion_layer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/scene/document.h"
#include "support/built_figure.h"

namespace limber::motion_layer_test {
namespace {

constexpr int kFrames = 41;
constexpr double kFrameTime = 0.05;  // the fade of 0.25 s takes five frames

/// A moving chain of ball joints.
Document moving() {
  const auto figure = makeBallChain(4);
  auto motion = std::make_shared<Motion>();
  motion->name = "waves";
  motion->frameTime = kFrameTime;
  for (int frame = 0; frame < kFrames; ++frame) {
    Pose pose = restPose(*figure);
    for (int joint = 0; joint < figure->linkCount(); ++joint)
      setJointRotation(*figure, joint,
                       exponential(0.4 * Eigen::Vector3d(std::sin(0.1 * frame + joint), 0.02 * frame, 0.1 * joint)),
                       pose);
    motion->append(pose);
  }
  Document document = makeDocument(figure, motion);
  return document;
}

void turn(Document& document, int joint, const Eigen::Vector3d& by) {
  const Figure& figure = *document.figure;
  setJointRotation(figure, joint, jointRotation(figure, document.pose, joint) * exponential(by), document.pose);
}

double apart(const Document& document, int frame, int joint) {
  const Figure& figure = *document.figure;
  const Pose now = document.motion->poseAt(figure, frame), was = document.motion->bare().poseAt(figure, frame);
  return jointRotation(figure, now, joint).angularDistance(jointRotation(figure, was, joint));
}

TEST(MotionLayer, KeepsWhatWasPosedAndFadesOutBesideIt) {
  Document document = moving();
  showFrame(document, 20);
  EXPECT_FALSE(isUnkeyed(document));
  EXPECT_FALSE(keyLayer(document)) << "nothing differs";
  turn(document, 2, {0.5, 0.0, 0.0});
  const Pose posed = document.pose;
  EXPECT_TRUE(isUnkeyed(document));
  ASSERT_TRUE(keyLayer(document));
  EXPECT_FALSE(isUnkeyed(document));
  EXPECT_LT((document.pose.coordinates - posed.coordinates).cwiseAbs().maxCoeff(), 1e-12);
  ASSERT_EQ(document.motion->layer.tracks.size(), 1u) << "only what was turned";
  for (int frame = 0; frame < kFrames; ++frame) {
    EXPECT_EQ(apart(document, frame, 1), 0.0);
    const double away = std::abs(frame - 20) / 5.0, t = std::max(0.0, 1.0 - away);
    EXPECT_NEAR(apart(document, frame, 2), 0.5 * t * t * (3.0 - 2.0 * t), 1e-9) << frame;
  }
  showFrame(document, 3);
  showFrame(document, 20);
  EXPECT_LT((document.pose.coordinates - posed.coordinates).cwiseAbs().maxCoeff(), 1e-12) << "it is still there";
}

TEST(MotionLayer, GoesSmoothlyFromKeyToKey) {
  Document document = moving();
  showFrame(document, 10);
  turn(document, 0, {0.0, 0.0, 0.6});
  ASSERT_TRUE(keyLayer(document));
  showFrame(document, 30);
  ASSERT_TRUE(keyLayer(document, {0})) << "a key without a change ends the edit there";
  EXPECT_NEAR(apart(document, 10, 0), 0.6, 1e-9);
  EXPECT_NEAR(apart(document, 20, 0), 0.3, 1e-9);
  EXPECT_NEAR(apart(document, 30, 0), 0.0, 1e-9);
  for (int frame = 10; frame < 30; ++frame) EXPECT_LE(apart(document, frame + 1, 0), apart(document, frame, 0) + 1e-12);
  EXPECT_EQ(document.motion->layer.frames(), (std::vector<int>{10, 30}));
}

TEST(MotionLayer, WithoutItsKeysTheMotionIsWhatItWasToTheBit) {
  Document document = moving();
  document.clips = {std::make_shared<Motion>(*document.motion), document.motion};
  const auto before = document.motion;
  showFrame(document, 7);
  turn(document, 1, {0.1, 0.2, 0.3});
  turn(document, 3, {0.3, 0.0, 0.0});
  ASSERT_TRUE(keyLayer(document));
  EXPECT_EQ(document.clips[1], document.motion);
  EXPECT_EQ(document.motion->beneath, before) << "shared, not copied";
  ASSERT_TRUE(removeLayerKeys(document, {1}));
  EXPECT_EQ(apart(document, 7, 1), 0.0);
  EXPECT_NEAR(apart(document, 7, 3), 0.3, 1e-9);
  ASSERT_TRUE(removeLayerKeys(document));
  EXPECT_EQ(document.motion, before);
  EXPECT_EQ(document.clips[1], before);
  EXPECT_EQ(document.pose, before->poseAt(*document.figure, 7));
  EXPECT_FALSE(removeLayerKeys(document));
}

TEST(MotionLayer, StaysWithinLimitsBetweenKeysAndWhereTheMotionIsBeyondThem) {
  FigureBuilder builder("two hinges");
  for (int i = 0; i < 2; ++i) {
    Joint joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = JointType::Revolute;
    joint.limits = {-0.5, 0.5};
    builder.addLink({.name = "link" + std::to_string(i), .parent = i - 1}, joint);
  }
  const auto figure = test::built(builder);
  auto motion = std::make_shared<Motion>();
  motion->frameCount = 11;
  motion->frameTime = 0.1;
  for (int frame = 0; frame < 11; ++frame)
    motion->poses.insert(motion->poses.end(), {0.04 * frame, frame == 5 ? 0.7 : 0.0});
  Document document = makeDocument(figure, motion);
  document.pose.coordinates[0] = 0.5;
  ASSERT_TRUE(keyLayer(document));
  showFrame(document, 10);
  document.pose.coordinates[0] = 0.5;
  ASSERT_TRUE(keyLayer(document));
  for (int frame = 0; frame < 11; ++frame) {
    const Pose pose = document.motion->poseAt(*figure, frame);
    EXPECT_LE(pose.coordinates[0], 0.5);
    EXPECT_EQ(pose.coordinates[1], frame == 5 ? 0.7 : 0.0);
  }
}

TEST(MotionLayer, KeepsAFollowerThatWasPosedApartFromItsDriver) {
  FigureBuilder builder("tied");
  for (int i = 0; i < 2; ++i)
    builder.addLink({.name = "link" + std::to_string(i), .parent = i - 1}, {.type = JointType::Revolute});
  Coupling coupling{.name = "tied", .follower = 1};
  coupling.terms = {{.driver = 0, .coefficients = {1, 0, 0, 0}}};
  builder.addCoupling(coupling);
  const auto figure = test::built(builder);
  auto motion = std::make_shared<Motion>();
  motion->frameCount = 3;
  motion->poses.assign(6, 0.0);
  Document document = makeDocument(figure, motion);
  document.couplingEnabled = {0};
  document.pose.coordinates << 0.2, -0.3;
  ASSERT_TRUE(keyLayer(document));
  EXPECT_NEAR(document.pose.coordinates[0], 0.2, 1e-12);
  EXPECT_NEAR(document.pose.coordinates[1], -0.3, 1e-12);
}

TEST(MotionLayer, OtherFadesReachFartherOrNowhere) {
  Document document = moving();
  showFrame(document, 20);
  turn(document, 2, {0.5, 0.0, 0.0});
  ASSERT_TRUE(keyLayer(document));
  setFade(document, 0.0);
  EXPECT_EQ(apart(document, 19, 2), 0.0);
  EXPECT_NEAR(apart(document, 20, 2), 0.5, 1e-9);
  setFade(document, 1.0);
  EXPECT_GT(apart(document, 1, 2), 0.0);
  EXPECT_EQ(apart(document, 0, 2), 0.0);
}

TEST(MotionLayer, KeysMoveInTimeAndAreRemovedWhereTheyAre) {
  Document document = moving();
  showFrame(document, 10);
  turn(document, 1, {0.5, 0.0, 0.0});
  keyLayer(document);
  const double turned = apart(document, 10, 1);
  showFrame(document, 30);
  EXPECT_FALSE(moveLayerKeys(document, 11, 20)) << "no key there";
  ASSERT_TRUE(moveLayerKeys(document, 10, 24));
  EXPECT_EQ(document.motion->layer.frames(), std::vector<int>{24});
  EXPECT_NEAR(apart(document, 24, 1), turned, 1e-12);
  EXPECT_EQ(document.frame, 30);
  EXPECT_FALSE(removeLayerKeysAt(document, 10));
  ASSERT_TRUE(removeLayerKeysAt(document, 24));
  EXPECT_TRUE(document.motion->layer.isEmpty());
}

TEST(MotionLayer, AnEaseShapesTheWayToTheNextKeyOfAJoint) {
  Document document = moving();
  for (const auto& [frame, by] : {std::pair{10, 0.4}, std::pair{20, 0.8}}) {
    showFrame(document, frame);
    turn(document, 1, {by, 0.0, 0.0});
    turn(document, 2, {by, 0.0, 0.0});
    keyLayer(document);
  }
  const double smooth = apart(document, 13, 1), first = apart(document, 10, 1);
  EXPECT_FALSE(setLayerEase(document, 12, {.kind = Ease::Kind::Step})) << "no key there";
  ASSERT_TRUE(setLayerEase(document, 10, {.kind = Ease::Kind::Step}, 1));
  EXPECT_NEAR(apart(document, 19, 1), first, 1e-9);
  EXPECT_NEAR(apart(document, 13, 2), smooth, 1e-9) << "the other joint has no ease";
  ASSERT_TRUE(moveLayerKeys(document, 10, 12));
  EXPECT_EQ(layerEase(document, 12, 1)->kind, Ease::Kind::Step) << "the ease moves with its key";
  EXPECT_EQ(layerEase(document, 12, 2)->kind, Ease::Kind::Blend);
  ASSERT_TRUE(removeLayerKeysAt(document, 12));
  EXPECT_EQ(layerEase(document, 20, 1)->kind, Ease::Kind::Blend);
  EXPECT_FALSE(layerEase(document, 12));
}

}  // namespace
}  // namespace limber::motion_layer_test
