// SPDX-License-Identifier: MIT
#include "app/drag/obstacle_handles.h"

#include <gtest/gtest.h>

#include "app/drag/drag.h"
#include "app/view/camera.h"
#include "headless_session.h"
#include "limber/io/open.h"
#include "render/obstacle_shapes.h"

namespace limber::app::obstacle_handles_test {
namespace {

using render::Grip;
using V = Eigen::Vector3d;

constexpr int kWidth = 800, kHeight = 600;

/// The humanoid behind a selected box that is turned a little, seen from the front.
struct BoxScene {
  Document document;
  Kinematics kinematics;
  render::DrawList list;
  render::View view;
  int box = -1;

  explicit BoxScene(double pitch = 0.3) {
    auto opened = io::openAny("humanoid");
    EXPECT_TRUE(opened) << opened.error().message();
    document = std::move(opened->document);
    Obstacle obstacle{.name = "box"};
    obstacle.size = V(0.4, 0.3, 0.5);
    obstacle.worldFromObstacle = {Eigen::AngleAxisd(0.4, V::UnitY()).toRotationMatrix(), V(0.1, 0.6, 0.8)};
    box = addObstacle(document, obstacle);
    document.selection.obstacle = box;
    computeKinematics(*document.figure, document.pose, kinematics);
    render::makeDrawList(document, kinematics, {}, list);
    Camera camera = frameAll(list.boundsMin, list.boundsMax, false, kWidth, kHeight);
    camera.pitch = pitch;
    view = viewOf(camera, kWidth, kHeight);
    render::makeDrawList(document, kinematics, {.view = &view}, list);
  }
  void hideHandles() {
    document.selection.obstacle = -1;
    render::makeDrawList(document, kinematics, {.view = &view}, list);
  }
  Obstacle& obstacle() { return *findObstacle(document, box); }
  Eigen::Vector2d pixel(const V& point) const { return *render::projectToPixel(view, point); }
  std::optional<Hit> hitAt(const V& point) const { return pick(list, view, pixel(point).x(), pixel(point).y()); }
};

TEST(ObstacleHandles, TheBoxIsHitWhereItHidesTheFigure) {
  BoxScene scene;
  const auto hit = scene.hitAt(scene.obstacle().worldFromObstacle.translation + V(0.03, 0.05, 0.0));
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->obstacle, scene.box);
  EXPECT_EQ(hit->link, -1);
  EXPECT_NEAR(heightAbove(hullInWorld(scene.obstacle()), hit->point), 0.0, 1e-6) << "on its surface";
  scene.obstacle().enabled = false;
  render::makeDrawList(scene.document, scene.kinematics, {.view = &scene.view}, scene.list);
  EXPECT_FALSE(scene.hitAt(V(0.13, 0.65, 0.8)) && scene.hitAt(V(0.13, 0.65, 0.8))->obstacle >= 0) << "out of the way";
}

TEST(ObstacleHandles, ABodySeenFromAboveSlidesOnTheGround) {
  BoxScene scene(0.6);
  scene.hideHandles();
  const V grabbed = scene.obstacle().worldFromObstacle.translation + V(0.0, 0.1, 0.0);
  const Hit hit = *scene.hitAt(grabbed);
  ASSERT_EQ(hit.obstacle, scene.box);
  const Eigen::Vector2d at = scene.pixel(hit.point);
  const auto drag = beginDrag(scene.document, scene.kinematics, hit, scene.view, at.x(), at.y());
  ASSERT_EQ(drag->dragged->obstacle, scene.box);
  const Transform before = scene.obstacle().worldFromObstacle;
  ASSERT_TRUE(drag->move(scene.document, scene.view, at.x(), at.y()));
  EXPECT_TRUE(scene.obstacle().worldFromObstacle.translation.isApprox(before.translation, 1e-9));
  const Eigen::Vector2d there = scene.pixel(hit.point + V(0.2, 0.0, -0.1));
  ASSERT_TRUE(drag->move(scene.document, scene.view, there.x(), there.y()));
  EXPECT_TRUE(scene.obstacle().worldFromObstacle.translation.isApprox(before.translation + V(0.2, 0.0, -0.1), 1e-6));
  EXPECT_EQ(scene.obstacle().worldFromObstacle.rotation, before.rotation);
}

TEST(ObstacleHandles, AKnobMovesItsSideAndLeavesTheOneAcross) {
  BoxScene scene;
  const auto knobs = render::knobsOf(scene.obstacle());
  ASSERT_EQ(knobs.size(), 6u);
  for (const render::ObstacleKnob& knob : knobs) {
    BoxScene fresh;
    const auto at = fresh.pixel(knob.place), there = fresh.pixel(knob.place + 0.1 * knob.outward);
    const Hit hit{.point = knob.place, .grip = knob.grip, .obstacle = fresh.box};
    const auto hold = beginDrag(fresh.document, fresh.kinematics, hit, fresh.view, at.x(), at.y());
    if (knob.outward.cross(fresh.view.eye - knob.place).norm() < 0.2) continue;  // along the line of sight
    ASSERT_TRUE(hold->move(fresh.document, fresh.view, there.x(), there.y()));
    const auto now = render::knobsOf(fresh.obstacle());
    for (std::size_t i = 0; i < 6; ++i) {
      const bool isThis = now[i].grip == knob.grip;
      const std::size_t axis = (static_cast<std::size_t>(knob.grip) - static_cast<std::size_t>(Grip::SizeLowX)) / 2;
      const bool isSameAxis = i / 2 == axis;
      const V wanted = knobs[i].place + (isThis ? 0.1 : isSameAxis ? 0.0 : 0.05) * knob.outward;
      EXPECT_LT((now[i].place - wanted).norm(), 1e-6) << static_cast<int>(knob.grip) << ", knob " << i;
    }
  }
}

TEST(ObstacleHandles, AKnobOfACapsuleKeepsItRound) {
  BoxScene scene;
  Obstacle capsule = makeCapsule({0.1, 0.4, 0.8}, {0.1, 0.9, 0.8}, 0.15);
  capsule.id = scene.box;
  scene.obstacle() = capsule;
  const auto knobs = render::knobsOf(scene.obstacle());
  ASSERT_EQ(knobs.size(), 6u);
  EXPECT_LT((knobs[3].place - V(0.1, 1.05, 0.8)).norm(), 1e-12) << "the top";
  for (const std::size_t k : {1u, 3u}) {  // to the side, and up
    BoxScene fresh;
    fresh.obstacle() = scene.obstacle();
    const auto at = fresh.pixel(knobs[k].place), there = fresh.pixel(knobs[k].place + 0.1 * knobs[k].outward);
    const Hit hit{.point = knobs[k].place, .grip = knobs[k].grip, .obstacle = fresh.box};
    const auto hold = beginDrag(fresh.document, fresh.kinematics, hit, fresh.view, at.x(), at.y());
    ASSERT_TRUE(hold->move(fresh.document, fresh.view, there.x(), there.y()));
    EXPECT_EQ(findFault(fresh.obstacle(), fresh.document.figure->linkCount()), "");
    EXPECT_LT((fresh.obstacle().size - (k == 1 ? V(0.4, 0.5, 0.4) : V(0.3, 0.6, 0.3))).norm(), 1e-6);
    const auto now = render::knobsOf(fresh.obstacle());
    EXPECT_LT((now[k].place - knobs[k].place - 0.1 * knobs[k].outward).norm(), 1e-6);
    EXPECT_LT((now[k - 1].place - knobs[k - 1].place).norm(), 1e-6) << "the side across stays";
  }
}

TEST(ObstacleHandles, ASideNeverPassesTheOneAcross) {
  BoxScene scene;
  const render::ObstacleKnob knob = render::knobsOf(scene.obstacle())[3];  // the top
  const auto at = scene.pixel(knob.place), there = scene.pixel(knob.place - 3.0 * knob.outward);
  const auto hold =
      beginDrag(scene.document, scene.kinematics, {.point = knob.place, .grip = knob.grip, .obstacle = scene.box},
                scene.view, at.x(), at.y());
  ASSERT_TRUE(hold->move(scene.document, scene.view, there.x(), there.y()));
  EXPECT_NEAR(scene.obstacle().size.y(), 0.003, 1e-12);
  EXPECT_EQ(findFault(scene.obstacle(), scene.document.figure->linkCount()), "");
}

TEST(ObstacleHandles, TheArrowLiftsAndAPaneMovesAlongItsNormal) {
  BoxScene scene;
  const V top = scene.obstacle().worldFromObstacle.translation + V(0.0, 0.2, 0.0);
  const auto at = scene.pixel(top), there = scene.pixel(top + V(0.0, 0.25, 0.0));
  const auto lift = beginDrag(scene.document, scene.kinematics,
                              {.point = top, .grip = Grip::Lift, .obstacle = scene.box}, scene.view, at.x(), at.y());
  ASSERT_TRUE(lift->move(scene.document, scene.view, there.x(), there.y()));
  EXPECT_TRUE(scene.obstacle().worldFromObstacle.translation.isApprox(V(0.1, 0.85, 0.8), 1e-6));

  const int wall = addObstacle(scene.document, newWall(1.8));
  const Obstacle before = *findObstacle(scene.document, wall);
  const auto pane = beginDrag(scene.document, scene.kinematics,
                              {.point = V(0.3, 1.0, before.worldFromObstacle.translation.z()), .obstacle = wall},
                              scene.view, at.x(), at.y());
  ASSERT_TRUE(pane->move(scene.document, scene.view, there.x(), there.y()));
  const V way =
      findObstacle(scene.document, wall)->worldFromObstacle.translation - before.worldFromObstacle.translation;
  EXPECT_NEAR(way.head<2>().norm(), 0.0, 1e-9);
  EXPECT_GT(way.norm(), 0.01) << "seen face on, it goes as the cursor goes up";
}

TEST(ObstacleHandles, DraggingWithTheMouseIsOneStepThatUndoTakesBack) {
  BoxScene scene;
  scene.hideHandles();
  HeadlessSession window(std::move(scene.document));
  Session& session = window.session();
  session.picture.camera.pitch = 0.6;
  window.frame();
  const V place = session.document().obstacles[0].worldFromObstacle.translation;
  const auto at = window.pixel(place + V(0.0, 0.1, 0.0));
  window.drag(at, at + Eigen::Vector2d(60.0, 0.0));
  window.up();
  EXPECT_GT((session.document().obstacles[0].worldFromObstacle.translation - place).norm(), 0.05);
  EXPECT_EQ(session.document().selection.obstacle, session.document().obstacles[0].id);
  EXPECT_EQ(session.editor.history().undoLabel(), "move obstacle");
  perform(session, Command::Undo);
  EXPECT_EQ(session.document().obstacles[0].worldFromObstacle.translation, place);
  perform(session, Command::Redo);
  session.editor.touch().selection = {.obstacle = session.document().obstacles[0].id};
  perform(session, Command::DeleteGoal);
  EXPECT_TRUE(session.document().obstacles.empty());
}

TEST(ObstacleHandles, WhatAPoseByHandTouchesIsSeenWithoutASolve) {
  BoxScene scene;
  scene.document.mode = Mode::Forward;
  HeadlessSession window(std::move(scene.document));
  Session& session = window.session();
  EXPECT_TRUE(session.picture.touching.contacts().empty());
  EXPECT_TRUE(session.picture.highlight.hitObstacles.empty());
  session.editor.edit("onto the figure", "",
                      [](Document& d) { d.obstacles[0].worldFromObstacle.translation = V(0.0, 1.0, 0.0); });
  refreshScene(session);
  ASSERT_FALSE(session.picture.touching.contacts().empty());
  EXPECT_LT(session.picture.touching.contacts().front().clearance, -0.05);
  EXPECT_EQ(session.picture.highlight.hitObstacles.front(), session.document().obstacles[0].id);
  perform(session, Command::Undo);
  refreshScene(session);
  EXPECT_TRUE(session.picture.touching.contacts().empty());
}

}  // namespace
}  // namespace limber::app::obstacle_handles_test
