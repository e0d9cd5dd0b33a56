// SPDX-License-Identifier: MIT
// The session without a window: takes events, changes the document.
#include "app/session/session.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "headless_session.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/problem/new_goal.h"
#include "standing_figure.h"
#include "support/skinned_tube.h"
#include "support/temporary_folder.h"

namespace limber::app::session_test {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

struct Printed {
  std::vector<std::string> lines;
};

/// Printed comes first: the session prints from its first frame on.
struct Hand : Printed, HeadlessSession {
  explicit Hand(std::shared_ptr<const Figure> figure) : Hand(makeDocument(std::move(figure))) {}
  explicit Hand(Document document)
      : HeadlessSession(std::move(document), [this](const std::string& line) { lines.push_back(line); }) {}

  void waitForJob() {
    EXPECT_TRUE(session_.services.job.wait(60.0));
    finishJob(session_);
  }
  double angle(int joint) const { return document().pose.coordinates[joint]; }
};

TEST(Session, SpaceTogglesAndNeverMovesTheFigure) {
  Hand hand(makePlanarChain(4));
  const Pose before = hand.document().pose;
  hand.press(Key::Space);
  EXPECT_EQ(hand.document().mode, Mode::Forward);
  for (int i = 0; i < 3; ++i) hand.type(U".");
  const Pose turned = hand.document().pose;
  EXPECT_FALSE(turned == before);
  hand.press(Key::Space);
  hand.settle();
  EXPECT_EQ(hand.document().mode, Mode::Inverse);
  EXPECT_TRUE(hand.document().pose == turned);
  EXPECT_LT((hand.document().goals[0].target - hand.worldPoint(3, {1, 0, 0})).norm(), 1e-12);
}

TEST(Session, DraggingTheSkinMovesThePointThatWasGrabbed) {
  Hand hand(test::makeSkinnedTube());
  const Eigen::Vector2d from = hand.pixel({0.0, 2.7, test::kTubeRadius});
  hand.move(from);
  EXPECT_EQ(hand.session().picture.highlight.hoveredLink, 2);
  hand.down(from);
  ASSERT_TRUE(hand.session().pointer.tool->drag());
  const auto grabbed = hand.session().pointer.tool->drag()->request.drag;
  ASSERT_TRUE(grabbed);
  EXPECT_EQ(grabbed->link, 2);
  EXPECT_LT((hand.pixel(grabbed->target) - from).norm(), 1e-6) << "the point under the cursor";
  EXPECT_NEAR(std::hypot(grabbed->target.x(), grabbed->target.z()), test::kTubeRadius, 0.01) << "on the skin";
  const Eigen::Vector2d to = from + Eigen::Vector2d(90.0, 40.0);
  for (int i = 1; i <= 20; ++i) hand.move(from + (to - from) * (i / 20.0));
  hand.up();
  EXPECT_LT((hand.pixel(hand.worldPoint(2, grabbed->pointInLink)) - to).norm(), 3.0);
}

TEST(Session, XShowsSkinBothAndFigure) {
  Hand hand(test::makeSkinnedTube());
  EXPECT_TRUE(hand.session().picture.drawList.skin.isShown);
  EXPECT_TRUE(hand.session().picture.drawList.capsules.empty());
  hand.press(Key::Letter, 'x');
  EXPECT_TRUE(hand.session().picture.drawList.skin.isTranslucent);
  EXPECT_FALSE(hand.session().picture.drawList.capsules.empty());
  hand.press(Key::Letter, 'x');
  EXPECT_FALSE(hand.session().picture.drawList.skin.isShown);
  hand.press(Key::Letter, 'x');
  EXPECT_TRUE(hand.session().picture.drawList.capsules.empty());

  Hand bare(makeBallChain(3));
  bare.press(Key::Letter, 'x');
  EXPECT_EQ(bare.session().settings.skinView, render::SkinView::Skin);
  EXPECT_NE(bare.session().ui.message.text.find("no skin"), std::string::npos);
}

TEST(Session, FullStopTurnsByFiveDegreesAndShiftByOne) {
  Hand hand(makePlanarChain(2));
  hand.press(Key::Space);
  hand.type(U".");
  EXPECT_NEAR(hand.angle(0), 5 * kDegree, 1e-12);
  hand.type(U">");
  EXPECT_NEAR(hand.angle(0), 6 * kDegree, 1e-12);
  hand.type(U",");
  hand.type(U";");
  EXPECT_NEAR(hand.angle(0), 0.0, 1e-12);
}

TEST(Session, ARunOfTurnsIsOneStep) {
  Hand hand(makePlanarChain(2));
  hand.press(Key::Space);
  for (int i = 0; i < 5; ++i) hand.type(U".");
  hand.press(Key::Tab);
  hand.type(U".");
  hand.press(Key::Letter, 'z', {.control = true});
  EXPECT_NEAR(hand.angle(1), 0.0, 1e-12);
  EXPECT_NEAR(hand.angle(0), 25 * kDegree, 1e-12);
  hand.press(Key::Letter, 'z', {.control = true});
  EXPECT_NEAR(hand.angle(0), 0.0, 1e-12);
  EXPECT_EQ(hand.document().mode, Mode::Forward);
}

TEST(Session, TurnsWaitForForwardMode) {
  Hand hand(makePlanarChain(2));
  hand.type(U".");
  EXPECT_EQ(hand.angle(0), 0.0);
  EXPECT_FALSE(hand.session().ui.message.text.empty());
}

TEST(Session, TabPassesOverLockedAndFixedJoints) {
  Hand hand(makeStandingFigure());
  hand.press(Key::Space);
  hand.press(Key::Tab);
  EXPECT_EQ(hand.document().selection.joint, 1);  // 0, the root, is locked
  hand.press(Key::Tab, 0, {.shift = true});
  EXPECT_EQ(hand.document().selection.joint, hand.document().figure->linkCount() - 1);
}

TEST(Session, RestPoseIsOneStepAndTakesTheTargetsAlong) {
  Hand hand(makePlanarChain(4));
  hand.press(Key::Space);
  for (int i = 0; i < 4; ++i) hand.type(U".");
  hand.press(Key::Space);
  const Document bent = hand.document();
  hand.press(Key::Letter, 'r');
  hand.settle();
  EXPECT_EQ(hand.document().pose.coordinates.norm(), 0.0);
  EXPECT_LT((hand.document().goals[0].target - Eigen::Vector3d(4, 0, 0)).norm(), 1e-12);
  hand.press(Key::Letter, 'z', {.control = true});
  EXPECT_TRUE(hand.document().pose == bent.pose);
  EXPECT_EQ(hand.document().goals, bent.goals);
}

TEST(Session, DraggingATargetBringsTheTipAndIsOneStep) {
  Hand hand(makePlanarChain(4));
  const Document before = hand.document();
  const Eigen::Vector2d to = hand.pixel({2.0, 1.5, 0.0});
  hand.drag(hand.pixel({4, 0, 0}), to);
  hand.up();
  EXPECT_LT((hand.worldPoint(3, {1, 0, 0}) - Eigen::Vector3d(2.0, 1.5, 0.0)).norm(), 0.04);
  hand.press(Key::Letter, 'z', {.control = true});
  EXPECT_TRUE(hand.document().pose == before.pose);
  EXPECT_EQ(hand.document().goals, before.goals);
  EXPECT_FALSE(hand.session().editor.history().canUndo());
}

TEST(Session, ALinkStaysWhereItWasPulled) {
  Hand hand(makePlanarChain(4));
  hand.session().editor.touch().goals.clear();
  const Eigen::Vector2d to = hand.pixel({1.5, 1.0, 0.0});
  hand.drag(hand.pixel({2.5, 0, 0}), to);
  hand.up();
  const Pose pulled = hand.document().pose;
  EXPECT_LT((hand.worldPoint(2, {0.5, 0, 0}) - Eigen::Vector3d(1.5, 1.0, 0.0)).norm(), 0.06);
  EXPECT_TRUE(hand.document().goals.empty());
  for (int i = 0; i < 5; ++i) hand.frame();
  EXPECT_TRUE(hand.document().pose == pulled);
}

TEST(Session, EscapeAndRightClickCancelADragExactly) {
  Hand hand(makePlanarChain(4));
  const Document before = hand.document();
  const Eigen::Vector2d from = hand.pixel({4, 0, 0}), to = hand.pixel({2.0, 1.5, 0.0});
  hand.drag(from, to);
  EXPECT_FALSE(hand.document().pose == before.pose);
  hand.press(Key::Escape);
  EXPECT_TRUE(hand.document().pose == before.pose);
  EXPECT_EQ(hand.document().goals, before.goals);
  hand.up();
  hand.drag(from, to);
  hand.down(to, Button::Right);
  EXPECT_TRUE(isSameContent(hand.document(), before));
  hand.up(Button::Right);
  hand.up();
  EXPECT_TRUE(isSameContent(hand.document(), before));
  EXPECT_FALSE(hand.session().editor.history().canUndo());
}

TEST(Session, AClickSelectsAndMovesNothing) {
  Hand hand(makePlanarChain(4));
  const Document before = hand.document();
  const Eigen::Vector2d at = hand.pixel({1.5, 0, 0});
  hand.down(at);
  hand.up();
  EXPECT_EQ(hand.document().selection.joint, 1);
  EXPECT_TRUE(isSameContent(hand.document(), before));
  const Eigen::Vector2d empty = hand.pixel({2.0, 2.5, 0});
  hand.down(empty);
  hand.up();
  EXPECT_EQ(hand.document().selection.joint, -1);
}

TEST(Session, DraggingBesideTheFigureOrbits) {
  Hand hand(makePlanarChain(4));
  hand.session().picture.camera.isOrthographic = false;  // a planar figure is shown flat, and not turned, unless asked
  const double yaw = hand.session().picture.camera.yaw;
  const Eigen::Vector2d from = hand.pixel({2.0, 2.5, 0});
  hand.drag(from, from + Eigen::Vector2d(60, 0));
  hand.up();
  EXPECT_NE(hand.session().picture.camera.yaw, yaw);
  EXPECT_FALSE(hand.session().editor.history().canUndo());
  hand.press(Key::Home);
  hand.session().ui.now += kTurnSeconds;
  advance(hand.session());
  EXPECT_NEAR(hand.session().picture.camera.yaw, yaw, 1e-12);
}

TEST(Session, AltTurnsTheLeftButtonIntoACamera) {
  Hand hand(makePlanarChain(4));
  hand.session().picture.camera.isOrthographic = false;
  const Document before = hand.document();
  const Eigen::Vector2d on = hand.pixel({4, 0, 0});
  hand.down(on, Button::Left, {.alt = true});
  hand.move(on + Eigen::Vector2d(50, 20));
  hand.up();
  EXPECT_TRUE(isSameContent(hand.document(), before));
  EXPECT_NE(hand.session().picture.camera.yaw, 0.0);
}

TEST(Session, FollowNeedsNoButtonAndAClickPlants) {
  Hand hand(makePlanarChain(4));
  const Document before = hand.document();
  hand.press(Key::Letter, 't');
  hand.move(hand.pixel({3.0, 1.0, 0.0}));
  hand.move(hand.pixel({2.0, 1.5, 0.0}));
  hand.settle();
  EXPECT_LT((hand.worldPoint(3, {1, 0, 0}) - Eigen::Vector3d(2.0, 1.5, 0.0)).norm(), 0.04);
  hand.down(hand.pixel({2.0, 1.5, 0.0}));
  hand.up();
  EXPECT_FALSE(hand.document().follow);
  const Eigen::Vector3d planted = hand.document().goals[0].target;
  hand.move(hand.pixel({1.0, -1.0, 0.0}));
  EXPECT_EQ(hand.document().goals[0].target, planted);
  hand.press(Key::Letter, 'z', {.control = true});
  EXPECT_TRUE(isSameContent(hand.document(), before));
}

TEST(Session, FollowGivesAFigureWithoutGoalsOne) {
  Hand hand(makeStandingFigure());
  ASSERT_TRUE(hand.document().goals.empty());
  hand.press(Key::Letter, 't');
  EXPECT_EQ(hand.document().goals.size(), 1u);
  EXPECT_TRUE(hand.document().follow);
}

TEST(Session, SwitchingTheSolverInADragMakesNoJump) {
  Hand hand(makePlanarChain(4));
  hand.press(Key::Letter, 't');
  hand.move(hand.pixel({2.5, 1.5, 0.0}));
  hand.settle();
  const Pose before = hand.document().pose;
  CommandQueue queue;
  queue.edit("choose solver", "", AfterEdit::Solve, [](Document& d) { d.solver.solver = "gdls+nm"; });
  carryOut(hand.session(), queue);
  hand.settle();
  EXPECT_LT((hand.document().pose.coordinates - before.coordinates).norm(), 0.05);
  EXPECT_TRUE(hand.document().follow);
  hand.move(hand.pixel({2.4, 1.5, 0.0}));
  EXPECT_TRUE(hand.session().pointer.following) << "the edit is a step of its own, after it the target follows on";
}

TEST(Session, PrintsTheIterationsAndAlwaysTheLast) {
  Hand hand(makePlanarChain(4));
  const Eigen::Vector2d to = hand.pixel({2.0, 1.5, 0.0});
  hand.drag(hand.pixel({4, 0, 0}), to);
  const std::size_t whileDragging = hand.lines.size();
  EXPECT_LE(whileDragging, 3u);  // ten moves in a fifth of a second
  hand.up();
  hand.frame();
  ASSERT_FALSE(hand.lines.empty());
  EXPECT_NE(hand.lines.back().find("iterations, f = "), std::string::npos);
  EXPECT_FALSE(hand.session().solving.nextPrint());
}

TEST(Session, SleepsWhenNothingHappens) {
  Hand hand(makePlanarChain(4));
  hand.settle();
  EXPECT_FALSE(sleepTime(hand.session()));
  hand.session().solving.request();
  EXPECT_EQ(sleepTime(hand.session()), 0.0);
  hand.settle();
  hand.session().ui.now += 10.0;
  hand.frame();
  EXPECT_FALSE(sleepTime(hand.session()));
}

TEST(Session, LosingTheFocusEndsADrag) {
  Hand hand(makePlanarChain(4));
  hand.drag(hand.pixel({4, 0, 0}), hand.pixel({3, 1, 0}));
  handleEvent(hand.session(), FocusLost{});
  EXPECT_FALSE(hand.session().pointer.tool);
  EXPECT_TRUE(hand.session().editor.history().canUndo());
}

TEST(Session, AFileThatCannotBeReadLeavesTheDocument) {
  Hand hand(makePlanarChain(4));
  const Document before = hand.document();
  perform(hand.session(), Command::Open, "/nowhere/walk.bvh");
  hand.waitForJob();
  EXPECT_TRUE(hand.session().ui.showError);
  EXPECT_NE(hand.session().ui.error.find("walk.bvh"), std::string::npos);
  EXPECT_TRUE(isSameContent(hand.document(), before));
}

TEST(Session, ANewFigureIsOneStep) {
  Hand hand(makePlanarChain(4));
  perform(hand.session(), Command::CreateFigure, NewFigure{NewFigure::Kind::BallChain, 10});
  hand.frame();
  EXPECT_EQ(hand.document().figure->linkCount(), 10);
  hand.press(Key::Letter, 'z', {.control = true});
  EXPECT_EQ(hand.document().figure->linkCount(), 4);
}

using SessionFile = test::TemporaryFolder;

TEST_F(SessionFile, SavedAndOpenedAgainIsTheSame) {
  Hand hand(makePlanarChain(3));
  hand.press(Key::Space);
  hand.type(U".");
  const std::string path = folder_ / "session.limber";
  perform(hand.session(), Command::SaveAs, path);
  EXPECT_FALSE(hand.session().editor.isChanged()) << hand.session().ui.error;
  const Pose saved = hand.document().pose;
  hand.type(U".");
  perform(hand.session(), Command::Open, path);
  hand.waitForJob();
  EXPECT_TRUE(hand.document().pose == saved) << hand.session().ui.error;
}

TEST(Session, PinKeysTogglePositionRotationAndBoth) {
  Hand hand(makeStandingFigure());
  const int foot = hand.document().figure->findLink("left_foot");
  hand.press(Key::Letter, 'p');
  EXPECT_TRUE(hand.document().pins.empty()) << "nothing is selected";
  hand.session().editor.touch().selection = {foot, -1};
  hand.press(Key::Letter, 'p', {.shift = true});
  ASSERT_TRUE(findPin(hand.document(), foot));
  EXPECT_TRUE(findPin(hand.document(), foot)->position);
  EXPECT_FALSE(findPin(hand.document(), foot)->rotation);
  hand.press(Key::Letter, 'p');
  EXPECT_TRUE(findPin(hand.document(), foot)->rotation) << "P pins what is missing";
  hand.press(Key::Letter, 'p', {.shift = true});
  EXPECT_FALSE(findPin(hand.document(), foot)->position);
  hand.press(Key::Letter, 'p', {.control = true});
  EXPECT_FALSE(findPin(hand.document(), foot)) << "neither is none";
  hand.press(Key::Letter, 'p');
  hand.press(Key::Letter, 'p');
  EXPECT_FALSE(findPin(hand.document(), foot));
  hand.press(Key::Letter, 'z', {.control = true});
  EXPECT_TRUE(findPin(hand.document(), foot)) << "a pin is a step";
}

TEST(Session, APinMadeDuringADragIsAPartOfItsStep) {
  Hand hand(makeStandingFigure());
  const int arm = hand.document().figure->findLink("arm");
  const Eigen::Vector2d at = hand.pixel(hand.worldPoint(arm, {0, -0.4, 0}));
  hand.drag(at, at + Eigen::Vector2d(60, -30));
  ASSERT_TRUE(hand.isDragging());
  hand.press(Key::Letter, 'p', {.shift = true});
  ASSERT_TRUE(findPin(hand.document(), arm));
  hand.up();
  EXPECT_TRUE(findPin(hand.document(), arm));
  hand.press(Key::Letter, 'z', {.control = true});
  EXPECT_TRUE(hand.document().pins.empty());
}

TEST(Session, TurningATargetIsOneStepAndEscTakesItBackExactly) {
  Hand hand(makeBallChain(3));
  hand.session().editor.touch().goals.clear();
  const int id = addGoal(hand.session().editor.touch(), GoalType::Direction, endEffectorOf(*hand.document().figure, 2));
  hand.frame();
  const auto tip = [&] {
    for (const render::DrawCapsule& c : hand.session().picture.drawList.capsules)
      if (c.goal == id && c.grip == render::Grip::Tip) return hand.pixel(c.start);
    return Eigen::Vector2d(0, 0);
  };
  const Document original = hand.document();
  const Eigen::Vector2d at = tip(), to = at + Eigen::Vector2d(-15, 25);
  hand.drag(at, to);
  ASSERT_TRUE(hand.isDragging());
  EXPECT_FALSE(hand.document().goals == original.goals);
  hand.press(Key::Escape);
  EXPECT_TRUE(hand.document().goals == original.goals);
  EXPECT_TRUE(hand.document().pose == original.pose);
  hand.up();
  hand.drag(at, to);
  hand.up();
  EXPECT_FALSE(hand.document().goals == original.goals);
  hand.press(Key::Letter, 'z', {.control = true});
  EXPECT_TRUE(hand.document().goals == original.goals);
}

TEST(Session, NothingMovesBeforeAndAfterADrag) {
  Hand hand(makePlanarChain(4));
  EXPECT_FALSE(isMoving(hand.session()));
  const Eigen::Vector2d at = hand.pixel({4, 0, 0});
  hand.down(at);
  EXPECT_FALSE(isMoving(hand.session())) << "a press alone moves nothing";
  for (int i = 1; i <= 10; ++i) hand.move(at + Eigen::Vector2d(-8.0 * i, -6.0 * i));
  EXPECT_TRUE(isMoving(hand.session()));
  hand.up();
  EXPECT_FALSE(isMoving(hand.session()));
  hand.move(at + Eigen::Vector2d(-80, 60));
  EXPECT_FALSE(isMoving(hand.session())) << "neither does the mouse over the picture";
}

TEST(Session, AMarkThatOnlySelectsOrbitsWhenDragged) {
  Hand hand(makeBallChain(3));
  hand.session().editor.touch().goals.clear();
  const int id = addGoal(hand.session().editor.touch(), GoalType::KeepPose, endEffectorOf(*hand.document().figure, 1));
  hand.frame();
  for (const render::DrawCapsule& c : hand.session().picture.drawList.capsules) {
    if (c.grip != render::Grip::Mark) continue;
    const Eigen::Vector2d at = hand.pixel(c.start);
    hand.drag(at, at + Eigen::Vector2d(40, 0));
    EXPECT_TRUE(isMoving(hand.session()) && !hand.isDragging()) << "it orbits";
    hand.up();
    break;
  }
  for (const render::DrawCapsule& c : hand.session().picture.drawList.capsules) {
    if (c.grip != render::Grip::Mark) continue;
    const Eigen::Vector2d at = hand.pixel(c.start);
    hand.down(at);
    hand.up();
    break;
  }
  EXPECT_EQ(hand.document().selection.goal, id);
}

}  // namespace
}  // namespace limber::app::session_test
