// SPDX-License-Identifier: MIT
#include "app/drag/goal_handles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "app/drag/free_drag.h"
#include "app/view/camera.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/problem/bend.h"
#include "limber/problem/goal_place.h"
#include "limber/problem/new_goal.h"

namespace limber::app::goal_handles_test {
namespace {

using render::Grip;
using V = Eigen::Vector3d;

constexpr int kWidth = 800, kHeight = 600;
constexpr double kTolerance = 1e-9;

/// One selected goal on a chain of balls (or hinges), seen from somewhere.
struct Scene {
  Document document;
  Kinematics kinematics;
  render::Highlight highlight;
  render::DrawList list;
  render::View view;

  explicit Scene(GoalType type, std::shared_ptr<const Figure> figure = makeBallChain(3), double yaw = 0.6)
      : document(makeDocument(std::move(figure))) {
    document.goals.clear();
    document.selection.goal = addGoal(document, type, endEffectorOf(*document.figure, 2));
    computeKinematics(*document.figure, document.pose, kinematics);
    render::makeDrawList(document, kinematics, {}, list);
    Camera camera = frameAll(list.boundsMin, list.boundsMax, document.figure->isPlanar(), kWidth, kHeight);
    if (!document.figure->isPlanar()) camera.yaw = yaw;
    view = viewOf(camera, kWidth, kHeight);
    refresh();
  }
  void refresh() {
    highlight.view = &view;
    render::makeDrawList(document, kinematics, highlight, list);
  }
  GoalItem& goal() { return document.goals.back(); }
  Eigen::Vector2d pixel(const Eigen::Vector3d& point) const { return *render::projectToPixel(view, point); }
  /// The hit in the middle of the n-th capsule of a grip.
  std::pair<Hit, Eigen::Vector2d> take(Grip grip, int skip = 0) const {
    for (const render::DrawCapsule& c : list.capsules) {
      if (c.grip != grip || skip-- > 0) continue;
      const Eigen::Vector3d middle = 0.5 * (c.start + c.end);
      return {Hit{-1, c.goal, middle, 1.0, grip}, pixel(middle)};
    }
    ADD_FAILURE() << "no such grip";
    return {};
  }
};

TEST(GoalHandles, ASwivelsKnobTurnsWhereTheBendPoints) {
  Scene scene(GoalType::Swivel);
  setJointRotation(*scene.document.figure, 2, exponential({0.0, 0.0, 1.2}), scene.document.pose);
  computeKinematics(*scene.document.figure, scene.document.pose, scene.kinematics);
  moveTargetToEndEffector(scene.document, scene.kinematics, scene.goal());
  scene.refresh();
  const auto limb = limbOf(scene.document, scene.kinematics, scene.goal());
  ASSERT_TRUE(limb);
  const auto [hit, at] = scene.take(Grip::Tip);
  const auto handle = beginDrag(scene.document, scene.kinematics, hit, scene.view, at.x(), at.y());
  const Eigen::Vector3d before = scene.goal().targetFrame.col(0);
  ASSERT_TRUE(handle->move(scene.document, scene.view, at.x() + 40, at.y() + 25));
  const Eigen::Vector3d after = scene.goal().targetFrame.col(0);
  EXPECT_LT((before - limb->bend).norm(), kTolerance) << "planted toward where it bends";
  EXPECT_GT((after - before).norm(), 0.05);
  EXPECT_NEAR(after.norm(), 1.0, kTolerance);
  EXPECT_FALSE(hasMovableTarget(scene.goal()));
}

TEST(GoalHandles, AreExactlyAsBeforeWhereTheyWereTaken) {
  for (const auto& [type, grip] :
       {std::pair(GoalType::Orientation, Grip::TurnX), std::pair(GoalType::PositionOrientation, Grip::TurnZ),
        std::pair(GoalType::Orientation, Grip::TurnView), std::pair(GoalType::Direction, Grip::Tip),
        std::pair(GoalType::Plane, Grip::Tip), std::pair(GoalType::Line, Grip::Tip)}) {
    Scene scene(type);
    const auto [hit, at] = scene.take(grip, 5 * (grip != Grip::Tip));
    const Eigen::Vector2d off = at + Eigen::Vector2d(2, -1);  // a cursor never hits the middle
    const auto drag = beginDrag(scene.document, scene.kinematics, hit, scene.view, off.x(), off.y());
    ASSERT_FALSE(dynamic_cast<SlideDrag*>(drag.get()));
    const Eigen::Matrix3d before = scene.goal().targetFrame;
    ASSERT_TRUE(drag->move(scene.document, scene.view, off.x(), off.y()));
    EXPECT_TRUE(scene.goal().targetFrame.isApprox(before, kTolerance)) << static_cast<int>(grip);
    ASSERT_TRUE(drag->move(scene.document, scene.view, off.x() + 30, off.y() + 20));
    EXPECT_FALSE(scene.goal().targetFrame.isApprox(before, 1e-3));
    EXPECT_TRUE((scene.goal().targetFrame.transpose() * scene.goal().targetFrame).isIdentity(kTolerance));
    EXPECT_EQ(scene.goal().target, drag->before.goals[0].target) << "a turn moves nothing";
    EXPECT_FALSE(drag->request.drag) << "no link is pulled";
  }
}

TEST(GoalHandles, ARingTurnsAboutItsAxisAsFarAsTheCursorGoesAround) {
  Scene scene(GoalType::PositionOrientation);
  for (const Grip grip : {Grip::TurnX, Grip::TurnY, Grip::TurnZ}) {
    const int axis = static_cast<int>(grip) - static_cast<int>(Grip::TurnX);
    const Eigen::Matrix3d before = scene.goal().targetFrame;
    const auto [from, at] = scene.take(grip, 10);
    const auto [to, there] = scene.take(grip, 17);
    if (std::abs((from.point - scene.view.eye).normalized().dot(before.col(axis))) < 0.2) continue;  // edge on
    const auto drag = beginDrag(scene.document, scene.kinematics, from, scene.view, at.x(), at.y());
    ASSERT_TRUE(drag->move(scene.document, scene.view, there.x(), there.y()));
    EXPECT_TRUE(scene.goal().targetFrame.col(axis).isApprox(before.col(axis), kTolerance));
    const Eigen::AngleAxisd turn(Eigen::Matrix3d(scene.goal().targetFrame * before.transpose()));
    EXPECT_NEAR(turn.angle(), 7 * 2 * std::numbers::pi / 64, 1e-6) << "seven of the ring's 64 pieces";
    scene.goal().targetFrame = before;
  }
}

TEST(GoalHandles, ARingSeenEdgeOnStillTurns) {
  Scene scene(GoalType::PositionOrientation, makeBallChain(3), 0.0);
  scene.goal().targetFrame.setIdentity();
  scene.goal().targetFrame.col(0) = scene.view.up.cross(render::forwardDirection(scene.view)).normalized();
  scene.goal().targetFrame.col(2) = render::forwardDirection(scene.view);
  scene.goal().targetFrame.col(1) = scene.goal().targetFrame.col(2).cross(scene.goal().targetFrame.col(0));
  scene.refresh();
  Hit hit{-1, scene.goal().id, {}, 1.0, Grip::TurnX};
  hit.point = scene.goal().target - 0.3 * render::forwardDirection(scene.view);
  const Eigen::Vector2d at = scene.pixel(hit.point);
  const auto drag = beginDrag(scene.document, scene.kinematics, hit, scene.view, at.x(), at.y());
  EXPECT_TRUE(dynamic_cast<TurnDrag&>(*drag).ring.isEdgeOn);
  const Eigen::Matrix3d before = scene.goal().targetFrame;
  ASSERT_TRUE(drag->move(scene.document, scene.view, at.x(), at.y() - 20));
  const Eigen::AngleAxisd turn(Eigen::Matrix3d(scene.goal().targetFrame * before.transpose()));
  const V from = render::rayThroughPixel(scene.view, at.x(), at.y()).direction;
  const V to = render::rayThroughPixel(scene.view, at.x(), at.y() - 20).direction;
  const double way =
      (hit.point - scene.view.eye).norm() * std::tan(std::acos(from.dot(to)));  // across the line of sight
  EXPECT_NEAR(turn.angle(), way / 0.3, 1e-6);
}

TEST(GoalHandles, ATipGoesUnderTheCursor) {
  Scene scene(GoalType::Line);
  const auto [hit, at] = scene.take(Grip::Tip);
  const auto handle = beginDrag(scene.document, scene.kinematics, hit, scene.view, at.x(), at.y());
  const Eigen::Vector2d centre = scene.pixel(scene.goal().target),
                        to = at + 0.5 * (centre - at) + Eigen::Vector2d(5, 9);
  ASSERT_TRUE(handle->move(scene.document, scene.view, to.x(), to.y()));
  scene.refresh();
  EXPECT_LT((scene.take(Grip::Tip).second - to).norm(), 1e-3) << "pixels";
  ASSERT_TRUE(handle->move(scene.document, scene.view, 5000, -3000)) << "beside the ball it turns to the cursor";
  EXPECT_TRUE(scene.goal().targetFrame.allFinite());
}

TEST(GoalHandles, OfAPlanarFigureTurnInItsPlane) {
  Scene scene(GoalType::Direction, makePlanarChain(3));
  const auto [hit, at] = scene.take(Grip::Tip);
  const auto drag = beginDrag(scene.document, scene.kinematics, hit, scene.view, at.x(), at.y());
  ASSERT_TRUE(drag->move(scene.document, scene.view, at.x() - 10, at.y() - 25));
  EXPECT_NEAR(scene.goal().targetFrame(2, 0), 0.0, kTolerance);
  EXPECT_GT(scene.goal().targetFrame(1, 0), 0.1);
}

TEST(GoalHandles, AWasherSetsItsBoundAndNeverPassesTheOther) {
  Scene scene(GoalType::Distance);
  scene.goal().target = scene.kinematics.worldFromLink[0].translation;
  scene.goal().distance = {1.0, 2.0};
  scene.refresh();
  const Eigen::Vector3d from = scene.goal().target;
  const Eigen::Vector3d along = (placeOfGoal(scene.document, scene.kinematics, scene.goal()).point - from).normalized();
  const Hit hit{-1, scene.goal().id, from + 2.0 * along, 1.0, Grip::Longest};
  const Eigen::Vector2d at = scene.pixel(hit.point), to = scene.pixel(from + 1.5 * along), in = scene.pixel(from);
  const auto handle = beginDrag(scene.document, scene.kinematics, hit, scene.view, at.x(), at.y());
  ASSERT_TRUE(handle->move(scene.document, scene.view, to.x(), to.y()));
  EXPECT_NEAR(scene.goal().distance.upper, 1.5, 1e-6);
  ASSERT_TRUE(handle->move(scene.document, scene.view, in.x(), in.y()));
  EXPECT_EQ(scene.goal().distance, (Interval{1.0, 1.0})) << "stops at the other";
  scene.goal().distance = {2.0, 2.0};
  const auto exact = beginDrag(scene.document, scene.kinematics, hit, scene.view, at.x(), at.y());
  ASSERT_TRUE(exact->move(scene.document, scene.view, to.x(), to.y()));
  EXPECT_NEAR(scene.goal().distance.lower, 1.5, 1e-6) << "an exact distance stays exact";
  EXPECT_EQ(scene.goal().distance.lower, scene.goal().distance.upper);
}

TEST(GoalHandles, TargetsOfPlanesAndLinesMoveLikePoints) {
  for (const GoalType type : {GoalType::Plane, GoalType::HalfSpace, GoalType::Line, GoalType::Aim}) {
    Scene scene(type);
    const auto [hit, at] = scene.take(Grip::Target);
    ASSERT_TRUE(isDraggable(scene.document, hit));
    const auto drag = beginDrag(scene.document, scene.kinematics, hit, scene.view, at.x(), at.y());
    ASSERT_TRUE(drag->move(scene.document, scene.view, at.x() + 40, at.y() + 10));
    EXPECT_LT((scene.pixel(scene.goal().target) - at - Eigen::Vector2d(40, 10)).norm(), 1e-6);
    EXPECT_EQ(scene.goal().targetFrame, drag->before.goals[0].targetFrame);
  }
}

TEST(GoalHandles, TheCentreOfMassTargetMovesAlongTheGroundSeenFromAbove) {
  Scene scene(GoalType::CentreOfMass);
  Camera camera = frameAll(scene.list.boundsMin, scene.list.boundsMax, false, kWidth, kHeight);
  camera.pitch = 0.6;
  scene.view = viewOf(camera, kWidth, kHeight);
  const auto [hit, at] = scene.take(Grip::Target);
  const double height = scene.goal().target.y();
  const Eigen::Vector2d start = scene.pixel(hit.point);
  const auto drag = beginDrag(scene.document, scene.kinematics, hit, scene.view, start.x(), start.y());
  ASSERT_TRUE(drag->move(scene.document, scene.view, start.x() + 20, start.y() + 30));
  EXPECT_NEAR(scene.goal().target.y(), height, kTolerance);
  EXPECT_GT((scene.goal().target - drag->before.goals[0].target).norm(), 1e-3);
}

TEST(GoalHandles, WhatHasNothingToDragIsNotDragged) {
  for (const GoalType type : {GoalType::Relative, GoalType::KeepPose}) {
    Scene scene(GoalType::Position);
    scene.document.goals.clear();
    const int id = type == GoalType::Relative ? addGoal(scene.document, type, endEffectorOf(*scene.document.figure, 2),
                                                        endEffectorOf(*scene.document.figure, 0))
                                              : addGoal(scene.document, type, endEffectorOf(*scene.document.figure, 2));
    scene.refresh();
    const auto [hit, at] = scene.take(Grip::Mark);
    EXPECT_EQ(hit.goal, id);
    EXPECT_FALSE(isDraggable(scene.document, hit));
    EXPECT_FALSE(beginDrag(scene.document, scene.kinematics, hit, scene.view, at.x(), at.y())
                     ->move(scene.document, scene.view, at.x() + 9, at.y()));
  }
}

}  // namespace
}  // namespace limber::app::goal_handles_test
