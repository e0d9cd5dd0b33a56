// SPDX-License-Identifier: MIT
#include "render/gizmo_marks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace limber::render::gizmo_marks_test {
namespace {

using V = Eigen::Vector3d;

View seenFrom(const V& eye, const V& centre = V::Zero()) {
  View view;
  view.eye = eye;
  view.centre = centre;
  view.width = 800;
  view.height = 600;
  return view;
}

GizmoMark whole() {
  GizmoMark mark;
  mark.arrows = mark.squares = mark.rings = {true, true, true};
  mark.viewRing = true;
  return mark;
}

std::size_t countOf(const DrawList& list, Grip grip) {
  return static_cast<std::size_t>(
      std::count_if(list.capsules.begin(), list.capsules.end(), [&](const DrawCapsule& c) { return c.grip == grip; }));
}

/// Largest distance of a grip's marks from the centre, pixels.
double reachOf(const DrawList& list, const View& view, Grip grip) {
  const Eigen::Vector2d centre = *projectToPixel(view, V::Zero());
  double reach = 0.0;
  for (const DrawCapsule& c : list.capsules)
    if (c.grip == grip) reach = std::max(reach, (*projectToPixel(view, c.end) - centre).norm());
  return reach;
}

TEST(GizmoMarks, AreAsLargeOnTheScreenFromAnywhere) {
  for (const double distance : {0.2, 3.0, 200.0}) {
    for (const double scale : {1.0, 2.0}) {
      const View view = seenFrom(distance * V(0.0, 0.0, 1.0));
      DrawList list;
      appendGizmo(whole(), view, scale, list);
      EXPECT_NEAR(reachOf(list, view, Grip::MoveX), scale * kGizmoPixels, 1e-6) << "at " << distance << " m";
      EXPECT_NEAR(reachOf(list, view, Grip::RingZ), scale * kGizmoPixels, 0.2);
    }
  }
}

TEST(GizmoMarks, WhatIsSeenEndOnHasNoGrip) {
  DrawList list;
  appendGizmo(whole(), seenFrom(V(0, 0, 3)), 1.0, list);
  EXPECT_EQ(countOf(list, Grip::MoveZ), 0u) << "points at the eye";
  EXPECT_EQ(countOf(list, Grip::MoveYZ), 0u) << "a square that is a line";
  EXPECT_EQ(countOf(list, Grip::MoveZX), 0u);
  EXPECT_GT(countOf(list, Grip::MoveXY), 0u);
  EXPECT_GT(countOf(list, Grip::MoveX), 0u);
  EXPECT_GT(countOf(list, Grip::RingX), 0u) << "a ring seen edge on turns all the same";
}

TEST(GizmoMarks, OnlyTheNearHalfOfARingIsTaken) {
  const View view = seenFrom(V(1, 2, 3));
  DrawList list;
  appendGizmo(whole(), view, 1.0, list);
  for (const Grip grip : {Grip::RingX, Grip::RingY, Grip::RingZ}) {
    EXPECT_GT(countOf(list, grip), 24u);
    EXPECT_LT(countOf(list, grip), 48u);
    for (const DrawCapsule& c : list.capsules) {
      if (c.grip != grip) continue;
      const V place = 0.5 * (backInPlace(view, c.start) + backInPlace(view, c.end));
      EXPECT_GT(place.dot(view.eye.normalized()), -0.1 * place.norm());
    }
  }
  EXPECT_EQ(countOf(list, Grip::RingView), 64u) << "all of it faces the eye";
}

TEST(GizmoMarks, ThePartUnderTheCursorIsThickerAndTheOthersRestWhileItIsHeld) {
  GizmoMark mark = whole();
  const View view = seenFrom(V(1, 2, 3));
  DrawList plain, lit, held;
  appendGizmo(mark, view, 1.0, plain);
  mark.lit = Grip::RingY;
  appendGizmo(mark, view, 1.0, lit);
  mark.isHeld = true;
  appendGizmo(mark, view, 1.0, held);
  ASSERT_EQ(plain.capsules.size(), lit.capsules.size());
  for (std::size_t i = 0; i < plain.capsules.size(); ++i) {
    if (plain.capsules[i].grip == Grip::RingY) {
      EXPECT_GT(lit.capsules[i].radius, 1.3 * plain.capsules[i].radius);
    }
    if (plain.capsules[i].grip == Grip::RingX) {
      EXPECT_EQ(lit.capsules[i].radius, plain.capsules[i].radius);
      EXPECT_LT(held.capsules[i].color.alpha, plain.capsules[i].color.alpha);
    }
  }
}

TEST(GizmoMarks, StandBeforeAllElseAndLookTheSame) {
  const View view = seenFrom(V(1, 2, 3));
  for (const V& point : {V(0.3, 0.1, -0.2), V(-2, 0, 0), V(0, 0, 0)}) {
    const V near = inFront(view, point);
    EXPECT_LT((near - view.eye).norm(), 0.11 * (point - view.eye).norm());
    EXPECT_LT((*projectToPixel(view, near) - *projectToPixel(view, point)).norm(), 1e-6);
    EXPECT_LT((backInPlace(view, near) - point).norm(), 1e-9);
  }
}

TEST(GizmoMarks, ALockLineGoesThroughThePoint) {
  DrawList list;
  appendLockLine(V(1, 2, 3), V::UnitY(), 1, seenFrom(V(0, 2, 9)), 1.0, list);
  ASSERT_EQ(list.capsules.size(), 1u);
  EXPECT_LT((0.5 * (list.capsules[0].start + list.capsules[0].end) - V(1, 2, 3)).norm(), 1e-9);
  EXPECT_EQ(list.capsules[0].grip, Grip::None);
}

}  // namespace
}  // namespace limber::render::gizmo_marks_test
