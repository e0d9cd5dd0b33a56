// SPDX-License-Identifier: MIT
#include "scene/goal_gap.h"

#include <gtest/gtest.h>

#include <numbers>

#include "kinematics/standard_figures.h"

namespace limber {
namespace {

constexpr double kTolerance = 1e-12;
constexpr double kPi = std::numbers::pi;

/// Three balls in a line, each link a metre long.
struct Scene {
  Document document = makeDocument(makeBallChain(3));
  Kinematics kinematics;
  GoalItem goal;

  Scene() {
    computeKinematics(*document.figure, document.pose, kinematics);
    goal.link = 2;
  }
  const Transform& link(int i) const { return kinematics.worldFromLink[static_cast<std::size_t>(i)]; }
  GoalGap gap(GoalType type) {
    goal.type = type;
    return findGoalGap(document, kinematics, goal);
  }
  Eigen::Vector3d point() const { return link(2) * goal.pointInLink; }
};

Eigen::Matrix3d turned(double angle, const Eigen::Vector3d& axis) {
  return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
}

TEST(GoalGap, OfAPositionIsTheWayToTheTarget) {
  Scene scene;
  scene.goal.target = scene.point() + Eigen::Vector3d(0.3, 0, 0.4);
  const GoalGap gap = scene.gap(GoalType::Position);
  EXPECT_NEAR(gap.length, 0.5, kTolerance);
  EXPECT_EQ(gap.angle, 0.0);
  EXPECT_FALSE(isMet(scene.document, gap));
}

TEST(GoalGap, OfAnOrientationIsTheWorstDirectionThatIsAskedFor) {
  Scene scene;
  scene.goal.target = {9, 9, 9};
  scene.goal.targetFrame = scene.link(2).rotation * turned(0.3, Eigen::Vector3d::UnitX());
  EXPECT_NEAR(scene.gap(GoalType::Orientation).angle, 0.3, kTolerance);
  EXPECT_EQ(scene.gap(GoalType::Orientation).length, 0.0) << "it has no place";
  EXPECT_NEAR(scene.gap(GoalType::Direction).angle, 0.0, kTolerance) << "roll about x is free";
  scene.goal.directionScale[1] = 0.0;
  EXPECT_NEAR(scene.gap(GoalType::Orientation).angle, 0.0, kTolerance) << "y is free";
}

TEST(GoalGap, LeavesOutAShareOfNothing) {
  Scene scene;
  scene.goal.target = scene.point() + Eigen::Vector3d(1, 0, 0);
  scene.goal.targetFrame = scene.link(2).rotation * turned(0.3, Eigen::Vector3d::UnitZ());
  scene.goal.positionShare = 1.0;
  EXPECT_EQ(scene.gap(GoalType::PositionOrientation).angle, 0.0);
  scene.goal.positionShare = 0.0;
  EXPECT_EQ(scene.gap(GoalType::PositionOrientation).length, 0.0);
}

TEST(GoalGap, OfAnAimIsTheAngleToTheTarget) {
  Scene scene;
  const Eigen::Vector3d x = scene.link(2).rotation.col(0), y = scene.link(2).rotation.col(1);
  scene.goal.target = scene.point() + 5.0 * (std::cos(0.2) * x + std::sin(0.2) * y);
  EXPECT_NEAR(scene.gap(GoalType::Aim).angle, 0.2, kTolerance);
  scene.goal.target = scene.point() - 5.0 * x;
  EXPECT_NEAR(scene.gap(GoalType::Aim).angle, kPi, kTolerance);
  scene.goal.target = scene.point();
  EXPECT_EQ(scene.gap(GoalType::Aim).angle, 0.0);
}

TEST(GoalGap, OfLinesAndPlanesEndsAtTheFoot) {
  Scene scene;
  scene.goal.targetFrame = turned(kPi / 2, Eigen::Vector3d::UnitZ());  // its x is the world's y
  scene.goal.target = scene.point() + Eigen::Vector3d(0.3, -0.7, 0.4);
  EXPECT_NEAR(scene.gap(GoalType::Line).length, 0.5, kTolerance);
  EXPECT_NEAR(scene.gap(GoalType::Plane).length, 0.7, kTolerance);
  EXPECT_NEAR(scene.gap(GoalType::HalfSpace).length, 0.0, kTolerance) << "above it already";
  scene.goal.target.y() += 1.0;
  const GoalGap gap = scene.gap(GoalType::HalfSpace);
  EXPECT_NEAR(gap.length, 0.3, kTolerance);
  EXPECT_NEAR((gap.wanted - scene.goal.target).y(), 0.0, kTolerance);
}

TEST(GoalGap, OfADistanceIsWhatItIsTooNearOrTooFar) {
  Scene scene;
  scene.goal.otherLink = 0;
  scene.goal.distance = {0.5, 1.5};
  GoalGap gap = scene.gap(GoalType::Distance);
  EXPECT_NEAR(gap.length, 0.5, kTolerance) << "two links apart";
  EXPECT_NEAR((gap.wanted - scene.link(0).translation).norm(), 1.5, kTolerance);
  scene.goal.distance = {3.0, std::numeric_limits<double>::infinity()};
  EXPECT_NEAR(scene.gap(GoalType::Distance).length, 1.0, kTolerance);
  scene.goal.distance = {1.0, 3.0};
  EXPECT_TRUE(isMet(scene.document, scene.gap(GoalType::Distance)));
  scene.goal.otherLink = -1;
  scene.goal.target = scene.point();
  EXPECT_NEAR(scene.gap(GoalType::Distance).length, 1.0, kTolerance) << "on the target itself";
}

TEST(GoalGap, OfARelativeGoalLooksAtBothLinks) {
  Scene scene;
  scene.goal.otherLink = 1;
  scene.goal.frameInOther = turned(0.4, Eigen::Vector3d::UnitZ());
  const GoalGap gap = scene.gap(GoalType::Relative);
  EXPECT_NEAR(gap.length, 1.0, kTolerance);
  EXPECT_NEAR(gap.angle, 0.4, kTolerance);
}

TEST(GoalGap, OfAKeptPoseIsTheJointThatIsOffMost) {
  Scene scene;
  scene.goal.kept = scene.document.pose;
  EXPECT_TRUE(isMet(scene.document, scene.gap(GoalType::KeepPose)));
  setJointRotation(*scene.document.figure, 1, exponential({0, 0.6, 0}), scene.goal.kept);
  const double off = jointRotation(*scene.document.figure, scene.document.pose, 1)
                         .angularDistance(jointRotation(*scene.document.figure, scene.goal.kept, 1));
  EXPECT_NEAR(scene.gap(GoalType::KeepPose).angle, off, kTolerance);
  scene.goal.kept = {};
  EXPECT_EQ(scene.gap(GoalType::KeepPose).angle, 0.0) << "of another figure";
}

TEST(GoalGap, OfTheCentreOfMassIsAlongTheGround) {
  Scene scene;
  const Eigen::Vector3d centre = findCentreOfMass(*scene.document.figure, scene.kinematics);
  scene.goal.target = centre + Eigen::Vector3d(0.3, 17.0, 0.4);
  EXPECT_NEAR(scene.gap(GoalType::CentreOfMass).length, 0.5, kTolerance);
}

TEST(GoalGap, OfAGoalOnNoLinkIsNothing) {
  Scene scene;
  scene.goal.link = 3;
  EXPECT_EQ(scene.gap(GoalType::Position).length, 0.0);
  scene.goal.link = 0;
  scene.goal.otherLink = -1;
  EXPECT_FALSE(isWellFormed(scene.document, [&] { scene.gap(GoalType::Relative); return scene.goal; }()));
  scene.goal.target.x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(scene.gap(GoalType::Position).length, 0.0);
}

}  // namespace
}  // namespace limber
