// SPDX-License-Identifier: MIT
#include "limber/posing/held_feet.h"

#include <Eigen/Geometry>

#include "limber/body/balance.h"
#include "limber/io/open.h"
#include "standing_figure.h"
#include "support/built_figure.h"

namespace limber::app::held_feet_test {
namespace {

std::vector<std::string> standingNames(const Figure& figure, const Pose& pose) {
  Kinematics kinematics;
  computeTransforms(figure, pose, kinematics);
  std::vector<std::string> names;
  for (const int link : standingLinks(figure, kinematics)) names.push_back(figure.link(link).name);
  return names;
}

using Names = std::vector<std::string>;

TEST(HeldFeet, AreTheFeetAndNotTheToes) {
  const auto figure = makeStandingFigure();
  EXPECT_EQ(standingNames(*figure, restPose(*figure)), (Names{"left_foot", "right_foot"}));
}

TEST(HeldFeet, NeedNoNames) {
  const auto figure = makeStandingFigure(false);
  EXPECT_EQ(standingNames(*figure, restPose(*figure)), (Names{"left_c", "right_c"}));
}

TEST(HeldFeet, LeaveOutTheRaisedOne) {
  const auto figure = makeStandingFigure();
  Pose pose = restPose(*figure);
  pose.coordinates[figure->joint(figure->findLink("left_shank")).poseIndex] = 1.0;
  EXPECT_EQ(standingNames(*figure, pose), (Names{"right_foot"}));
}

TEST(HeldFeet, LeaveOutAHandOnTheFloor) {
  const auto figure = makeStandingFigure(true, 1.39);
  EXPECT_EQ(standingNames(*figure, restPose(*figure)), (Names{"left_foot", "right_foot"}));
}

TEST(HeldFeet, WithoutFootNamesCountEveryLimbOnTheFloor) {
  const auto figure = makeStandingFigure(false, 1.39);
  EXPECT_EQ(standingNames(*figure, restPose(*figure)).size(), 3u);
}

TEST(HeldFeet, AreHeldByThreePointsThatFixEveryTurn) {
  const auto figure = makeStandingFigure();
  Kinematics kinematics;
  computeTransforms(*figure, restPose(*figure), kinematics);
  const auto holds = heldFeet(*figure, kinematics);
  ASSERT_EQ(holds.size(), 6u);
  for (std::size_t i = 0; i < holds.size(); i += 3) {
    const GoalItem& first = holds[i].goal;
    EXPECT_EQ(first.link, holds[i + 2].goal.link);
    const Eigen::Vector3d a = holds[i + 1].goal.target - first.target, b = holds[i + 2].goal.target - first.target;
    EXPECT_GT(a.cross(b).norm(), 1e-4);
  }
  for (const Hold& hold : holds) {
    const GoalItem& goal = hold.goal;
    const Eigen::Vector3d now = kinematics.worldFromLink[static_cast<std::size_t>(goal.link)] * goal.pointInLink;
    EXPECT_EQ(now, goal.target);
  }
}

TEST(HeldFeet, HoldTheHumanoidWhileItCrouches) {
  auto opened = io::openAny("humanoid");
  ASSERT_TRUE(opened) << opened.error().message();
  Document& document = opened->document;
  const Figure& figure = *document.figure;
  EXPECT_EQ(standingNames(figure, document.pose).size(), 2u);

  Kinematics before, after;
  computeTransforms(figure, document.pose, before);
  PosingRequest request;
  request.startPose = document.pose;
  request.freeRoot = true;
  request.holds = heldFeet(figure, before);
  // With flat feet the ankles allow a crouch of a few centimetres.
  const Eigen::Vector3d pelvis = before.worldFromLink[0].translation;
  request.drag = DragGoal{0, {0, 0, 0}, pelvis + Eigen::Vector3d(0.03, -0.05, 0.0), 1.0};
  Posing posing;
  solveToEnd(posing, document, request);
  computeTransforms(figure, document.pose, after);
  EXPECT_LT(after.worldFromLink[0].translation.y(), pelvis.y() - 0.04);
  for (const int foot : standingLinks(figure, before)) {
    const auto i = static_cast<std::size_t>(foot);
    EXPECT_LT((after.worldFromLink[i].translation - before.worldFromLink[i].translation).norm(), 1e-3)
        << figure.link(foot).name;
    EXPECT_LT((after.worldFromLink[i].rotation - before.worldFromLink[i].rotation).norm(), 1e-2);
  }
}

TEST(HeldFeet, AFigureOfOneLinkHasNone) {
  FigureBuilder builder("one");
  builder.addLink({.name = "box"}, {.name = "root", .type = JointType::Free});
  const auto figure = test::built(builder);
  EXPECT_TRUE(standingNames(*figure, restPose(*figure)).empty());
}

}  // namespace
}  // namespace limber::app::held_feet_test
