// SPDX-License-Identifier: MIT
#include "limber/problem/goal_place.h"

#include <gtest/gtest.h>

#include <numbers>

#include "limber/kinematics/standard_figures.h"
#include "limber/problem/goal_error.h"
#include "limber/scene/document.h"

namespace limber::goal_place_test {
namespace {

constexpr double kTolerance = 1e-12;

/// A straight chain of three ball joints with links of one metre.
struct Scene {
  Document document = makeDocument(makeBallChain(3));
  Kinematics kinematics;
  GoalItem goal;

  Scene() {
    computeKinematics(*document.figure, document.pose, kinematics);
    goal.link = 2;
    goal.target = point() + Eigen::Vector3d(0.3, -0.7, 0.4);
    goal.targetFrame = Eigen::AngleAxisd(std::numbers::pi / 2, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  }
  const Transform& link(int i) const { return kinematics.worldFromLink[static_cast<std::size_t>(i)]; }
  Eigen::Vector3d point() const { return link(2) * goal.pointInLink; }
  GoalPlace place(GoalType type) {
    goal.type = type;
    return placeOfGoal(document, kinematics, goal);
  }
};

TEST(GoalPlace, IsAsFarFromTheEndEffectorAsTheGoalIsFromMet) {
  Scene scene;
  scene.goal.distance = {0.1, 0.25};
  for (const GoalType type : {GoalType::Position, GoalType::PositionOrientation, GoalType::Line, GoalType::Plane,
                              GoalType::HalfSpace, GoalType::Distance, GoalType::CentreOfMass}) {
    const GoalPlace place = scene.place(type);
    const GoalError error = goalErrorOf(scene.document, scene.kinematics, scene.goal);
    EXPECT_NEAR((place.wanted - place.point).norm(), error.length, kTolerance) << static_cast<int>(type);
  }
}

TEST(GoalPlace, LiesOnTheLineOrThePlane) {
  Scene scene;
  EXPECT_TRUE(scene.place(GoalType::Line).wanted.isApprox(scene.goal.target + Eigen::Vector3d(0, 0.7, 0), kTolerance));
  EXPECT_TRUE(scene.place(GoalType::Plane).wanted.isApprox(scene.point() + Eigen::Vector3d(0, -0.7, 0), kTolerance));
  EXPECT_EQ(scene.place(GoalType::HalfSpace).wanted, scene.point()) << "above it already";
}

TEST(GoalPlace, OfADirectionTurnsTheShortWay) {
  Scene scene;
  const GoalPlace place = scene.place(GoalType::Direction);
  EXPECT_TRUE(place.wantedFrame.col(0).isApprox(Eigen::Vector3d::UnitY(), kTolerance));
  EXPECT_EQ(place.wanted, place.point) << "a direction has no place";
  EXPECT_TRUE(scene.place(GoalType::Aim)
                  .wantedFrame.col(0)
                  .isApprox((scene.goal.target - scene.point()).normalized(), kTolerance));
  scene.goal.target = scene.point();
  EXPECT_TRUE(scene.place(GoalType::Aim).wantedFrame.allFinite()) << "a target on the aiming point";
}

TEST(GoalPlace, OfADistanceLiesOnTheLineThroughBoth) {
  Scene scene;
  scene.goal.otherLink = 0;
  scene.goal.distance = {0.5, 1.5};
  const GoalPlace place = scene.place(GoalType::Distance);
  EXPECT_NEAR((place.wanted - scene.link(0).translation).norm(), 1.5, kTolerance);
  EXPECT_NEAR((place.wanted - place.point).norm(), 0.5, kTolerance) << "two links apart";
  scene.goal.otherLink = -1;
  scene.goal.target = scene.point();
  EXPECT_NEAR((scene.place(GoalType::Distance).wanted - scene.point()).norm(), 0.5, kTolerance) << "on the other point";
}

TEST(GoalPlace, OfARelativeGoalIsTheOtherLinks) {
  Scene scene;
  scene.goal.otherLink = 1;
  scene.goal.pointInOther = {0, 0.2, 0};
  EXPECT_EQ(scene.place(GoalType::Relative).wanted, scene.link(1) * scene.goal.pointInOther);
}

TEST(GoalPlace, NeedsLinksAndNumbers) {
  Scene scene;
  EXPECT_TRUE(isWellFormed(scene.document, scene.goal));
  scene.goal.type = GoalType::Relative;
  EXPECT_FALSE(isWellFormed(scene.document, scene.goal)) << "relative to nothing";
  scene.goal.type = GoalType::KeepPose;
  EXPECT_FALSE(isWellFormed(scene.document, scene.goal)) << "no pose is kept";
  scene.goal.type = GoalType::Position;
  scene.goal.target.x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(isWellFormed(scene.document, scene.goal));
  scene.goal.target.x() = 0.0;
  scene.goal.link = 3;
  EXPECT_FALSE(isWellFormed(scene.document, scene.goal));
  EXPECT_EQ(scene.place(GoalType::Position).wanted, Eigen::Vector3d(0, 0, 0));
}

}  // namespace
}  // namespace limber::goal_place_test
