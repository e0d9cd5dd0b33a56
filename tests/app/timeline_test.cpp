// SPDX-License-Identifier: MIT
// The timeline in the window: keys, play, scrub and bake by events of mouse and keyboard; paths drawn and dragged.
#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <filesystem>

#include "app/features/timeline_actions.h"
#include "app/panels/timeline_lanes.h"
#include "app/settings/layout.h"
#include "app/stage/commands.h"
#include "headless_gui.h"
#include "limber/body/body_map.h"
#include "limber/body/sole.h"
#include "limber/io/json/scene_json.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/problem/goal_error.h"
#include "limber/scene/bake.h"
#include "limber/scene/clock.h"
#include "limber/scene/path_curve.h"
#include "standing_figure.h"
#include "support/standing_body.h"

namespace limber::app::timeline_test {
namespace {

using V = Eigen::Vector3d;

class TimelineWindow : public testing::Test, protected HeadlessWindow {
 protected:
  TimelineWindow() : HeadlessWindow(makeChain()) {
    session_.settings.visible.timeline = true;
    frames(3);
  }

  /// Six links in the plane, bent, with their goal at the tip.
  static Document makeChain() {
    Document document = makeDocument(makePlanarChain(6));
    document.pose.coordinates.setConstant(0.3);
    moveTargetsToEndEffectors(document);
    return document;
  }

  const Timeline& timeline() const { return *document().timeline; }
  void goTo(double time) {
    queue_.add(Command::ScrubTo, Scrub{time});
    settle();
  }
  /// The goal follows a curve within reach.
  void givePath() {
    session_.editor.edit("path", "", [](Document& d) {
      addPath(d, 1);
      TargetPath& path = *findPath(changeTimeline(d), 1);
      path.points = {V(3, 3, 0), V(0, 4, 0), V(-3, 3, 0)};
      d.selection = {-1, 1};
    });
    frames(2);
  }
  double missed() {
    computeKinematics(*document().figure, document().pose, session_.picture.kinematics);
    return goalErrorOf(document(), session_.picture.kinematics, document().goals[0]).length;
  }
};

TEST_F(TimelineWindow, DrawsWithoutATimelineAndWithOneAndAsksForNothing) {
  frames(3);
  EXPECT_FALSE(document().timeline);
  givePath();
  press(Key::Letter, 'k');
  const Document before = document();
  for (const Selection& selection : {Selection{-1, 1}, Selection{0, -1}}) {
    session_.editor.touch().selection = selection;
    frames(3);
  }
  EXPECT_TRUE(isSameContent(before, document()));
  session_.settings.visible.timeline = false;
  frames(2);
}

TEST_F(TimelineWindow, KeysAreSetReplacedFoundAndRemovedByKeys) {
  press(Key::Letter, 'k');
  ASSERT_TRUE(document().timeline);
  EXPECT_EQ(timeline().keys.size(), 1u);
  goTo(2.0);
  EXPECT_EQ(document().time, 2.0);
  session_.editor.edit("turn", "", [](Document& d) { d.pose.coordinates[0] = 1.0; });
  press(Key::Letter, 'k');
  press(Key::Letter, 'k', {.shift = true});
  ASSERT_EQ(timeline().keys.size(), 2u);
  EXPECT_EQ(timeline().keys[1].goals.size(), 1u);
  press(Key::Left, 0, {.shift = true});
  EXPECT_EQ(document().time, 0.0);
  press(Key::Right, 0, {.shift = true});
  EXPECT_EQ(document().time, 2.0);
  press(Key::Left);
  EXPECT_NEAR(document().time, 2.0 - 1.0 / 30.0, 1e-12);
  press(Key::Right);
  press(Key::Letter, 'k', {.control = true});
  EXPECT_EQ(timeline().keys.size(), 1u);
  perform(session_, Command::Undo);
  EXPECT_EQ(timeline().keys.size(), 2u);
}

TEST_F(TimelineWindow, PlaysAlongThePathAndStopsAtItsEnd) {
  givePath();
  session_.playing.loop = false;
  press(Key::Enter);
  ASSERT_TRUE(session_.playing.isPlaying());
  EXPECT_TRUE(sleepTime(session_));
  int followed = 0;
  for (int i = 0; i < 400 && session_.playing.isPlaying(); ++i) {
    frames(1);
    if (missed() < 0.1) ++followed;
  }
  EXPECT_FALSE(session_.playing.isPlaying());
  settle();
  EXPECT_EQ(document().time, timeline().length);
  EXPECT_LT((document().goals[0].target - V(-3, 3, 0)).norm(), 1e-9);
  EXPECT_GT(followed, 150);
  settle();
  frames(3);
  session_.ui.message = {};
  session_.solving.printWaiting(session_.ui.now, true);
  EXPECT_FALSE(sleepTime(session_)) << "standing still costs nothing";
}

TEST_F(TimelineWindow, APlayIsOneStep) {
  givePath();
  const Document before = document();
  press(Key::Enter);
  frames(60);
  press(Key::Enter);
  EXPECT_FALSE(session_.playing.isPlaying());
  EXPECT_GT(document().time, 0.5);
  perform(session_, Command::Undo);
  EXPECT_TRUE(isSameContent(before, document()));
}

TEST_F(TimelineWindow, LoopsFromTheStart) {
  givePath();
  session_.editor.edit("short", "", [](Document& d) { changeTimeline(d).length = 0.5; });
  press(Key::Enter);
  bool isBack = false;
  double before = 0.0;
  for (int i = 0; i < 60; ++i) {
    frames(1);
    isBack = isBack || document().time < before;
    before = document().time;
  }
  EXPECT_TRUE(session_.playing.isPlaying());
  EXPECT_TRUE(isBack);
}

TEST_F(TimelineWindow, ADragStopsThePlay) {
  givePath();
  press(Key::Enter);
  frames(5);
  const Eigen::Vector2d at = pixel(session_.picture.kinematics.worldFromLink[2] * V(0.5, 0, 0));
  down(at);
  move(at + Eigen::Vector2d(20, 0));
  EXPECT_FALSE(session_.playing.isPlaying());
  up();
}

TEST_F(TimelineWindow, PathPointsAreDraggedAddedAndRemovedInThePicture) {
  givePath();
  const Eigen::Vector2d from = pixel(V(0, 4, 0)), to = from + Eigen::Vector2d(0, 25);
  move(from);
  EXPECT_EQ(session_.picture.highlight.hoveredGrip, render::Grip::PathPoint);
  EXPECT_EQ(session_.picture.highlight.hoveredPart, 1);
  down(from);
  lead(to, {}, 5);
  up();
  EXPECT_LT((pixel(timeline().paths[0].points[1]) - to).norm(), 1e-6);
  EXPECT_EQ(timeline().paths[0].points[1].z(), 0.0) << "a planar figure's path stays in its plane";
  perform(session_, Command::Undo);
  EXPECT_EQ(timeline().paths[0].points[1], V(0, 4, 0));
  frames(1);

  const V onCurve = PathCurve(timeline().paths[0]).at(0.5);
  click(pixel(onCurve), {.control = true});
  ASSERT_EQ(timeline().paths[0].points.size(), 4u);
  EXPECT_LT((timeline().paths[0].points[1] - onCurve).norm(), 0.1);
  EXPECT_EQ(session_.ui.timeline.pathPoint, 1);
  press(Key::Delete);
  EXPECT_EQ(timeline().paths[0].points.size(), 3u);
  EXPECT_EQ(document().goals.size(), 1u) << "the point goes, not the goal";
}

TEST_F(TimelineWindow, BakesPlaysWhatWasBakedAndTakesItBack) {
  givePath();
  queue_.add(Command::Bake, BakeAs::Motion);
  frames(1);
  ASSERT_TRUE(session_.services.job.wait(30.0));
  frames(2);
  ASSERT_TRUE(document().motion) << session_.ui.message.text;
  EXPECT_EQ(document().motion->frameCount, 121);
  EXPECT_EQ(document().time, 0.0);
  goTo(2.0);
  EXPECT_EQ(document().frame, 60);
  EXPECT_EQ(document().pose, document().motion->poseAt(*document().figure, 60)) << "the baked frame, not another solve";
  session_.editor.edit("path", "", [](Document& d) { movePathPoint(d, 1, 1, V(0.5, 3.5, 0)); });
  goTo(2.5);
  EXPECT_FALSE(document().pose == document().motion->poseAt(*document().figure, 75)) << "another path: solved anew";
  for (int i = 0; i < 4; ++i) perform(session_, Command::Undo);
  EXPECT_FALSE(document().motion);
}

TEST_F(TimelineWindow, WhatWasBakedIsStaleOnceTheWorldIsAnother) {
  givePath();
  queue_.add(Command::Bake, BakeAs::Motion);
  frames(1);
  ASSERT_TRUE(session_.services.job.wait(30.0));
  frames(2);
  ASSERT_TRUE(document().motion) << session_.ui.message.text;
  goTo(2.0);
  EXPECT_EQ(document().frame, 60);
  EXPECT_TRUE(session_.playing.isBaked(document()));
  session_.editor.edit("obstacle", "", [](Document& d) { addObstacle(d, {.name = "box"}); });
  goTo(2.5);
  EXPECT_FALSE(session_.playing.isBaked(document()));
  EXPECT_TRUE(session_.solving.reportFor(document())) << "solved anew, no frame of the motion";
  perform(session_, Command::Undo);
  perform(session_, Command::Undo);
  EXPECT_TRUE(session_.playing.isBaked(document()));
  session_.editor.edit("apart", "", [](Document& d) { d.selfAvoidance = SelfAvoidance::All; });
  goTo(3.0);
  EXPECT_FALSE(session_.playing.isBaked(document()));
}

TEST_F(TimelineWindow, BakesToKeysInOneStep) {
  givePath();
  queue_.add(Command::Bake, BakeAs::Keys);
  frames(1);
  ASSERT_TRUE(session_.services.job.wait(30.0));
  frames(2);
  EXPECT_GT(timeline().keys.size(), 2u);
  EXPECT_FALSE(document().motion);
  perform(session_, Command::Undo);
  EXPECT_TRUE(timeline().keys.empty());
}

TEST_F(TimelineWindow, ALongBakeIsCancelledByEscape) {
  givePath();
  session_.editor.edit("long", "", [](Document& d) {
    Timeline& t = changeTimeline(d);
    t.length = 1000.0;
    t.framesPerSecond = 100.0;
    t.paths[0].end = 1000.0;
  });
  queue_.add(Command::Bake, BakeAs::Motion);
  frames(1);
  ASSERT_TRUE(session_.services.job.isRunning());
  press(Key::Escape);
  EXPECT_FALSE(session_.services.job.isRunning());
  EXPECT_FALSE(document().motion);
}

TEST_F(TimelineWindow, ASceneWithATimelineOpensWithItInView) {
  givePath();
  const auto scene = std::filesystem::temp_directory_path() / "limber_timeline_opens.limber";
  ASSERT_FALSE(io::writeScene(scene, document()));
  session_.settings.visible.timeline = false;
  queue_.add(Command::Open, scene);
  frames(1);
  session_.services.job.wait(30.0);
  frames(2);
  std::filesystem::remove(scene);
  ASSERT_TRUE(document().timeline);
  EXPECT_TRUE(session_.settings.visible.timeline);
}

TEST_F(TimelineWindow, NothingToPlayOrBakeIsSaid) {
  press(Key::Enter);
  EXPECT_FALSE(session_.playing.isPlaying());
  EXPECT_NE(session_.ui.message.text.find("nothing to play"), std::string::npos);
  queue_.add(Command::Bake, BakeAs::Motion);
  frames(1);
  EXPECT_NE(session_.ui.message.text.find("nothing to bake"), std::string::npos);
  press(Key::Letter, 'k', {.control = true});
  EXPECT_NE(session_.ui.message.text.find("no key"), std::string::npos);
}

TEST_F(TimelineWindow, APathOfOnePointPlaysCalmly) {
  givePath();
  session_.editor.edit("one point", "", [](Document& d) { findPath(changeTimeline(d), 1)->points = {V(3, 3, 0)}; });
  press(Key::Enter);
  frames(40);
  settle();
  EXPECT_TRUE(session_.playing.isPlaying());
  EXPECT_LT(missed(), 0.1);
  const Pose pose = document().pose;
  frames(20);
  settle();
  EXPECT_LT(largestTurnBetween(*document().figure, pose, document().pose), 1e-3);
}

/// The track is the lower part of the strip; keys stand in its middle.
class TimelineTrack : public TimelineWindow {
 protected:
  TimelineTrack() {
    const float em = ImGui::GetFontSize();
    const Layout l = divideWindow(1400, 900, em, ImGui::GetFrameHeight(), {.timeline = true});
    low_ = static_cast<float>(l.status.y) - ImGui::GetStyle().WindowPadding.y - 0.3f * em;
    const float padding = ImGui::GetStyle().WindowPadding.x;
    left_ = padding + 8.4f * em;  // the names of the lanes are on the left
    width_ = 1400.0f - left_ - padding - 0.9f * em;
  }
  float x(double time) const { return left_ + width_ * static_cast<float>(time / 4.0); }
  /// The upper edge of the track, which is the last item of the strip; the ruler is there.
  static float trackTop() { return ImGui::FindWindowByName("##timeline")->DC.CursorPosPrevLine.y; }
  void mouse(float x, float y, bool down) {
    moveOverPanels(x, y);
    frames(1);
    pressOverPanels(down);
    frames(2);
  }

  float low_ = 0.0f, left_ = 0.0f, width_ = 1.0f;
};

TEST_F(TimelineTrack, ADragOnTheRulerScrubsInOneStep) {
  givePath();
  const Document before = document();
  const float ruler = trackTop() + 4.0f;
  mouse(x(1.0), ruler, false);
  mouse(x(1.0), ruler, true);
  EXPECT_NEAR(document().time, 1.0, 0.05);
  mouse(x(2.0), ruler, true);
  mouse(x(3.0), ruler, true);
  EXPECT_NEAR(document().time, 3.0, 0.05);
  mouse(x(3.0), ruler, false);
  settle();
  EXPECT_LT(missed(), 0.05);
  perform(session_, Command::Undo);
  EXPECT_TRUE(isSameContent(before, document()));
}

TEST_F(TimelineTrack, AKeyIsDraggedToAnotherTime) {
  goTo(0.0);
  press(Key::Letter, 'k');
  float height = low_;  // keys stand between the ruler and the paths' bars
  for (float up = 0.0f; up < 60.0f && timeline().keys[0].time == 0.0; up += 4.0f) {
    height = low_ - up;
    mouse(x(0.0), height, false);
    mouse(x(0.0), height, true);
    mouse(x(1.0), height, true);
    mouse(x(1.0), height, false);
  }
  ASSERT_EQ(timeline().keys.size(), 1u);
  EXPECT_NEAR(timeline().keys[0].time, 1.0, 0.05);
  mouse(x(timeline().keys[0].time), height, true);  // a click goes there
  mouse(x(timeline().keys[0].time), height, false);
  EXPECT_EQ(document().time, timeline().keys[0].time);
}

/// A chain of ball joints that turns through 60 frames.
Document waving() {
  const auto figure = makeBallChain(3);
  auto motion = std::make_shared<Motion>();
  motion->name = "waves";
  motion->frameTime = 1.0 / 30.0;
  for (int frame = 0; frame < 60; ++frame) {
    Pose pose = restPose(*figure);
    setJointRotation(*figure, 1, exponential(V(0.01 * frame, 0.0, 0.1)), pose);
    motion->append(pose);
  }
  return makeDocument(figure, motion);
}

/// The strip of a figure that shows a motion of 60 frames.
class MotionTrack : public TimelineTrack {
 protected:
  MotionTrack() {
    session_.editor.open(waving(), {}, "open");
    frames(3);
  }
  float xOf(int frame) const { return left_ + width_ * static_cast<float>(frame) / 59.0f; }
  /// The screen height of the middle of a lane.
  float lane(int row) const {
    const float em = ImGui::GetFontSize();
    return trackTop() + (1.55f + 1.2f * (static_cast<float>(row) + 0.5f)) * em;
  }
  void turnAndKey(int frame) {
    goTo(frame / 30.0);
    session_.editor.edit("turn", "", [](Document& d) {
      setJointRotation(*d.figure, 1, jointRotation(*d.figure, d.pose, 1) * exponential(V(0.0, 0.0, 0.4)), d.pose);
    });
    frames(2);
  }
  std::vector<int> keys() const { return document().motion->layer.frames(); }
};

TEST_F(MotionTrack, ADragOnTheRulerShowsTheFramesInOneStep) {
  const Document before = document();
  mouse(xOf(10), trackTop() + 4.0f, false);
  mouse(xOf(10), trackTop() + 4.0f, true);
  EXPECT_EQ(document().frame, 10);
  mouse(xOf(31), trackTop() + 4.0f, true);
  mouse(xOf(31), trackTop() + 4.0f, false);
  EXPECT_EQ(document().frame, 31);
  EXPECT_NEAR(document().time, 31 / 30.0, 1e-9);
  EXPECT_EQ(document().pose, document().motion->poseAt(*document().figure, 31));
  perform(session_, Command::Undo);
  EXPECT_TRUE(isSameContent(before, document()));
}

TEST_F(MotionTrack, AClickOnTheMotionsBarGoesThere) {
  mouse(xOf(45), lane(0), false);
  mouse(xOf(45), lane(0), true);
  mouse(xOf(45), lane(0), false);
  EXPECT_EQ(document().frame, 45);
}

TEST_F(MotionTrack, ArrowsAndEnterMoveTheSameClock) {
  press(Key::Right);
  press(Key::Right);
  EXPECT_EQ(document().frame, 2);
  session_.playing.loop = false;
  press(Key::Enter);
  EXPECT_TRUE(session_.playing.isPlaying());
  for (int i = 0; i < 200 && session_.playing.isPlaying(); ++i) frames(1);
  EXPECT_EQ(document().frame, 59);
  EXPECT_FALSE(session_.playing.isPlaying());
  perform(session_, Command::Undo);
  EXPECT_EQ(document().frame, 2) << "a play is one step";
}

TEST_F(MotionTrack, AKeyOverTheMotionIsClickedAndDragged) {
  turnAndKey(20);
  ASSERT_EQ(keys(), std::vector<int>{20});
  goTo(0.0);
  mouse(xOf(20), lane(1), false);
  mouse(xOf(20), lane(1), true);
  mouse(xOf(20), lane(1), false);
  EXPECT_EQ(document().frame, 20) << "a click goes to the key";
  mouse(xOf(20), lane(1), true);
  mouse(xOf(30), lane(1), true);
  mouse(xOf(33), lane(1), true);
  mouse(xOf(33), lane(1), false);
  EXPECT_EQ(keys(), std::vector<int>{33});
  EXPECT_EQ(document().frame, 20);
  press(Key::Right, 0, {.shift = true});
  EXPECT_EQ(document().frame, 33);
  perform(session_, Command::Undo);
  perform(session_, Command::Undo);
  EXPECT_EQ(keys(), std::vector<int>{20});
}

TEST_F(MotionTrack, AMenuRemovesAKey) {
  turnAndKey(20);
  moveOverPanels(xOf(20), lane(1));
  frames(2);
  for (const bool isDown : {true, false}) {
    pressOverPanels(isDown, 1);
    frames(2);
  }
  const auto& open = ImGui::GetCurrentContext()->OpenPopupStack;
  ASSERT_EQ(open.Size, 1);
  const ImGuiWindow& menu = *open[0].Window;
  const float item = ImGui::GetTextLineHeight() + ImGui::GetStyle().ItemSpacing.y;
  clickPanel(ImVec2(menu.Pos.x + 0.5f * menu.Size.x, menu.Pos.y + menu.WindowPadding.y + 2.5f * item));
  frames(2);
  EXPECT_TRUE(keys().empty());
  perform(session_, Command::Undo);
  EXPECT_EQ(keys(), std::vector<int>{20});
}

TEST_F(MotionTrack, APathOverAMotionIsALaneWhoseBarIsDragged) {
  session_.editor.edit("goal", "", [](Document& d) {
    addGoal(d, 2, V(0.5, 0, 0));
    addPath(d, d.goals.back().id);
    TargetPath& path = *findPath(changeTimeline(d), d.goals.back().id);
    path.end = 1.0;
  });
  frames(3);
  settle();
  ASSERT_EQ(clockOf(document()).frameCount, 60);
  const auto path = [&]() -> const TargetPath& { return document().timeline->paths.back(); };
  mouse(xOf(30), lane(2), false);  // its end
  mouse(xOf(30), lane(2), true);
  mouse(xOf(36), lane(2), true);
  mouse(xOf(42), lane(2), true);
  mouse(xOf(42), lane(2), false);
  EXPECT_NEAR(path().end, 42 / 30.0, 1e-6);
  EXPECT_EQ(path().begin, 0.0);
  mouse(xOf(20), lane(2), true);  // all of it
  mouse(xOf(24), lane(2), true);
  mouse(xOf(25), lane(2), true);
  mouse(xOf(25), lane(2), false);
  EXPECT_NEAR(path().begin, 5 / 30.0, 1e-6);
  EXPECT_NEAR(path().end, 47 / 30.0, 1e-6);
  press(Key::Enter);
  frames(30);
  EXPECT_GT(document().frame, 5) << "the motion goes on beneath the path";
  EXPECT_EQ(document().frame, currentFrame(document()));
}

TEST_F(MotionTrack, ArrowsDoNotStepThroughThePosesLibrary) {
  session_.ui.reveal = Panel::Poses;
  frames(3);
  session_.settings.visible.timeline = false;
  EXPECT_TRUE(arrowsMeanTime(session_)) << "a motion is shown";
  session_.editor.open(makeChain(), {}, "open");
  EXPECT_FALSE(arrowsMeanTime(session_));
  session_.settings.visible.timeline = true;
  EXPECT_TRUE(arrowsMeanTime(session_));
}

/// Two keys of a chain's pose, at 0 and 2 s, with its tip selected.
class KeysInThePicture : public TimelineTrack {
 protected:
  KeysInThePicture() {
    session_.editor.touch().goals.clear();
    press(Key::Letter, 'k');
    goTo(2.0);
    session_.editor.edit("bend", "", [](Document& d) { d.pose.coordinates.setConstant(0.1); });
    press(Key::Letter, 'k');
    session_.editor.touch().selection = {5, -1};
    goTo(1.0);
    frames(2);
  }
  /// The place of the dot or ghost of a frame in the picture.
  Eigen::Vector2d gripOf(render::Grip grip, int frame) const {
    for (const render::DrawCapsule& capsule : session_.picture.drawList.capsules)
      if (capsule.grip == grip && capsule.part == frame && capsule.start == capsule.end) return pixel(capsule.start);
    Eigen::Vector2d last(0.0, 0.0);  // of a ghost: its tip is farthest from the figure
    for (const render::DrawCapsule& capsule : session_.picture.drawList.capsules)
      if (capsule.grip == grip && capsule.part == frame) last = pixel(0.5 * (capsule.start + capsule.end));
    EXPECT_NE(last, Eigen::Vector2d(0.0, 0.0)) << "no such mark";
    return last;
  }
};

TEST_F(KeysInThePicture, TheDotOfAKeyIsClickedAndDraggedByTheSolver) {
  click(gripOf(render::Grip::TrailKey, 60));
  EXPECT_EQ(currentFrame(document()), 60);
  goTo(1.0);
  frames(2);
  const Pose before = timeline().keys[1].pose;
  const Eigen::Vector2d from = gripOf(render::Grip::TrailKey, 60), to = from + Eigen::Vector2d(-30.0, 20.0);
  drag(from, to);
  up();
  frames(2);
  EXPECT_EQ(currentFrame(document()), 60);
  ASSERT_EQ(timeline().keys.size(), 2u);
  EXPECT_FALSE(timeline().keys[1].pose == before);
  EXPECT_EQ(timeline().keys[1].pose, document().pose) << "the key has the solved pose";
  EXPECT_LT((gripOf(render::Grip::TrailKey, 60) - to).norm(), 8.0) << "the dot is where it was dragged";
  perform(session_, Command::Undo);
  EXPECT_EQ(timeline().keys[1].pose, before);
}

TEST_F(KeysInThePicture, AGhostOfTheNextKeyIsClicked) {
  session_.settings.onionSkin = true;
  frames(2);
  click(gripOf(render::Grip::KeyGhost, 60));
  EXPECT_EQ(currentFrame(document()), 60);
}

TEST_F(KeysInThePicture, TheCurveOfAJointIsDraggedInValueAndTime) {
  session_.ui.timeline.showsCurves = true;
  frames(3);
  const float em = ImGui::GetFontSize();
  const float bottom = static_cast<float>(layout_.status.y) - ImGui::GetStyle().WindowPadding.y;
  // The value of the key at 2 s is the lowest, in the lower eighth of the plot.
  float y = bottom;
  for (; y > bottom - 4.0f * em; y -= 0.25f * em) {
    mouse(x(2.0), y, false);
    mouse(x(2.0), y, true);
    if (session_.ui.timeline.curveGrip) break;
    mouse(x(2.0), y, false);
  }
  ASSERT_TRUE(session_.ui.timeline.curveGrip) << "no dot was found";
  const int joint = session_.ui.timeline.curveGrip->number.joint;
  EXPECT_EQ(joint, 5);
  mouse(x(2.2), y - 1.0f * em, true);
  mouse(x(2.5), y - 2.0f * em, true);
  EXPECT_GT(timeline().keys[1].pose.coordinates[5], 0.12) << "the value follows the mouse";
  mouse(x(2.5), y - 2.0f * em, false);
  EXPECT_NEAR(timeline().keys[1].time, 2.5, 0.05);
  perform(session_, Command::Undo);
  EXPECT_EQ(timeline().keys[1].time, 2.0);
  EXPECT_EQ(timeline().keys[1].pose.coordinates[5], 0.1) << "a drag is one step";
}

/// A body that sways in 60 frames, with feet that slide by 12 mm.
Document swaying() {
  const auto figure = test::makeStandingBody();
  const int root = freeLinkFor(makeIkProblem(figure),
                               bodyMapOf(*figure).poseParts().links.at({BodyPart::Hips, BodySide::Middle}).front());
  auto motion = std::make_shared<Motion>();
  motion->frameTime = 1.0 / 30.0;
  for (int frame = 0; frame < 60; ++frame) {
    Pose pose = restPose(*figure);
    pose.coordinates.segment<3>(figure->joint(root).poseIndex) += V(2e-4 * frame, -0.03, 0.0);
    motion->append(pose);
  }
  return makeDocument(figure, motion);
}

/// The strip of a motion of a body.
class StanceTrack : public MotionTrack {
 protected:
  StanceTrack() {
    session_.editor.open(swaying(), {}, "open");
    frames(3);
  }
  const std::vector<Stance>& stances() const { return document().motion->stances; }
  int rowNamed(const std::string& name) const {
    const std::vector<Lane> lanes = lanesOf(document());
    return static_cast<int>(std::ranges::find(lanes, name, &Lane::name) - lanes.begin());
  }
  /// How far the ball of the left foot moves between two frames, metres.
  double slideBetween(int first, int second) const {
    const Figure& figure = *document().figure;
    const std::vector<Sole> soles = solesOf(figure, bodyMapOf(figure).poseParts());
    const Sole& sole = *std::ranges::find(soles, BodySide::Left, &Sole::side);
    const auto ball = [&](int frame) -> V {
      return transformsOf(figure, document().motion->poseAt(figure, frame)).worldFromLink[sole.foot] * sole.ball;
    };
    return (ball(first) - ball(second)).norm();
  }
};

TEST_F(StanceTrack, StandingFeetAreHeldAndReleasedByTheCommand) {
  EXPECT_NEAR(slideBetween(0, 59), 0.0118, 1e-4);
  queue_.add(Command::FindStances, {});
  settle();
  ASSERT_EQ(stances().size(), 4u) << "heel and ball of both feet";
  EXPECT_LT(slideBetween(0, 59), 1e-4);
  EXPECT_LT(rowNamed("Right ball"), static_cast<int>(lanesOf(document()).size()));
  queue_.add(Command::FindStances, {});
  settle();
  EXPECT_TRUE(stances().empty());
  EXPECT_NEAR(slideBetween(0, 59), 0.0118, 1e-4);
  perform(session_, Command::Undo);
  EXPECT_EQ(stances().size(), 4u);
}

TEST_F(StanceTrack, TheEndOfAStanceIsDraggedAndTheFootSlidesAfterIt) {
  queue_.add(Command::FindStances, {});
  settle();
  frames(2);
  EXPECT_EQ(ImGui::FindWindowByName("##timeline")->ScrollMax.y, 0.0f) << "all lanes are in view";
  for (const char* name : {"Left heel", "Left ball"}) {
    const float height = lane(rowNamed(name));
    mouse(xOf(59), height, false);
    mouse(xOf(59), height, true);
    mouse(xOf(40), height, true);
    mouse(xOf(20), height, true);
    mouse(xOf(20), height, false);
  }
  const auto left = [](const Stance& stance) { return stance.side == BodySide::Left; };
  for (const Stance& stance : stances()) EXPECT_EQ(stance.end, left(stance) ? 20 : 59) << "of frames";
  EXPECT_LT(slideBetween(0, 20), 1e-4);
  EXPECT_GT(slideBetween(20, 59), 2e-3);
  for (int i = 0; i < 2; ++i) perform(session_, Command::Undo);
  EXPECT_LT(slideBetween(20, 59), 1e-4);
}

TEST(TimelineKeys, AreOnTheSheetAndUnderTheFingers) {
  EXPECT_EQ(commandOf(KeyPress{Key::Enter, 0, {}, false}), Command::PlayOrPause);
  EXPECT_EQ(commandOf(KeyPress{Key::Left, 0, {}, false}), Command::FrameBack);
  EXPECT_EQ(commandOf(KeyPress{Key::Right, 0, {.shift = true}, false}), Command::NextKey);
  EXPECT_EQ(commandOf(KeyPress{Key::Letter, 't', {.shift = true}, false}), Command::ToggleTimeline);
  EXPECT_TRUE(infoOf(Command::FrameForward).has(kRepeats));
  EXPECT_FALSE(infoOf(Command::PlayOrPause).has(kRepeats));
}

TEST(TimelineLayout, StandsBelowAllPartsAndVanishesInASmallWindow) {
  const Layout l = divideWindow(1400, 900, 15, 22, {.race = true, .timeline = true});
  EXPECT_EQ(l.timeline.width, 1400);
  EXPECT_NEAR(l.timeline.y + l.timeline.height, l.status.y, 1e-9);
  EXPECT_NEAR(l.race.y + l.race.height, l.timeline.y, 1e-9);
  EXPECT_NEAR(l.tree.y + l.tree.height, l.timeline.y, 1e-9);
  EXPECT_GT(l.picture.height, 300);
  EXPECT_EQ(divideWindow(640, 300, 30, 40, {.timeline = true}).timeline.height, 0.0);
}

}  // namespace
}  // namespace limber::app::timeline_test
