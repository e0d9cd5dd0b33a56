// SPDX-License-Identifier: MIT
// All ways of an arm in the window: pictures to click, ghosts, the slider along the self-motion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/panels/panels.h"
#include "arm_texts.h"
#include "headless_gui.h"
#include "limber/io/open.h"
#include "limber/kinematics/standard_figures.h"
#include "support/says.h"

namespace limber::app::ways_panel_test {
namespace {

class WaysPanel : public testing::Test, protected HeadlessWindow {
 protected:
  explicit WaysPanel(Document document) : HeadlessWindow(std::move(document)) {}

  void find() {
    perform(session_, Command::FindWays);
    wait();
  }
  /// Frames until the ways are there and the panel has scrolled to them.
  void wait() {
    frames(1);
    while (session_.services.ways.isRunning()) {
      session_.services.ways.job().wait(10.0);
      frames(1);
    }
    frames(3);
  }
  const FoundWays& found() const { return *session_.services.ways.found(); }

  /// The place on the screen of the first item whose hovering `isIt` sees, of a raster over the column.
  template <typename IsIt>
  ImVec2 search(IsIt isIt) {
    const Rectangle& column = layout_.panels;
    for (double y = column.y + 40; y < column.y + column.height; y += 12)
      for (double x = column.x + 30; x < column.x + column.width - 30; x += 40) {
        const ImVec2 at(static_cast<float>(x), static_cast<float>(y));
        moveOverPanels(at.x, at.y);
        frames(2);
        if (isIt()) return at;
      }
    ADD_FAILURE() << "not found in the column";
    return {};
  }
  ImVec2 cellOf(int way) {
    return search([&] { return session_.ui.ways.hovered == way; });
  }
  /// Parts of the picture that are ghosts.
  std::size_t drawnGhosts() {
    frames(1);
    const auto isGhost = [](const render::DrawCapsule& c) { return c.layer == render::Layer::Ghost; };
    return static_cast<std::size_t>(std::ranges::count_if(session_.picture.drawList.capsules, isGhost));
  }
  Transform toolNow() const {
    const GoalItem& goal = document().goals.front();
    const Transform& link = transformsOf(figure(), document().pose).worldFromLink[goal.link];
    return {link.rotation * goal.frameInLink, link * goal.pointInLink};
  }
  void expectToolStays() const {
    const GoalItem& goal = document().goals.front();
    EXPECT_LT((toolNow().translation - goal.target).norm(), 1e-6);
    EXPECT_LT((toolNow().rotation - goal.targetFrame).norm(), 1e-6);
  }
};

class SixAxes : public WaysPanel {
 protected:
  SixAxes() : WaysPanel(test::armDocument(test::sixAxisText(), {0.3, 0.4, 0.7, -0.2, 0.6, 0.1})) {}
};
class SevenAxes : public WaysPanel {
 protected:
  SevenAxes() : WaysPanel(test::armDocument(test::sevenAxisText(), {0.3, 0.5, 0.2, -1.2, 0.4, 0.9, 0.1})) {}
};
class Person : public WaysPanel {
 protected:
  Person() : WaysPanel(io::openAny("human")->document) {}
};

TEST_F(SixAxes, ListsThemWithTheNearestFirst) {
  find();
  ASSERT_TRUE(session_.services.ways.found());
  EXPECT_EQ(found().all.fault, "");
  ASSERT_GE(found().all.ways.size(), 4u);
  EXPECT_TRUE(found().all.isComplete) << found().all.reason;
  for (std::size_t i = 1; i < found().all.ways.size(); ++i)
    EXPECT_GE(found().all.ways[i].distance, found().all.ways[i - 1].distance);
  EXPECT_TRUE(test::says(session_.ui.message.text, {"All the ways", "complete"}));
  EXPECT_EQ(session_.settings.tab, PanelTab::Analyse);
  EXPECT_EQ(session_.services.ways.present(document()), 0);
  EXPECT_GE(session_.ui.ways.pictureWanted, 0) << "the window draws pictures of those in sight";
  EXPECT_FALSE(session_.editor.history().canUndo());
  session_.ui.message.text.clear();
  frames(3);
  EXPECT_FALSE(sleepTime(session_)) << "only an event can change the picture";
}

TEST_F(SixAxes, HoveringShowsAGhostAndAClickTakesThePose) {
  find();
  const ImVec2 cell = cellOf(1);  // the other elbow; the third way only turns the wrist
  EXPECT_GT(drawnGhosts(), 0u);
  const Pose before = document().pose, wanted = found().all.ways[1].pose;
  clickPanel(cell);
  EXPECT_EQ(document().pose, wanted);
  expectToolStays();
  EXPECT_EQ(session_.services.ways.present(document()), 1) << "the list keeps its order";
  undo();
  EXPECT_EQ(document().pose, before) << "one step";
  EXPECT_FALSE(session_.editor.history().canUndo());
  moveOverPanels(5.0f, 400.0f);
  frames(2);
  EXPECT_EQ(session_.ui.ways.hovered, -1);
  EXPECT_EQ(drawnGhosts(), 0u);
}

TEST_F(SixAxes, FollowTheGoalAfterADragAndGoWithTheFigure) {
  find();
  const FoundWays* before = session_.services.ways.found();
  session_.editor.edit("move goal", "", [](Document& d) { d.goals[0].target += Eigen::Vector3d(0.02, 0.03, -0.01); });
  wait();
  ASSERT_TRUE(session_.services.ways.found());
  EXPECT_NE(session_.services.ways.found(), before);
  for (const ArmWay& way : found().all.ways) {
    const GoalItem& goal = document().goals.front();
    const Transform& link = transformsOf(figure(), way.pose).worldFromLink[goal.link];
    EXPECT_LT((link * goal.pointInLink - goal.target).norm(), 1e-9) << "of the new target";
  }
  session_.editor.open(makeDocument(makeArm()), {}, "another figure");
  frames(2);
  EXPECT_FALSE(session_.services.ways.found());
}

TEST_F(SixAxes, ADragOfTheTargetIsFollowedAtItsEnd) {
  find();
  const FoundWays* before = session_.services.ways.found();
  session_.pointer.isInside = true;
  const Pixel target = pixel(document().goals[0].target);
  down(target);
  lead(target + Pixel(20, 10));
  ASSERT_TRUE(isDragging());
  EXPECT_EQ(session_.services.ways.found(), before) << "not while it is dragged";
  up();
  wait();
  ASSERT_TRUE(session_.services.ways.found());
  EXPECT_NE(session_.services.ways.found(), before);
  EXPECT_LT(found().all.ways.front().error, 1e-9);
}

TEST_F(SixAxes, CollisionsAreSaid) {
  const Kinematics kinematics = transformsOf(figure(), document().pose);
  Obstacle ball;
  ball.name = "ball";
  ball.shape = Obstacle::Shape::Sphere;
  ball.size = Eigen::Vector3d::Constant(0.1);
  ball.worldFromObstacle.translation = kinematics.worldFromLink[3].translation;
  session_.editor.edit("add ball", "", [&](Document& d) { addObstacle(d, ball); });
  find();
  ASSERT_FALSE(found().all.ways.empty());
  EXPECT_TRUE(test::says(found().touches[0], {"ball"})) << "the present pose is inside";
}

TEST_F(Person, IsToldWhy) {
  perform(session_, Command::FindWays);
  wait();
  ASSERT_TRUE(session_.services.ways.found());
  EXPECT_NE(found().all.fault, "");
  EXPECT_EQ(session_.ui.message.text, "All the ways: " + found().all.fault);
  EXPECT_TRUE(session_.ui.message.isError);
}

TEST_F(SevenAxes, HaveASliderAlongTheirCurve) {
  find();
  ASSERT_EQ(found().all.fault, "");
  ASSERT_TRUE(found().paths);
  const auto place = found().paths->nearest(document().pose);
  const Pose before = document().pose;
  // The field is above the pictures; a small drag over it finds it, toward the farther end of the curve.
  const float way = place.at > 0.5 ? -1.0f : 1.0f;
  const ImVec2 cell = cellOf(0);
  ImVec2 field;
  for (float y = cell.y - 4.0f; y > cell.y - 150.0f && field.y == 0.0f; y -= 4.0f) {
    const ImVec2 at(static_cast<float>(layout_.panels.x + 0.75 * layout_.panels.width), y);
    moveOverPanels(at.x, at.y);
    frames(2);
    if (session_.ui.ways.hovered >= 0) continue;
    pressOverPanels(true);
    frames(1);
    moveOverPanels(at.x + 4.0f * way, at.y);
    frames(2);
    if (!(document().pose == before)) field = at;
    else pressOverPanels(false);
    frames(1);
  }
  ASSERT_GT(field.y, 0.0f) << "the slider was not found";
  for (int i = 2; i < 30; ++i) {
    moveOverPanels(field.x + 2.0f * way * static_cast<float>(i), field.y);
    frames(2);
    expectToolStays();
  }
  pressOverPanels(false);
  frames(2);
  endWidgetGesture(session_);
  EXPECT_GT(std::abs(found().paths->nearestOn(place.path, document().pose).at - place.at), 0.05);
  undo();
  EXPECT_EQ(document().pose, before) << "one step for the drag";
}

TEST_F(SevenAxes, TheSliderKeepsWithinLimits) {
  const int joint = figure().findJoint("axis3");
  session_.editor.edit("limit", "", [&](Document& d) { d.joints[joint].limits = {0.0, 0.4}; });
  find();
  ASSERT_TRUE(found().paths) << found().all.fault;
  const int path = found().paths->nearest(document().pose).path;
  for (int i = 0; i <= 50; ++i) {
    perform(session_, Command::SlideAlongWay, WayPosition{path, i / 50.0, "slide"});
    frames(1);
    const double q = document().pose.coordinates[figure().joint(joint).poseIndex];
    EXPECT_GE(q, -1e-9);
    EXPECT_LE(q, 0.4 + 1e-9);
    expectToolStays();
  }
  endWidgetGesture(session_);
  undo();
  EXPECT_EQ(session_.editor.history().undoLabel(), "limit");
}

}  // namespace
}  // namespace limber::app::ways_panel_test
