// SPDX-License-Identifier: MIT
#include "limber/kinematics/shortest_turn.h"
#include "render/marks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/figure_builder.h"
#include "render/palette.h"
#include "support/built_figure.h"

namespace limber::render::limit_marks_test {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kTolerance = 1e-12;  // of a few products of rotations
constexpr double kRadius = 0.3;

BallLimits skewLimits() {
  return {.coneAxis = Eigen::Vector3d(1, 0.3, 0.2).normalized(),
          .twistAxis = Eigen::Vector3d(0.2, 1, -0.4).normalized(),
          .swing = 0.9,
          .twist = {-0.5, 1.2}};
}

/// A hinge, a slide and a ball in a row, each turned and moved away from the world's axes.
struct Scene {
  Document document;
  Kinematics kinematics;
  DrawList list;

  Scene() {
    FigureBuilder builder("row");
    const Joint joints[] = {
        {.name = "hinge", .type = JointType::Revolute, .axis = Eigen::Vector3d(1, 2, 2) / 3.0, .limits = {-0.4, 1.3}},
        {.name = "slide", .type = JointType::Prismatic, .axis = Eigen::Vector3d(2, -1, 2) / 3.0, .limits = {-0.1, 0.5}},
        {.name = "ball", .type = JointType::Ball, .ballLimits = skewLimits()}};
    for (int i = 0; i < 3; ++i) {
      Joint joint = joints[i];
      joint.parentFromJoint = {Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, i, -1).normalized()).toRotationMatrix(),
                               {0.1, 0.4, -0.2}};
      builder.addLink({.name = joint.name, .parent = i - 1, .capsules = {{{0, 0, 0}, {0.1, 0.4, 0}, 0.03}}}, joint);
    }
    builder.setRest(2, middle().coeffs());
    auto figure = test::built(builder);
    document = makeDocument(figure);
    setCoordinate(0, 0.5);
    setCoordinate(1, 0.2);
  }

  /// Within the skew limits: half the swing, a little twist.
  static Eigen::Quaterniond middle() {
    const BallLimits limits = skewLimits();
    const Eigen::Quaterniond straight = shortestTurn(limits.twistAxis, limits.coneAxis);
    const Eigen::Vector3d across = limits.coneAxis.unitOrthogonal();
    return Eigen::AngleAxisd(0.45, across) * (Eigen::AngleAxisd(0.3, limits.coneAxis) * straight);
  }
  void setCoordinate(int joint, double value) {
    document.pose.coordinates[document.figure->joint(joint).poseIndex] = value;
  }
  DrawList& draw(int joint) {
    computeKinematics(*document.figure, document.pose, kinematics);
    list.capsules.clear();
    appendLimits(document, kinematics, joint, kRadius, list);
    return list;
  }
  Transform joint(int i) const { return worldFromJoint(*document.figure, kinematics, i); }
  const Transform& link(int i) const { return kinematics.worldFromLink[static_cast<std::size_t>(i)]; }
};

bool isAmber(const DrawCapsule& c) { return c.color.red == kOnLimit.red && c.color.green == kOnLimit.green; }
bool isBall(const DrawCapsule& c) { return c.start == c.end; }
long countAmber(const DrawList& list) { return std::count_if(list.capsules.begin(), list.capsules.end(), isAmber); }

TEST(LimitMarks, EveryDirectionOfTheConeHasTheLimitsSwing) {
  BallLimits limits = skewLimits();
  for (const double swing : {0.2, 0.9, 2.5}) {
    limits.swing = swing;
    for (int i = 0; i < 12; ++i) {
      const Eigen::Vector3d direction = onCone(limits, 2.0 * kPi * i / 12);
      const Eigen::Quaterniond rotation = shortestTurn(limits.twistAxis, direction);
      EXPECT_NEAR(swingTwist(limits, rotation).swing, swing, kTolerance);
    }
  }
}

TEST(LimitMarks, TheOutlineDrawnIsOnTheCone) {
  Scene scene;
  const BallLimits limits = skewLimits();
  int onOutline = 0;
  for (const DrawCapsule& c : scene.draw(2).capsules) {
    const Eigen::Vector3d arm = c.start - scene.link(2).translation;
    const Eigen::Vector3d inJoint = scene.joint(2).rotation.transpose() * arm.normalized();
    if (std::abs(arm.norm() - kRadius) > kTolerance || c.end == scene.link(2).translation) continue;
    ++onOutline;
    EXPECT_NEAR(std::acos(inJoint.dot(limits.coneAxis)), limits.swing, 1e-9);
  }
  EXPECT_GE(onOutline, 24);
}

TEST(LimitMarks, ATwistIsDrawnWhereALinkTwistedSoHasItsMark) {
  const BallLimits limits = skewLimits();
  const Eigen::Quaterniond rotation = Scene::middle();
  const SwingTwist present = swingTwist(limits, rotation);
  EXPECT_NEAR(present.twist, 0.3, kTolerance);
  const Eigen::Vector3d axis = rotation * limits.twistAxis;
  const Eigen::Vector3d mark = rotation.inverse() * atTwist(limits, rotation, present.twist);  // of the link
  for (const double twist : {limits.twist.lower, 0.0, limits.twist.upper}) {
    const Eigen::Quaterniond turned = Eigen::AngleAxisd(twist - present.twist, axis) * rotation;
    EXPECT_NEAR(swingTwist(limits, turned).twist, twist, kTolerance);
    EXPECT_NEAR(swingTwist(limits, turned).swing, present.swing, kTolerance);
    EXPECT_TRUE((turned * mark).isApprox(atTwist(limits, rotation, twist), kTolerance));
  }
}

/// Does a scene draw a line that starts or ends at a point?
bool drawsTo(const DrawList& list, const Eigen::Vector3d& point) {
  return std::any_of(list.capsules.begin(), list.capsules.end(), [&](const DrawCapsule& c) {
    return (c.start - point).norm() < 1e-9 || (c.end - point).norm() < 1e-9;
  });
}

TEST(LimitMarks, AHingesArcEndsWhereTheLimbStopsAtItsBounds) {
  Scene scene;
  scene.draw(0);
  const Eigen::Vector3d axis = scene.joint(0).rotation * scene.document.figure->joint(0).axis;
  const DrawList drawn = scene.list;
  for (const double angle : {-0.4, 1.3}) {
    scene.setCoordinate(0, angle);
    scene.draw(0);
    const Eigen::Vector3d child = scene.joint(1).translation - scene.link(0).translation;
    const Eigen::Vector3d across = (child - axis.dot(child) * axis).normalized();
    EXPECT_TRUE(drawsTo(drawn, scene.link(0).translation + kRadius * across)) << angle;
  }
}

TEST(LimitMarks, ASlidesBarEndsAtItsBounds) {
  Scene scene;
  scene.draw(1);
  const Eigen::Vector3d axis = scene.joint(1).rotation * scene.document.figure->joint(1).axis;
  EXPECT_TRUE(drawsTo(scene.list, scene.joint(1).translation - 0.1 * axis));
  EXPECT_TRUE(drawsTo(scene.list, scene.joint(1).translation + 0.5 * axis));
  EXPECT_TRUE(drawsTo(scene.list, scene.link(1).translation)) << "the ball at the present place";
}

TEST(LimitMarks, FollowTheDocumentAndNotTheFigure) {
  Scene scene;
  scene.document.joints[1].limits = {0.0, 2.0};
  scene.draw(1);
  const Eigen::Vector3d axis = scene.joint(1).rotation * scene.document.figure->joint(1).axis;
  EXPECT_TRUE(drawsTo(scene.list, scene.joint(1).translation + 2.0 * axis));
  scene.document.joints[2].ballLimits = {};
  EXPECT_FALSE(isLimited(scene.document, 2));
  EXPECT_TRUE(scene.draw(2).capsules.empty());
}

TEST(LimitMarks, AreAmberWithAKnobOnABoundOnly) {
  Scene scene;
  for (int joint = 0; joint < 3; ++joint) EXPECT_EQ(countAmber(scene.draw(joint)), 0) << joint;
  scene.setCoordinate(0, 1.3);
  EXPECT_GE(countAmber(scene.draw(0)), 2) << "spoke and needle";
  EXPECT_TRUE(std::any_of(scene.list.capsules.begin(), scene.list.capsules.end(),
                          [](const DrawCapsule& c) { return isAmber(c) && isBall(c); }));
  scene.setCoordinate(1, -0.1);
  EXPECT_GT(countAmber(scene.draw(1)), 2);
  const BallLimits limits = skewLimits();
  setJointRotation(*scene.document.figure, 2, shortestTurn(limits.twistAxis, onCone(limits, 1.0)), scene.document.pose);
  EXPECT_GT(countAmber(scene.draw(2)), 48) << "the cone and the collar";
}

TEST(LimitMarks, AMissingBoundHasNoEnd) {
  Scene scene;
  scene.document.joints[0].limits.upper = std::numeric_limits<double>::infinity();
  scene.setCoordinate(0, 3.0);
  for (const DrawCapsule& c : scene.draw(0).capsules) EXPECT_TRUE(c.start.allFinite() && c.end.allFinite());
  EXPECT_EQ(countAmber(scene.list), 0) << "no bound is near";
  EXPECT_FALSE(scene.list.capsules.empty());
}

TEST(LimitMarks, ALockIsAPadlock) {
  Scene scene;
  scene.draw(0);
  scene.list.capsules.clear();
  appendLock(scene.document, {}, scene.link(0).translation, 0, kRadius, scene.list);
  EXPECT_TRUE(scene.list.capsules.empty());
  scene.document.joints[0].locked = true;
  appendLock(scene.document, {}, scene.link(0).translation, 0, kRadius, scene.list);
  EXPECT_GE(scene.list.capsules.size(), 4u);
}

}  // namespace
}  // namespace limber::render::limit_marks_test
