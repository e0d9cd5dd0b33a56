// SPDX-License-Identifier: MIT
// First page of src/app: how a test drives the application by mouse and keyboard, without a window.
//
// A Session holds the open document, the current solve, the camera and the settings. Window and tests drive it alike:
// handleEvent() takes an event, and each frame advances the solve a little. HeadlessSession (headless_session.h) sends
// events of a mouse and a keyboard. The document changes only through the Editor, in steps that can be undone.
//
// Read next: app/session/session.h, app/editing/editor.h, app/tools/tools.h (what a press begins), app/drag/drag.h,
// then docs/architecture.md, "How a drag runs".
#include <gtest/gtest.h>

#include "headless_session.h"
#include "limber/kinematics/standard_figures.h"

namespace limber::app::app_first_page {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

/// A chain without goals, so that the mouse grabs a link.
Document makeChain() {
  Document document = makeDocument(makeBallChain(3));
  document.goals.clear();
  return document;
}

TEST(AppFirstPage, ADraggedLinkFollowsTheMouse) {
  HeadlessSession person(makeChain());
  const Vector2d grabbed = person.middleOf(2), target = grabbed + Vector2d(60.0, 40.0);
  person.drag(grabbed, target);
  EXPECT_TRUE(person.isDragging());
  // In pixels. The grabbed point of the surface is at the cursor; the middle of the link turns about it.
  EXPECT_LT((person.middleOf(2) - target).norm(), 10.0);
  person.up();
  EXPECT_FALSE(person.isDragging());
  EXPECT_TRUE(person.document().goals.empty()) << "a drag leaves no goal behind";
}

TEST(AppFirstPage, ADragIsOneStepOfUndo) {
  HeadlessSession person(makeChain());
  const Pose before = person.document().pose;
  person.drag(person.middleOf(2), person.middleOf(2) + Vector2d(60.0, 40.0));
  person.up();
  ASSERT_FALSE(person.document().pose == before);
  person.undo();
  EXPECT_TRUE(person.document().pose == before);
  EXPECT_FALSE(person.session().editor.history().canUndo());
}

TEST(AppFirstPage, AClickSelectsAndAClickBesideClearsTheSelection) {
  HeadlessSession person(makeChain());
  person.click(person.middleOf(1));
  EXPECT_EQ(person.document().selection.joint, 1);
  person.click({5.0, 5.0});
  EXPECT_EQ(person.document().selection.joint, -1);
}

TEST(AppFirstPage, EscapeCancelsADrag) {
  HeadlessSession person(makeChain());
  const Pose before = person.document().pose;
  person.drag(person.middleOf(2), person.middleOf(2) + Vector2d(60.0, 40.0));
  person.press(Key::Escape);
  EXPECT_FALSE(person.isDragging());
  EXPECT_TRUE(person.document().pose == before);
}

}  // namespace
}  // namespace limber::app::app_first_page
