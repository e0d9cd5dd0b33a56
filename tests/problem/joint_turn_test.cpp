// SPDX-License-Identifier: MIT
#include "limber/problem/joint_turn.h"

#include <gtest/gtest.h>

#include <numbers>
#include <stdexcept>

#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/scene/document.h"

namespace limber::joint_turn_test {
namespace {

using V = Eigen::Vector3d;
constexpr double kTolerance = 1e-12;  // of a product of quaternions
constexpr double kSwing = 0.8;

Document withCone() {
  Document document = makeDocument(makeBallChain(3));
  document.joints[1].ballLimits = {
      .coneAxis = V::UnitY(), .twistAxis = V::UnitY(), .swing = kSwing, .twist = {-0.6, 0.6}};
  return document;
}

double swingOf(const Document& document) {
  return swingTwist(document.joints[1].ballLimits, jointRotation(*document.figure, document.pose, 1)).swing;
}

TEST(JointTurn, TurnsABallAboutAnAxisOfItsJoint) {
  Document document = makeDocument(makeBallChain(2));
  const V axis = V(1, 2, -1).normalized();
  turnAbout(document, 1, axis, 2.5);
  EXPECT_LT(jointRotation(*document.figure, document.pose, 1)
                .angularDistance(Eigen::Quaterniond(Eigen::AngleAxisd(2.5, axis))),
            1e-7);
  EXPECT_TRUE(isValid(*document.figure, document.pose));
}

TEST(JointTurn, StopsAtTheConeAndNeverComesOutAcross) {
  for (const double angle : {0.5, 1.0, 3.0, 4.5, 6.0, -4.5, 20.0}) {
    Document document = withCone();
    turnAbout(document, 1, V::UnitX(), angle);
    EXPECT_LE(swingOf(document), kSwing + kTolerance);
    EXPECT_NEAR(swingOf(document), std::min(std::abs(angle), kSwing), 1e-6);
    const V up = jointRotation(*document.figure, document.pose, 1) * V::UnitY();
    EXPECT_GT(up.z() * angle, 0.0) << "on the side that it was turned to, at " << angle;
  }
}

TEST(JointTurn, GoesAlongTheConeWhereTheTurnLeadsThere) {
  Document document = withCone();
  document.joints[1].ballLimits.twist = {};
  turnAbout(document, 1, V::UnitX(), 2.0);  // onto the cone
  turnAbout(document, 1, V::UnitY(), 1.0);  // round it
  EXPECT_NEAR(swingOf(document), kSwing, 1e-6);
  const V up = jointRotation(*document.figure, document.pose, 1) * V::UnitY();
  EXPECT_NEAR(std::atan2(up.x(), up.z()), 1.0, 1e-6) << "a limit is not sticky";
}

TEST(JointTurn, IsTheSameForTheSameAngle) {
  Document once = withCone(), again = withCone();
  turnAbout(once, 1, V(1, 1, 0).normalized(), 1.7);
  turnAbout(again, 1, V(1, 1, 0).normalized(), 1.7);
  EXPECT_EQ(once.pose, again.pose);
}

TEST(JointTurn, LeavesOtherJointsAndBadNumbersAlone) {
  Document document = makeDocument(makePlanarChain(2));
  const Pose before = document.pose;
  turnAbout(document, 1, V::UnitZ(), 1.0);
  shiftFree(document, 1, V::UnitX());
  EXPECT_EQ(document.pose, before);
  Document ball = makeDocument(makeBallChain(2));
  const Pose rest = ball.pose;
  turnAbout(ball, 1, V::UnitZ(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(ball.pose, rest);
}

TEST(JointTurn, ShiftsAFreeJoint) {
  FigureBuilder builder("loose");
  Joint joint{.name = "root", .type = JointType::Free};
  joint.parentFromJoint.rotation = Eigen::AngleAxisd(0.5 * std::numbers::pi, V::UnitZ()).toRotationMatrix();
  builder.addLink({.name = "body", .parent = -1, .capsules = {{V(0, 0, 0), V(0, 1, 0), 0.1}}}, joint);
  std::string error;
  Document document = makeDocument(builder.build(error));
  turnAbout(document, 0, V::UnitY(), 0.7);
  shiftFree(document, 0, V(0.3, 0.0, 0.0));
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  EXPECT_LT((kinematics.worldFromLink[0].translation - V(0.0, 0.3, 0.0)).norm(), 1e-12) << "x of its joint is y here";
}

TEST(JointTurn, BringsAlongTheTargetsThatItMovedAndNoOthers) {
  Document before = makeDocument(makeBallChain(3));
  before.goals.clear();
  const int low = addGoal(before, 0, V(0.0, 0.5, 0.0)), high = addGoal(before, 2, V(0.0, 1.0, 0.0));
  findGoal(before, low)->target = V(5, 5, 5);  // unmet: it stays asked for
  Document document = before;
  turnAbout(document, 1, V::UnitX(), 0.6);
  EXPECT_EQ(bringTargetsAlong(before, document), 1);
  EXPECT_EQ(findGoal(document, low)->target, V(5, 5, 5));
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  EXPECT_LT((findGoal(document, high)->target - kinematics.worldFromLink[2] * V(0, 1, 0)).norm(), 1e-12);
}

}  // namespace
}  // namespace limber::joint_turn_test
