// SPDX-License-Identifier: MIT
#include "limber/problem/goal_error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/kinematics/standard_figures.h"
#include "limber/problem/joint_turn.h"
#include "limber/scene/document.h"

namespace limber::goal_error_test {
namespace {

/// Two links of one metre along x; the end effector is at the tip and has the link's orientation.
struct Arm {
  Document document = makeDocument(makePlanarChain(2));
  GoalItem goal;

  Arm() {
    goal.link = 1;
    goal.pointInLink = {1, 0, 0};
  }
  GoalError error(GoalType type) {
    goal.type = type;
    Kinematics kinematics;
    computeTransforms(*document.figure, document.pose, kinematics);
    return goalErrorOf(document, kinematics, goal);
  }
};

Eigen::Matrix3d aboutZ(double angle) { return Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()).toRotationMatrix(); }

TEST(GoalError, OfAPointIsTheDistanceToItsPlaceLineOrPlane) {
  Arm arm;
  arm.goal.target = {2, 3, 4};
  EXPECT_NEAR(arm.error(GoalType::Position).length, 5.0, 1e-12);
  EXPECT_EQ(arm.error(GoalType::Position).angle, -1.0);
  EXPECT_NEAR(arm.error(GoalType::Line).length, 5.0, 1e-12);
  EXPECT_NEAR(arm.error(GoalType::Plane).length, 0.0, 1e-12);
  arm.goal.targetFrame = aboutZ(std::numbers::pi / 2);  // the normal is y
  EXPECT_NEAR(arm.error(GoalType::Line).length, 4.0, 1e-12);
  EXPECT_NEAR(arm.error(GoalType::Plane).length, 3.0, 1e-12);
  EXPECT_NEAR(arm.error(GoalType::HalfSpace).length, 3.0, 1e-12);
  arm.goal.target.y() = -3.0;
  EXPECT_EQ(arm.error(GoalType::HalfSpace).length, 0.0);
}

TEST(GoalError, OfDirectionsIsTheAngleOfTheRotationOrOfTheOneThatIsNotFree) {
  Arm arm;
  arm.goal.targetFrame = aboutZ(0.3);
  EXPECT_NEAR(arm.error(GoalType::Orientation).angle, 0.3, 1e-12);
  arm.goal.targetFrame = Eigen::AngleAxisd(0.5, Eigen::Vector3d(1, 2, 2) / 3.0).toRotationMatrix();
  EXPECT_NEAR(arm.error(GoalType::Orientation).angle, 0.5, 1e-12);
  arm.goal.targetFrame = aboutZ(0.3) * Eigen::AngleAxisd(0.2, Eigen::Vector3d::UnitX());
  EXPECT_EQ(arm.error(GoalType::Orientation).length, -1.0);
  EXPECT_NEAR(arm.error(GoalType::Direction).angle, 0.3, 1e-12);
  arm.goal.directionScale[1] = 0.0;
  EXPECT_NEAR(arm.error(GoalType::Orientation).angle, 0.3, 1e-12);
  arm.goal.directionScale[0] = 0.0;
  EXPECT_EQ(arm.error(GoalType::Orientation).angle, -1.0);
}

TEST(GoalError, OfAimingIsTheAngleToTheTargetAndNothingAtTheTargetItself) {
  Arm arm;
  arm.goal.target = {3, 1, 0};
  EXPECT_NEAR(arm.error(GoalType::Aim).angle, std::numbers::pi / 4, 1e-12);
  arm.goal.target = {1, 0, 0};
  EXPECT_NEAR(arm.error(GoalType::Aim).angle, std::numbers::pi, 1e-12);
  arm.goal.target = {2, 0, 0};
  EXPECT_EQ(arm.error(GoalType::Aim).angle, 0.0);
}

TEST(GoalError, OfADistanceIsWhatLiesOutsideTheBounds) {
  Arm arm;
  arm.goal.target = {2, 1, 0};
  arm.goal.distance = {0.5, 0.75};
  EXPECT_NEAR(arm.error(GoalType::Distance).length, 0.25, 1e-12);
  arm.goal.distance = {0.5, 1.5};
  EXPECT_EQ(arm.error(GoalType::Distance).length, 0.0);
  arm.goal.otherLink = 0;
  EXPECT_NEAR(arm.error(GoalType::Distance).length, 0.5, 1e-12);
}

TEST(GoalError, OfTwoLinksIsBetweenTheirFrames) {
  Arm arm;
  turnJoint(arm.document, 1, 0, 0.4);
  arm.goal.pointInLink.setZero();
  arm.goal.otherLink = 0;
  const GoalError error = arm.error(GoalType::Relative);
  EXPECT_NEAR(error.length, 1.0, 1e-12);
  EXPECT_NEAR(error.angle, 0.4, 1e-12);
}

TEST(GoalError, OfAPoseIsItsWorstJoint) {
  Arm arm;
  arm.goal.kept = arm.document.pose;
  turnJoint(arm.document, 0, 0, 0.1);
  turnJoint(arm.document, 1, 0, -0.4);
  EXPECT_NEAR(arm.error(GoalType::KeepPose).angle, 0.4, 1e-12);
  arm.goal.chain = {0};
  EXPECT_NEAR(arm.error(GoalType::KeepPose).angle, 0.1, 1e-12);
}

TEST(GoalError, OfTheCentreOfMassLeavesTheHeightFree) {
  Arm arm;
  Kinematics kinematics;
  computeTransforms(*arm.document.figure, arm.document.pose, kinematics);
  const Eigen::Vector3d centre = centreOfMassOf(*arm.document.figure, kinematics);
  EXPECT_NEAR(centre.x(), 1.0, 0.2);
  arm.goal.target = centre + Eigen::Vector3d(0.3, 7.0, 0.4);
  EXPECT_NEAR(arm.error(GoalType::CentreOfMass).length, 0.5, 1e-12);
}

TEST(GoalError, OfAPinIsHowFarTheLinkHasGone) {
  Arm arm;
  pinLink(arm.document, 1, true, true, {1, 0, 0});
  Pin pin = arm.document.pins[0];
  turnJoint(arm.document, 0, 0, std::numbers::pi / 2);
  Kinematics kinematics;
  computeTransforms(*arm.document.figure, arm.document.pose, kinematics);
  EXPECT_NEAR(pinErrorOf(kinematics, pin).length, 2.0 * std::numbers::sqrt2, 1e-12);
  EXPECT_NEAR(pinErrorOf(kinematics, pin).angle, std::numbers::pi / 2, 1e-12);
  pin.rotation = false;
  EXPECT_EQ(pinErrorOf(kinematics, pin).angle, -1.0);
}

TEST(GoalError, IsMetWithinTheToleranceOfLengthAndAngle) {
  const Document document = makeDocument(makePlanarChain(2));
  const double tolerance = document.solver.reachedTolerance;
  EXPECT_TRUE(isMet(document, {}));
  EXPECT_TRUE(isMet(document, {tolerance, tolerance}));
  EXPECT_FALSE(isMet(document, {1.01 * tolerance, -1.0}));
  EXPECT_FALSE(isMet(document, {0.0, 1.01 * tolerance}));
}

}  // namespace
}  // namespace limber::goal_error_test
