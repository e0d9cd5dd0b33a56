// SPDX-License-Identifier: MIT
#include "render/goal_marks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "limber/kinematics/standard_figures.h"
#include "limber/problem/goal_place.h"
#include "limber/problem/goal_types.h"
#include "limber/problem/new_goal.h"
#include "render/marks.h"
#include "render/palette.h"

namespace limber::render::goal_marks_test {
namespace {

constexpr double kTolerance = 1e-9;

/// Four balls in a line with one goal, planted where it is met.
struct Scene {
  Document document = makeDocument(makeBallChain(4));
  Kinematics kinematics;
  Highlight highlight;
  DrawList list;

  explicit Scene(GoalType type) {
    document.goals.clear();
    for (int joint = 0; joint < 4; ++joint)  // bent, so that the centre of mass is off the links
      setJointRotation(*document.figure, joint, exponential({0.2, 0.1 * joint, 0.5}), document.pose);
    const auto other =
        infoOf(type).other != OtherLink::None ? std::optional(endEffectorOf(*document.figure, 0)) : std::nullopt;
    addGoal(document, type, endEffectorOf(*document.figure, 3), other);
  }
  GoalItem& goal() { return document.goals.back(); }
  /// Changes the goal so that the pose does not meet it.
  void spoil() {
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.6, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
    goal().target += 0.4 * goal().targetFrame.col(0) + 0.3 * goal().targetFrame.col(1);
    goal().targetFrame = turn * goal().targetFrame;
    goal().distance = {2.9, 3.2};
    goal().frameInOther = turn * goal().frameInOther;
    goal().pointInOther += Eigen::Vector3d(0.2, 0, 0);
    if (goal().type == GoalType::KeepPose) setJointRotation(*document.figure, 1, exponential({0, 1, 0}), goal().kept);
  }
  const DrawList& draw() {
    computeKinematics(*document.figure, document.pose, kinematics);
    makeDrawList(document, kinematics, highlight, list);
    return list;
  }
};

using Predicate = std::function<bool(const DrawCapsule&)>;
long count(const DrawList& list, const Predicate& predicate) {
  return std::count_if(list.capsules.begin(), list.capsules.end(), predicate);
}
bool isOverlay(const DrawCapsule& c) { return c.layer == Layer::Overlay; }
bool isColor(const DrawCapsule& c, const Color& color) {
  return isOverlay(c) && c.color.red == color.red && c.color.green == color.green && c.color.blue == color.blue;
}
bool isMetColor(const DrawCapsule& c) { return isColor(c, kMet); }
bool isUnmetColor(const DrawCapsule& c) { return isColor(c, kUnmet); }
std::set<Grip> gripsOf(const DrawList& list, int goal) {
  std::set<Grip> grips;
  for (const DrawCapsule& c : list.capsules)
    if (c.goal == goal && c.grip != Grip::None) grips.insert(c.grip);
  return grips;
}

TEST(GoalMarks, OfEveryTypeAreGreenWithARingWhenMetAndRedWithoutWhenNot) {
  for (const GoalTypeInfo& info : goalTypes()) {
    SCOPED_TRACE(info.name);
    Scene met(info.type), unmet(info.type);
    unmet.spoil();
    EXPECT_EQ(count(met.draw(), isUnmetColor), 0);
    EXPECT_GE(count(met.list, isMetColor), 20) << "a ball and its ring";
    EXPECT_EQ(count(unmet.draw(), isMetColor), 0);
    EXPECT_GE(count(unmet.list, isUnmetColor), 1);
    for (const DrawCapsule& c : unmet.list.capsules) EXPECT_TRUE(c.start.allFinite() && c.end.allFinite());
  }
}

TEST(GoalMarks, OfEveryTypeCanBeTakenHoldOf) {
  for (const GoalTypeInfo& info : goalTypes()) {
    Scene scene(info.type);
    EXPECT_FALSE(gripsOf(scene.draw(), scene.goal().id).empty()) << info.name;
  }
}

TEST(GoalMarks, OfTheSelectedGoalAreLargeAndHaveHandles) {
  for (const GoalTypeInfo& info : goalTypes()) {
    SCOPED_TRACE(info.name);
    Scene scene(info.type);
    scene.spoil();
    const auto small = scene.draw().capsules.size();
    scene.document.selection.goal = scene.goal().id;
    EXPECT_GT(scene.draw().capsules.size(), small);
  }
}

TEST(GoalMarks, FramesHaveRingsAndDirectionsATip) {
  const View view = frameFigure({0, 0, 0}, {4, 4, 1}, false, 800, 600);
  for (const GoalType type : {GoalType::Orientation, GoalType::PositionOrientation}) {
    Scene scene(type);
    scene.highlight.view = &view;
    EXPECT_FALSE(gripsOf(scene.draw(), scene.goal().id).contains(Grip::TurnX)) << "not selected";
    scene.document.selection.goal = scene.goal().id;
    const std::set<Grip> grips = gripsOf(scene.draw(), scene.goal().id);
    for (const Grip grip : {Grip::TurnX, Grip::TurnY, Grip::TurnZ, Grip::TurnView}) EXPECT_TRUE(grips.contains(grip));
  }
  for (const GoalType type : {GoalType::Direction, GoalType::Line, GoalType::Plane, GoalType::HalfSpace}) {
    Scene scene(type);
    scene.document.selection.goal = scene.goal().id;
    EXPECT_TRUE(gripsOf(scene.draw(), scene.goal().id).contains(Grip::Tip)) << static_cast<int>(type);
  }
}

TEST(GoalMarks, ARingTurnsAboutItsAxis) {
  Scene scene(GoalType::PositionOrientation);
  scene.spoil();
  scene.document.selection.goal = scene.goal().id;
  for (const DrawCapsule& c : scene.draw().capsules)
    if (c.grip == Grip::TurnY) {
      EXPECT_NEAR((c.start - scene.goal().target).dot(scene.goal().targetFrame.col(1)), 0.0, kTolerance);
    }
}

TEST(GoalMarks, WashersStandAtTheBoundsOfADistance) {
  Scene scene(GoalType::Distance);
  scene.goal().distance = {0.5, 1.75};
  const DrawList& list = scene.draw();
  const Eigen::Vector3d from = otherPointOf(scene.kinematics, scene.goal());
  const Eigen::Vector3d along = (placeOfGoal(scene.document, scene.kinematics, scene.goal()).point - from).normalized();
  for (const auto& [grip, distance] : {std::pair(Grip::Shortest, 0.5), std::pair(Grip::Longest, 1.75)}) {
    EXPECT_GT(count(list, [g = grip](const DrawCapsule& c) { return c.grip == g; }), 0);
    for (const DrawCapsule& c : list.capsules)
      if (c.grip == grip) {
        EXPECT_NEAR((c.start - from).dot(along), distance, kTolerance);
      }
  }
  scene.goal().distance = {0.0, std::numeric_limits<double>::infinity()};
  EXPECT_EQ(gripsOf(scene.draw(), scene.goal().id), std::set<Grip>{Grip::Mark}) << "nothing is bounded";
}

TEST(GoalMarks, WhatTwoHandsHoldIsABarBetweenThem) {
  Scene scene(GoalType::Relative);
  scene.draw();
  const GoalItem& goal = scene.goal();
  const Eigen::Vector3d start = scene.kinematics.worldFromLink[0] * endEffectorOf(*scene.document.figure, 0).point;
  const Eigen::Vector3d end = scene.kinematics.worldFromLink[0] * goal.pointInOther;
  ASSERT_GT((end - start).norm(), scene.document.figure->meanLinkLength());
  const auto isBar = [&](const DrawCapsule& c) {
    return isOverlay(c) && (c.start - start).norm() < 1e-6 && (c.end - end).norm() < 1e-6;
  };
  EXPECT_EQ(count(scene.list, isBar), 1);
}

TEST(GoalMarks, IdleAlternativesAreFaint) {
  Scene scene(GoalType::Plane);
  scene.highlight.idleGoals = {scene.goal().id};
  for (const DrawCapsule& c : scene.draw().capsules) EXPECT_TRUE(!isOverlay(c) || c.color.alpha < 0.5f);
  scene.highlight.idleGoals = {scene.goal().id + 1};
  EXPECT_GT(count(scene.draw(), [](const DrawCapsule& c) { return isOverlay(c) && c.color.alpha > 0.9f; }), 0);
}

TEST(GoalMarks, TheGripUnderTheCursorIsLit) {
  Scene scene(GoalType::Line);
  scene.document.selection.goal = scene.goal().id;
  const auto tip = [&] {
    const DrawList& list = scene.draw();
    return *std::find_if(list.capsules.begin(), list.capsules.end(),
                         [](const DrawCapsule& c) { return c.grip == Grip::Tip; });
  };
  const float plain = tip().color.red;
  scene.highlight.hoveredGoal = scene.goal().id;
  scene.highlight.hoveredGrip = Grip::Target;
  EXPECT_EQ(tip().color.red, plain);
  scene.highlight.hoveredGrip = Grip::Tip;
  EXPECT_GT(tip().color.red, plain);
}

TEST(GoalMarks, LeastSizesGrowWithTheDisplaysScale) {
  Scene scene(GoalType::Position);
  const View view = frameFigure({-1000, -1000, -1000}, {1000, 1000, 1000}, false, 800, 600);
  scene.highlight.view = &view;
  const auto radius = [&] {
    for (const DrawCapsule& c : scene.draw().capsules)
      if (c.grip == Grip::Target) return c.radius;
    return 0.0;
  };
  const double plain = radius();
  scene.highlight.displayScale = 2.0;
  EXPECT_NEAR(radius(), 2.0 * plain, kTolerance);
}

TEST(GoalMarks, BrokenGoalsDrawNothing) {
  Scene scene(GoalType::Relative);
  scene.goal().otherLink = 17;
  EXPECT_EQ(count(scene.draw(), isOverlay), 0);
}

TEST(PinMarks, AreGreenWhileTheyHoldAndRedWithALineOtherwise) {
  Scene scene(GoalType::Position);
  scene.document.goals.clear();
  pinLink(scene.document, 2, true, true);
  EXPECT_EQ(count(scene.draw(), isUnmetColor), 0);
  EXPECT_GE(count(scene.list, isMetColor), 4);
  const Eigen::Vector3d place = scene.document.pins[0].worldFromLink.translation;
  scene.document.pins[0].worldFromLink.translation.x() += 0.9 * kPinTolerance * scene.list.figureSize;
  EXPECT_EQ(count(scene.draw(), isUnmetColor), 0) << "within the tolerance";
  scene.document.pins[0].worldFromLink.translation.x() += 0.2 * kPinTolerance * scene.list.figureSize;
  EXPECT_GT(count(scene.draw(), isUnmetColor), 0);
  EXPECT_EQ(count(scene.list, [&](const DrawCapsule& c) { return isUnmetColor(c) && c.start == place; }), 1);
}

TEST(PinMarks, AskOnlyForWhatIsPinned) {
  Scene scene(GoalType::Position);
  pinLink(scene.document, 2, true, false);
  Pin& pin = scene.document.pins[0];
  pin.worldFromLink.rotation = exponential({0, 0.4, 0}).toRotationMatrix() * pin.worldFromLink.rotation;
  scene.draw();
  EXPECT_TRUE(isHeld(*scene.document.figure, scene.kinematics, pin, scene.list.figureSize));
  pin.rotation = true;
  EXPECT_FALSE(isHeld(*scene.document.figure, scene.kinematics, pin, scene.list.figureSize));
}

TEST(PinMarks, SayByTheirShapeWhatIsPinned) {
  std::set<std::size_t> sizes;
  for (const auto& [position, rotation] : {std::pair(true, true), std::pair(true, false), std::pair(false, true)}) {
    Scene scene(GoalType::Position);
    scene.document.goals.clear();
    pinLink(scene.document, 2, position, rotation);
    sizes.insert(scene.draw().capsules.size());
  }
  EXPECT_EQ(sizes.size(), 3u);
}

}  // namespace
}  // namespace limber::render::goal_marks_test
