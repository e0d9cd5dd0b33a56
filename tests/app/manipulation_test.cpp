// SPDX-License-Identifier: MIT
// Rings, gizmos, locks, typed numbers and the wheel, with the mouse, in a session without a window.
#include "app/session/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/drag/drag_chain.h"
#include "headless_session.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/problem/new_goal.h"
#include "standing_figure.h"

namespace limber::app::manipulation_test {
namespace {

using render::Grip;
using V = Eigen::Vector3d;
using P = Eigen::Vector2d;

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kExact = 1e-12;

struct Hand : HeadlessSession {
  explicit Hand(std::shared_ptr<const Figure> figure) : Hand(makeDocument(std::move(figure))) {}
  explicit Hand(Document document) : HeadlessSession(std::move(document)) {}

  void wheel(double steps, Modifiers held = {}) {
    handleEvent(session_, WheelTurn{steps, mouse().x(), mouse().y(), held});
    settle();
  }
  void select(Selection selection) {
    session_.editor.touch().selection = selection;
    frame();
  }
  int plant(GoalType type, int link) {
    const int id = addGoal(session_.editor.touch(), type, endEffectorOf(*document().figure, link));
    select({.goal = id});
    return id;
  }
  const GoalItem& goal(int id) const { return *findGoal(document(), id); }
  /// The middles of the pieces of a grip, in the world.
  std::vector<V> grips(Grip grip) const {
    std::vector<V> places;
    for (const render::DrawCapsule& c : session_.picture.drawList.capsules)
      if (c.grip == grip) places.push_back(0.5 * (c.start + c.end));
    return places;
  }
  P grip(Grip grip, std::size_t nth = 0) const {
    const auto places = grips(grip);
    EXPECT_GT(places.size(), nth) << "no such grip";
    return places.size() > nth ? pixel(places[nth]) : P(1, 1);
  }
};

TEST(Manipulation, ATargetFollowsTheMouseAgainAfterAChangeOfModeAndBack) {
  Hand hand(makePlanarChain(4));
  const int id = hand.plant(GoalType::Position, 3);
  perform(hand.session(), Command::ToggleFollow);
  hand.move({420, 300});
  hand.move({440, 280});
  hand.settle();
  hand.press(Key::Space);
  ASSERT_EQ(hand.document().mode, Mode::Forward);
  hand.press(Key::Space);
  ASSERT_EQ(hand.document().mode, Mode::Inverse);
  EXPECT_TRUE(hand.document().follow);
  const V before = hand.goal(id).target;
  hand.move({460, 260});
  hand.move({480, 240});
  EXPECT_GT((hand.goal(id).target - before).norm(), 0.01);
}

TEST(Manipulation, AClickShowsTheRingAndTheRingTurnsTheJoint) {
  for (const Mode mode : {Mode::Forward, Mode::Inverse}) {
    Hand hand(makePlanarChain(4));
    if (mode == Mode::Forward) hand.press(Key::Space);
    const P at = hand.pixel({1.5, 0, 0});
    hand.down(at);
    hand.up();
    ASSERT_EQ(hand.document().selection.joint, 1);
    const Document before = hand.document();
    const P from = hand.grip(Grip::RingX, 3), to = hand.grip(Grip::RingX, 11);
    hand.drag(from, to);
    ASSERT_TRUE(hand.isDragging());
    hand.up();
    EXPECT_NEAR(std::abs(hand.document().pose.coordinates[1]), 8 * 2 * std::numbers::pi / 64, 1e-6) << "eight pieces";
    EXPECT_EQ(hand.document().pose.coordinates[0], 0.0);
    EXPECT_EQ(hand.document().selection.joint, 1);
    EXPECT_EQ(hand.session().editor.history().undoLabel(), "turn " + hand.document().figure->joint(1).name);
    hand.undo();
    EXPECT_EQ(hand.document().pose, before.pose);
    EXPECT_EQ(hand.document().goals, before.goals);
  }
}

TEST(Manipulation, InInverseModeTheTargetsComeAlong) {
  Hand hand(makePlanarChain(4));
  hand.select({.joint = 1});
  hand.drag(hand.grip(Grip::RingX, 3), hand.grip(Grip::RingX, 11));
  EXPECT_NE(toolStatus(hand.session()).find("targets follow"), std::string::npos);
  hand.up();
  EXPECT_LT((hand.document().goals[0].target - hand.worldPoint(3, {1, 0, 0})).norm(), kExact);
  const Pose turned = hand.document().pose;
  for (int i = 0; i < 5; ++i) hand.frame();
  EXPECT_EQ(hand.document().pose, turned) << "nothing pulls it back";
}

TEST(Manipulation, ARingStopsAtTheLimitAndComesBackFromIt) {
  Hand hand(makePlanarChain(3));
  hand.session().editor.touch().joints[1].limits = {-0.3, 0.5};
  hand.select({.joint = 1});
  const auto ring = hand.grips(Grip::RingX);
  ASSERT_EQ(ring.size(), 64u);
  const double side = (ring[4] - ring[3]).cross(ring[5] - ring[4]).z() > 0.0 ? 1.0 : -1.0;  // left or right round
  hand.down(hand.pixel(ring[0]));
  for (std::size_t i = 1; i <= 40; ++i) hand.move(hand.pixel(ring[i]));
  EXPECT_EQ(hand.document().pose.coordinates[1], side > 0.0 ? 0.5 : -0.3) << "the limit itself";
  EXPECT_NE(toolStatus(hand.session()).find("limit"), std::string::npos);
  for (std::size_t i = 40; i-- > 2;) hand.move(hand.pixel(ring[i]));
  EXPECT_NEAR(hand.document().pose.coordinates[1], side * 4 * std::numbers::pi / 64, 1e-6)
      << "with the hand, not later";
  hand.up();
}

TEST(Manipulation, ARingTurnsABallAboutItsAxisAndEscTakesItBack) {
  Hand hand(makeBallChain(3));
  hand.select({.joint = 1});
  const Document before = hand.document();
  for (const Grip grip : {Grip::RingX, Grip::RingY, Grip::RingZ}) {
    ASSERT_GT(hand.grips(grip).size(), 20u) << "the near half";
    hand.drag(hand.grip(grip, 8), hand.grip(grip, 14));
    ASSERT_TRUE(hand.isDragging());
    const Eigen::AngleAxisd turn(jointRotation(*hand.document().figure, hand.document().pose, 1));
    EXPECT_GT(turn.angle(), 0.1);
    EXPECT_NEAR(std::abs(turn.axis()[static_cast<int>(grip) - static_cast<int>(Grip::RingX)]), 1.0, 1e-9);
    hand.press(Key::Escape);
    EXPECT_TRUE(isSameContent(hand.document(), before));
    hand.up();
  }
  EXPECT_FALSE(hand.session().editor.history().canUndo());
}

TEST(Manipulation, AClickOnAGizmoChangesNothing) {
  Hand hand(makeBallChain(3));
  hand.select({.joint = 1});
  const Document before = hand.document();
  hand.down(hand.grip(Grip::RingX, 8));
  hand.up();
  EXPECT_EQ(hand.document().selection.joint, 1);
  EXPECT_TRUE(isSameContent(hand.document(), before));
  EXPECT_FALSE(hand.session().editor.history().canUndo());
}

TEST(Manipulation, XYZLockTheDragAndTheSameKeyFreesIt) {
  Hand hand(makeBallChain(4));
  const int id = hand.document().goals[0].id;
  const V start = hand.goal(id).target;
  const P at = hand.pixel(start), to = at + P(60, 50);
  hand.drag(at, to);
  const V free = hand.goal(id).target;
  for (int axis = 0; axis < 3; ++axis) {
    hand.letter(static_cast<char>('x' + axis));
    const V way = hand.goal(id).target - start;
    EXPECT_LT((way - way[axis] * V::Unit(axis)).norm(), kExact) << "along "
                                                                << "xyz"[axis];
    EXPECT_GT(way.norm(), 0.02);
    hand.letter(static_cast<char>('x' + axis), {.shift = true});
    EXPECT_NEAR((hand.goal(id).target - start)[axis], 0.0, kExact) << "in the plane across it";
    hand.letter(static_cast<char>('x' + axis), {.shift = true});
    EXPECT_LT((hand.goal(id).target - free).norm(), kExact) << "as before";
  }
  hand.letter('x');
  EXPECT_NE(toolStatus(hand.session()).find("X locked"), std::string::npos);
  hand.move(to + P(10, 0));
  EXPECT_EQ(hand.goal(id).target.y(), start.y());
  hand.up();
  EXPECT_EQ(hand.session().settings.skinView, render::SkinView::Skin) << "X was not for the skin";
  hand.undo();
  EXPECT_EQ(hand.goal(id).target, start);
}

TEST(Manipulation, ALockShowsItsLine) {
  Hand hand(makeBallChain(4));
  const P at = hand.pixel(hand.document().goals[0].target);
  hand.drag(at, at + P(40, 30));
  const auto longLines = [&] {
    const auto isLong = [](const render::DrawCapsule& c) { return (c.end - c.start).norm() > 20.0; };
    return std::ranges::count_if(hand.session().picture.drawList.capsules, isLong);
  };
  EXPECT_EQ(longLines(), 0);
  hand.letter('y');
  EXPECT_EQ(longLines(), 1);
  hand.letter('y', {.shift = true});
  EXPECT_EQ(longLines(), 2) << "the plane's two lines";
  hand.up();
  EXPECT_EQ(longLines(), 0);
}

TEST(Manipulation, APlanarFigureIsLockedWithinItsPlaneAlone) {
  Hand hand(makePlanarChain(4));
  const V start = hand.document().goals[0].target;
  hand.drag(hand.pixel(start), hand.pixel({2.5, 1.5, 0}));
  hand.letter('z');
  EXPECT_FALSE(hand.running().lock);
  hand.letter('y');
  EXPECT_TRUE(hand.running().lock);
  EXPECT_NEAR(hand.document().goals[0].target.x(), start.x(), kExact);
  hand.up();
}

TEST(Manipulation, LocksGoByTheAxesOfWhatIsSelectedWhenAsked) {
  Hand hand(makeBallChain(3));
  const int id = hand.plant(GoalType::PositionOrientation, 2);
  const Eigen::Matrix3d frame = Eigen::AngleAxisd(0.5, V(1, 1, 0).normalized()).toRotationMatrix();
  findGoal(hand.session().editor.touch(), id)->targetFrame = frame;
  hand.letter('a');
  const V start = hand.goal(id).target;
  hand.drag(hand.pixel(start), hand.pixel(start) + P(50, 40));
  hand.letter('y');
  EXPECT_LT((hand.goal(id).target - start).cross(frame.col(1)).norm(), kExact);
  hand.up();
}

TEST(Manipulation, TheWheelChangesHowManyJointsFollow) {
  Hand hand(makeBallChain(5));
  hand.session().editor.touch().goals.clear();
  hand.frame();
  const Pose before = hand.document().pose;
  const P at = hand.pixel(hand.worldPoint(4, {0, 0.5, 0}));
  hand.drag(at, at + P(80, 60));
  EXPECT_TRUE(hand.running().request.drag->chain.empty());
  hand.wheel(-3.0);
  EXPECT_EQ(hand.running().request.drag->chain, (std::vector<int>{3, 4}));
  EXPECT_NE(toolStatus(hand.session()).find("2 of 5 joints follow"), std::string::npos);
  EXPECT_EQ(hand.session().picture.highlight.follows, (std::vector<char>{0, 0, 0, 1, 1}));
  for (int joint = 0; joint < 3; ++joint)
    EXPECT_TRUE(jointRotation(*hand.document().figure, hand.document().pose, joint)
                    .isApprox(jointRotation(*hand.document().figure, before, joint), kExact))
        << "what follows no more is back where it was";
  EXPECT_FALSE(hand.document().pose == before);
  hand.wheel(-5.0);
  EXPECT_EQ(hand.running().request.drag->chain, (std::vector<int>{4})) << "one at least";
  hand.wheel(0.4);
  hand.wheel(0.4);
  EXPECT_EQ(hand.running().request.drag->chain.size(), 1u) << "parts of a step wait";
  hand.wheel(0.4);
  EXPECT_EQ(hand.running().request.drag->chain.size(), 2u);
  hand.wheel(20.0);
  EXPECT_TRUE(hand.running().request.drag->chain.empty()) << "all again";
  hand.up();
  hand.undo();
  EXPECT_EQ(hand.document().pose, before);
}

TEST(Manipulation, TheWheelChangesTheChainOfADraggedTargetWithinItsOwn) {
  Hand hand(makeBallChain(5));
  const int id = hand.document().goals[0].id;
  findGoal(hand.session().editor.touch(), id)->chain = {1, 2, 3, 4};
  const P at = hand.pixel(hand.goal(id).target);
  hand.drag(at, at + P(-30, 60));
  hand.wheel(-2.0);
  EXPECT_EQ(hand.goal(id).chain, (std::vector<int>{3, 4}));
  hand.wheel(9.0);
  EXPECT_EQ(hand.goal(id).chain, (std::vector<int>{1, 2, 3, 4}));
  hand.wheel(-1.0);
  hand.press(Key::Escape);
  EXPECT_EQ(hand.goal(id).chain, (std::vector<int>{1, 2, 3, 4}));
}

TEST(Manipulation, TheWheelZoomsWithoutADragAndNotInOne) {
  Hand hand(makeBallChain(4));
  const double distance = hand.session().picture.camera.distance;
  hand.wheel(1.0);
  EXPECT_LT(hand.session().picture.camera.distance, distance);
  const double nearer = hand.session().picture.camera.distance;
  const P at = hand.pixel(hand.document().goals[0].target);
  hand.drag(at, at + P(20, 20));
  hand.wheel(1.0);
  EXPECT_EQ(hand.session().picture.camera.distance, nearer);
}

TEST(Manipulation, ControlAndTheWheelMoveItAlongTheView) {
  Hand hand(makeBallChain(4));
  const int id = hand.document().goals[0].id;
  const P at = hand.pixel(hand.goal(id).target), to = at + P(30, 80);
  hand.drag(at, to);
  const V before = hand.goal(id).target;
  hand.wheel(3.0, {.control = true});
  const V after = hand.goal(id).target;
  EXPECT_LT((hand.pixel(after) - to).norm(), 1e-6) << "under the cursor still";
  const V eye = hand.session().picture.view().eye;
  EXPECT_NEAR((after - eye).norm() / (before - eye).norm(), std::pow(1.04, 3), 0.02);
  hand.move(to + P(15, -10));
  EXPECT_LT((hand.pixel(hand.goal(id).target) - to - P(15, -10)).norm(), 1e-6);
  hand.up();
}

TEST(Manipulation, ATypedNumberIsTheExactDistanceAndEnterAcceptsIt) {
  Hand hand(makeBallChain(4));
  const int id = hand.document().goals[0].id;
  const V start = hand.goal(id).target;
  const P at = hand.pixel(start);
  hand.drag(at, at + P(25, 40));
  hand.letter('x');
  hand.type(U"-0.75");
  EXPECT_LT((hand.goal(id).target - start - V(-0.75, 0, 0)).norm(), kExact);
  EXPECT_NE(toolStatus(hand.session()).find("-0.75"), std::string::npos);
  hand.move(at + P(60, 60));
  EXPECT_LT((hand.goal(id).target - start - V(-0.75, 0, 0)).norm(), kExact) << "the cursor does not count now";
  hand.press(Key::Backspace);
  EXPECT_LT((hand.goal(id).target - start - V(-0.7, 0, 0)).norm(), kExact);
  hand.press(Key::Enter);
  EXPECT_FALSE(hand.isDragging());
  EXPECT_FALSE(hand.session().playing.isPlaying()) << "Enter was not for the timeline";
  hand.move(at + P(90, 90));
  EXPECT_LT((hand.goal(id).target - start - V(-0.7, 0, 0)).norm(), kExact);
  hand.up();
  hand.undo();
  EXPECT_EQ(hand.goal(id).target, start) << "one step";
  EXPECT_FALSE(hand.session().editor.history().canUndo());
}

TEST(Manipulation, ATypedNumberIsInTheUnitThatIsShown) {
  Hand hand(makeBallChain(4));
  hand.session().settings.unit = LengthUnit::Centimetres;
  const int id = hand.document().goals[0].id;
  hand.select({.goal = id});
  hand.letter('w');
  const V start = hand.goal(id).target;
  const P at = hand.grip(Grip::MoveX);
  hand.drag(at, at + P(20, 0));
  hand.type(U"-25");
  EXPECT_LT((hand.goal(id).target - start - V(-0.25, 0, 0)).norm(), kExact);
  EXPECT_NE(toolStatus(hand.session()).find("-25 cm"), std::string::npos);
  hand.up();
}

TEST(Manipulation, LocksAndArrowsWorkInAnOrthographicViewToo) {
  Hand hand(makeBallChain(4));
  perform(hand.session(), Command::ToggleOrthographic);
  for (int i = 0; i < 30; ++i) hand.frame();
  const int id = hand.document().goals[0].id;
  const V start = hand.goal(id).target;
  const P at = hand.pixel(start);
  hand.drag(at, at + P(40, 50));
  EXPECT_LT((hand.pixel(hand.goal(id).target) - at - P(40, 50)).norm(), 1e-6);
  hand.letter('y');
  EXPECT_LT((hand.goal(id).target - start).cross(V::UnitY()).norm(), kExact);
  EXPECT_GT((hand.goal(id).target - start).norm(), 0.02);
  hand.up();
  hand.select({.joint = 2});
  hand.drag(hand.grip(Grip::RingX, 8), hand.grip(Grip::RingX, 12));
  EXPECT_NEAR(std::abs(jointRotation(*hand.document().figure, hand.document().pose, 2)
                           .angularDistance(jointRotation(*hand.document().figure, hand.running().before.pose, 2))),
              4 * 2 * std::numbers::pi / 64, 1e-6);
  hand.up();
}

TEST(Manipulation, EscTakesATypedNumberBackToo) {
  Hand hand(makeBallChain(4));
  const Document before = hand.document();
  const P at = hand.pixel(hand.document().goals[0].target);
  hand.drag(at, at + P(25, 40));
  hand.type(U"2");
  hand.press(Key::Escape);
  EXPECT_TRUE(isSameContent(hand.document(), before));
}

TEST(Manipulation, ATypedNumberIsTheExactAngle) {
  Hand hand(makePlanarChain(4));
  hand.select({.joint = 2});
  hand.drag(hand.grip(Grip::RingX, 3), hand.grip(Grip::RingX, 8));
  hand.type(U"45");
  EXPECT_NEAR(std::abs(hand.document().pose.coordinates[2]), 45 * kDegree, kExact);
  hand.press(Key::Enter);
  EXPECT_NEAR(std::abs(hand.document().pose.coordinates[2]), 45 * kDegree, kExact);
}

TEST(Manipulation, CharactersActOnlyWhileSomethingIsDragged) {
  Hand hand(makePlanarChain(2));
  hand.press(Key::Space);
  hand.type(U".");
  EXPECT_NEAR(hand.document().pose.coordinates[0], 5 * kDegree, kExact) << "turns, as ever";
  hand.type(U"7");
  EXPECT_NEAR(hand.document().pose.coordinates[0], 5 * kDegree, kExact);
}

TEST(Manipulation, ControlSnapsCoarselyAndShiftFinely) {
  Hand hand(makeBallChain(4));
  const int id = hand.document().goals[0].id;
  const V start = hand.goal(id).target;
  const P at = hand.pixel(start);
  hand.drag(at, at + P(33, 47));
  hand.letter('y');
  const SnapSteps steps = hand.running<SlideDrag>().steps;
  for (const auto& [held, step] :
       {std::pair(Modifiers{.control = true}, steps.coarse), std::pair(Modifiers{.shift = true}, steps.fine)}) {
    hand.move(at + P(33, 53), held);
    const double along = hand.goal(id).target.y() - start.y();
    EXPECT_NEAR(along / step, std::round(along / step), 1e-6);
    EXPECT_GT(std::abs(along), 0.0);
  }
  hand.up();
  Hand turner(makePlanarChain(4));
  turner.select({.joint = 1});
  turner.drag(turner.grip(Grip::RingX, 3), turner.grip(Grip::RingX, 12), {.control = true});
  const double angle = turner.document().pose.coordinates[1] / (15.0 * kDegree);
  EXPECT_NEAR(std::abs(angle), 3.0, 1e-6) << "9/64 of a turn are 51 degrees, 45 the nearest";
}

/// The tip of an arrow on the screen: the farthest of its grips.
P tipOf(const Hand& hand, Grip grip, const V& centre) {
  const P from = hand.pixel(centre);
  P tip = from;
  for (const V& place : hand.grips(grip))
    if ((hand.pixel(place) - from).norm() > (tip - from).norm()) tip = hand.pixel(place);
  return tip;
}

TEST(Manipulation, ArrowsMoveATargetAlongTheirAxis) {
  Hand hand(makeBallChain(4));
  const int id = hand.document().goals[0].id;
  hand.select({.goal = id});
  EXPECT_TRUE(hand.grips(Grip::MoveX).empty()) << "Q: the target's own ball is enough";
  hand.letter('w');
  for (int axis = 0; axis < 3; ++axis) {
    const V start = hand.goal(id).target;
    const P at = tipOf(hand, static_cast<Grip>(static_cast<int>(Grip::MoveX) + axis), start);
    const P along = (hand.pixel(start + 0.3 * V::Unit(axis)) - hand.pixel(start)).normalized();
    hand.drag(at, at + 40.0 * along);
    ASSERT_TRUE(hand.isDragging()) << axis;
    const V way = hand.goal(id).target - start;
    EXPECT_GT(way[axis], 0.05);
    EXPECT_LT((way - way[axis] * V::Unit(axis)).norm(), kExact);
    hand.up();
    hand.undo();
    EXPECT_EQ(hand.goal(id).target, start);
  }
  hand.letter('q');
  EXPECT_TRUE(hand.grips(Grip::MoveX).empty());
}

TEST(Manipulation, TheSameToolAgainTurnsItsAxes) {
  Hand hand(makeBallChain(3));
  const int id = hand.plant(GoalType::PositionOrientation, 2);
  const Eigen::Matrix3d frame = Eigen::AngleAxisd(0.8, V(0, 1, 1).normalized()).toRotationMatrix();
  findGoal(hand.session().editor.touch(), id)->targetFrame = frame;
  hand.letter('e');
  EXPECT_TRUE(gizmoOf(hand.document(), hand.session().picture.kinematics, hand.session().picture.gizmo)
                  ->mark.axes.isIdentity());
  hand.letter('e');
  EXPECT_EQ(gizmoOf(hand.document(), hand.session().picture.kinematics, hand.session().picture.gizmo)->mark.axes,
            frame);
  hand.letter('a');
  EXPECT_TRUE(gizmoOf(hand.document(), hand.session().picture.kinematics, hand.session().picture.gizmo)
                  ->mark.axes.isIdentity());
}

TEST(Manipulation, RingsTurnATargetAndReplaceItsOwn) {
  Hand hand(makeBallChain(3));
  const int id = hand.plant(GoalType::PositionOrientation, 2);
  EXPECT_FALSE(hand.grips(Grip::TurnX).empty());
  hand.letter('e');
  EXPECT_TRUE(hand.grips(Grip::TurnX).empty());
  const Eigen::Matrix3d before = hand.goal(id).targetFrame;
  hand.drag(hand.grip(Grip::RingY, 8), hand.grip(Grip::RingY, 13));
  const Eigen::AngleAxisd turn(Eigen::Matrix3d(hand.goal(id).targetFrame * before.transpose()));
  EXPECT_NEAR(std::abs(turn.axis().y()), 1.0, 1e-9);
  EXPECT_GT(turn.angle(), 0.1);
  hand.letter('z');
  const Eigen::AngleAxisd other(Eigen::Matrix3d(hand.goal(id).targetFrame * before.transpose()));
  EXPECT_NEAR(std::abs(other.axis().z()), 1.0, 1e-9) << "Z: about that axis instead";
  hand.up();
  hand.undo();
  EXPECT_EQ(hand.goal(id).targetFrame, before);
}

TEST(Manipulation, ArrowsPullALinkThatIsNotPinned) {
  Hand hand(makeBallChain(4));
  hand.session().editor.touch().goals.clear();
  hand.select({.joint = 3});
  hand.letter('w');
  const V start = hand.worldPoint(3, endEffectorOf(*hand.document().figure, 3).point);
  const P at = tipOf(hand, Grip::MoveX, start);
  const P along = (hand.pixel(start + 0.3 * V::UnitX()) - hand.pixel(start)).normalized();
  hand.drag(at, at + 60.0 * along);
  ASSERT_TRUE(hand.isDragging() && hand.running().request.drag);
  EXPECT_NEAR((hand.running().centre() - start).cross(V::UnitX()).norm(), 0.0, kExact);
  hand.up();
  EXPECT_GT(hand.worldPoint(3, endEffectorOf(*hand.document().figure, 3).point).x(), start.x() + 0.05);
}

TEST(Manipulation, APinnedPlaceIsMovedAndTurned) {
  Hand hand(makeStandingFigure());
  const int foot = hand.document().figure->findLink("left_foot");
  hand.select({.joint = foot});
  hand.letter('p');
  const Pin before = *findPin(hand.document(), foot);
  hand.letter('w');
  const V start = before.worldFromLink * before.pointInLink;
  const P at = tipOf(hand, Grip::MoveY, start);
  hand.drag(at, at + P(0, -30));
  const V way = findPin(hand.document(), foot)->worldFromLink.translation - before.worldFromLink.translation;
  EXPECT_GT(way.y(), 0.02);
  EXPECT_NEAR(way.x(), 0.0, kExact);
  hand.up();
  EXPECT_LT((hand.worldPoint(foot, before.pointInLink) - start - way).norm(), 0.01) << "the foot goes there";
  hand.undo();
  EXPECT_EQ(*findPin(hand.document(), foot), before);
  hand.letter('e');
  hand.drag(hand.grip(Grip::RingY, 8), hand.grip(Grip::RingY, 12));
  const Transform turned = findPin(hand.document(), foot)->worldFromLink;
  EXPECT_LT((turned * before.pointInLink - start).norm(), kExact) << "about the point that is held";
  EXPECT_GT((turned.rotation - before.worldFromLink.rotation).norm(), 0.05);
  hand.up();
}

TEST(Manipulation, AnObstacleIsMovedAndTurned) {
  Document document = makeDocument(makeBallChain(3));
  Obstacle box{.name = "box"};
  box.size.setConstant(0.5);
  box.worldFromObstacle.translation = V(1.5, 1.0, 0.0);
  const int id = addObstacle(document, box);
  Hand hand(std::move(document));
  hand.select({.obstacle = id});
  hand.letter('w');
  const V start = box.worldFromObstacle.translation;
  hand.drag(tipOf(hand, Grip::MoveY, start), tipOf(hand, Grip::MoveY, start) + P(0, -40));
  const Transform moved = findObstacle(hand.document(), id)->worldFromObstacle;
  EXPECT_GT(moved.translation.y(), 1.05);
  EXPECT_EQ(moved.translation.x(), start.x());
  hand.up();
  EXPECT_EQ(hand.session().editor.history().undoLabel(), "move obstacle");
  hand.letter('e');
  hand.drag(hand.grip(Grip::RingY, 8), hand.grip(Grip::RingY, 12));
  EXPECT_GT((findObstacle(hand.document(), id)->worldFromObstacle.rotation - Eigen::Matrix3d::Identity()).norm(), 0.1);
  EXPECT_EQ(findObstacle(hand.document(), id)->worldFromObstacle.translation, moved.translation);
  hand.up();
  hand.undo();
  hand.undo();
  EXPECT_EQ(findObstacle(hand.document(), id)->worldFromObstacle.translation, start);
}

TEST(Manipulation, HoveringShowsWhichJointsWouldMove) {
  Hand hand(makeBallChain(5));
  hand.session().editor.touch().goals.clear();
  hand.session().editor.touch().joints[1].locked = true;
  hand.frame();
  hand.move(hand.pixel(hand.worldPoint(3, {0, 0.5, 0})));
  hand.frame();
  ASSERT_EQ(hand.session().picture.highlight.hoveredLink, 3);
  EXPECT_EQ(hand.session().picture.highlight.follows, (std::vector<char>{1, 0, 1, 1, 0}))
      << "all above, less the locked one";
  hand.press(Key::Space);
  hand.move(hand.pixel(hand.worldPoint(3, {0, 0.5, 0})) + P(1, 0));
  EXPECT_TRUE(hand.session().picture.highlight.follows.empty()) << "in forward mode nothing follows";
}

TEST(Manipulation, TheSameEventsAskForTheSameToTheBit) {
  const auto figure = makeBallChain(4);
  const auto run = [&] {
    Hand hand(figure);
    const P at = hand.pixel(hand.document().goals[0].target);
    hand.drag(at, at + P(30, 60));
    hand.letter('y');
    hand.wheel(-1.0);
    hand.move(at + P(20, 90), {.control = true});
    hand.letter('y');
    hand.wheel(2.0, {.control = true});
    hand.type(U"0.8");
    hand.press(Key::Enter);
    return hand.document().goals;
  };
  EXPECT_EQ(run(), run());
}

TEST(Manipulation, LosingTheFocusInAGizmoDragEndsIt) {
  Hand hand(makeBallChain(3));
  hand.select({.joint = 1});
  hand.drag(hand.grip(Grip::RingX, 8), hand.grip(Grip::RingX, 12));
  handleEvent(hand.session(), FocusLost{});
  EXPECT_FALSE(hand.isDragging());
  EXPECT_TRUE(hand.session().editor.history().canUndo());
}

}  // namespace
}  // namespace limber::app::manipulation_test
