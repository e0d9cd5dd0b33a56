// SPDX-License-Identifier: MIT
// Keys, paths and their edits; poses between keys.
#include "limber/scene/timeline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/scene/clock.h"
#include "limber/scene/figure_change.h"
#include "limber/scene/path_curve.h"
#include "limber/scene/player.h"
#include "limber/scene/timeline_sampler.h"
#include "support/awkward_figure.h"

namespace limber::timeline_test {
namespace {

using V = Eigen::Vector3d;

constexpr double kRadians = std::numbers::pi / 180.0;
constexpr double kRounding = 1e-12;

/// A document with keys at the given times, whose poses `pose(document, time)` sets.
template <typename SetPose>
Document keyed(Document document, const std::vector<double>& times, Blend blend, SetPose setPose) {
  changeTimeline(document).blend = blend;
  for (const double time : times) {
    document.time = time;
    setPose(document.pose, time);
    keyPose(document);
  }
  return document;
}

Document chainOf(int links) { return makeDocument(makePlanarChain(links)); }

TEST(Timeline, BallTurnsAtConstantAngularSpeedByTheShortestTurn) {
  Document document = makeDocument(makeBallChain(2));
  const V axis = V(1, -2, 0.5).normalized();
  document = keyed(std::move(document), {0.0, 2.0}, Blend::Linear, [&](Pose& pose, double time) {
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(time * 1.2, axis));
    pose.coordinates.head<4>() = (time > 1.0 ? -1.0 : 1.0) * turn.coeffs();  // the other quaternion of the same turn
  });
  for (const Blend blend : {Blend::Linear, Blend::Smooth}) {
    changeTimeline(document).blend = blend;
    const TimelineSampler sampler(document);
    for (const double time : {0.0, 0.3, 1.0, 1.7, 2.0}) {
      const Eigen::Quaterniond wanted(Eigen::AngleAxisd(time * 1.2, axis));
      EXPECT_NEAR(wanted.angularDistance(jointRotation(*document.figure, sampler.poseAt(time), 0)), 0.0, 1e-7) << time;
    }
  }
}

TEST(Timeline, HingeThatGoesRoundTakesTheShortWay) {
  Document document = keyed(chainOf(1), {0.0, 1.0}, Blend::Linear, [](Pose& pose, double time) {
    pose.coordinates[0] = (time == 0.0 ? 350.0 : 10.0) * kRadians;
  });
  document.joints[0].limits = {};
  const TimelineSampler sampler(document);
  for (const double time : {0.25, 0.5, 0.75})
    EXPECT_NEAR(wrapAngle(sampler.poseAt(time).coordinates[0] - (350.0 + 20.0 * time) * kRadians), 0.0, kRounding);
}

TEST(Timeline, HingeWithLimitsStaysBetweenItsKeys) {
  Document document = makeDocument(makeArm());
  ASSERT_TRUE(document.joints[0].limits.isBounded());
  const double values[] = {-1.0, 0.5, 0.5, 1.2, 0.1};
  int next = 0;
  document = keyed(std::move(document), {0.0, 1.0, 1.5, 1.6, 4.0}, Blend::Smooth,
                   [&](Pose& pose, double) { pose.coordinates[0] = values[next++]; });
  const TimelineSampler sampler(document);
  const auto at = [&](double time) { return sampler.poseAt(time).coordinates[0]; };
  for (double time = 0.0; time <= 4.0; time += 0.01) {
    const auto after = std::ranges::upper_bound(document.timeline->keys, time, {}, &TimelineKey::time);
    if (after == document.timeline->keys.end()) break;
    const double a = (after - 1)->pose.coordinates[0], b = after->pose.coordinates[0];
    EXPECT_GE(at(time), std::min(a, b) - kRounding) << time;
    EXPECT_LE(at(time), std::max(a, b) + kRounding) << time;
  }
  EXPECT_NEAR(at(1.25), 0.5, kRounding);  // equal at both keys: it does not move
  constexpr double h = 1e-6;              // no corner at a key
  EXPECT_NEAR((at(1.0) - at(1.0 - h)) / h, (at(1.0 + h) - at(1.0)) / h, 1e-3);
}

TEST(Timeline, SmoothWayHasNoCornerInAnyJoint) {
  std::mt19937 random(5);
  Document document = makeDocument(test::makeAwkwardFigure());
  const Pose start = document.pose;
  const auto figure = document.figure;
  document = keyed(std::move(document), {0.0, 0.7, 1.0, 2.5}, Blend::Smooth, [&](Pose& pose, double) {
    std::uniform_real_distribution<double> uniform(-0.4, 0.4);
    Eigen::VectorXd step(figure->stepSize());
    for (double& s : step) s = uniform(random);
    integrate(*figure, start, step, pose);
  });
  const TimelineSampler sampler(document);
  constexpr double h = 1e-5;
  for (const double key : {0.7, 1.0}) {
    const auto speed = [&](double from, double to) {
      return Eigen::VectorXd(sampler.stepBetween(sampler.poseAt(from), sampler.poseAt(to)) / (to - from));
    };
    EXPECT_LT((speed(key - h, key) - speed(key, key + h)).cwiseAbs().maxCoeff(), 1e-2) << key;
  }
  for (double time = -1.0; time < 4.0; time += 0.1) EXPECT_TRUE(isValid(*document.figure, sampler.poseAt(time)));
}

TEST(Timeline, HoldsBeforeTheFirstKeyAndAfterTheLast) {
  const Document document = keyed(chainOf(3), {1.0, 2.0}, Blend::Smooth,
                                  [](Pose& pose, double time) { pose.coordinates.setConstant(0.1 * time); });
  const TimelineSampler sampler(document);
  EXPECT_EQ(sampler.poseAt(0.0), document.timeline->keys[0].pose);
  EXPECT_EQ(sampler.poseAt(1.0), document.timeline->keys[0].pose);
  EXPECT_EQ(sampler.poseAt(2.0), document.timeline->keys[1].pose);
  EXPECT_EQ(sampler.poseAt(1e6), document.timeline->keys[1].pose);
}

TEST(Timeline, KeyAtTheSameTimeIsReplaced) {
  Document document = chainOf(2);
  document.time = 1.0;
  keyPose(document);
  document.pose.coordinates.setConstant(0.3);
  keyPose(document);
  ASSERT_TRUE(keyGoals(document));
  ASSERT_EQ(document.timeline->keys.size(), 1u);
  EXPECT_EQ(document.timeline->keys[0].pose, document.pose);
  EXPECT_EQ(document.timeline->keys[0].goals.size(), 1u);
  findGoal(document, 1)->target.x() = 5.0;
  keyGoals(document, 1);
  ASSERT_EQ(document.timeline->keys[0].goals.size(), 1u);
  EXPECT_EQ(document.timeline->keys[0].goals[0].target.x(), 5.0);
}

TEST(Timeline, KeysStayInOrderWhenTheyMove) {
  Document document = keyed(chainOf(2), {0.0, 1.0, 2.0}, Blend::Linear,
                            [](Pose& pose, double time) { pose.coordinates.setConstant(time); });
  ASSERT_TRUE(moveKey(document, 0.0, 3.0));
  ASSERT_EQ(document.timeline->keys.size(), 3u);
  EXPECT_EQ(document.timeline->keys[2].time, 3.0);
  EXPECT_EQ(document.timeline->keys[2].pose.coordinates[0], 0.0);
  ASSERT_TRUE(moveKey(document, 3.0, 1.0));  // onto another: the moved one wins
  ASSERT_EQ(document.timeline->keys.size(), 2u);
  EXPECT_EQ(document.timeline->keys[0].pose.coordinates[0], 0.0);
  EXPECT_EQ(findFault(*document.timeline, document), "");
  ASSERT_TRUE(moveKey(document, 1.0, 1e9));  // held at the end
  EXPECT_EQ(document.timeline->keys.back().time, document.timeline->length);
  EXPECT_FALSE(moveKey(document, 0.5, 1.0));
  EXPECT_FALSE(removeKey(document, 0.5));
  EXPECT_TRUE(removeKey(document, 2.0));
}

TEST(Timeline, EditsLeaveTheOldTimelineAlone) {
  Document document = chainOf(2);
  keyPose(document);
  const Document before = document;
  addPath(document, 1);
  removeKey(document, 0.0);
  EXPECT_EQ(before.timeline->keys.size(), 1u);
  EXPECT_TRUE(before.timeline->paths.empty());
}

TEST(Timeline, TargetsAreBlendedAndSwitchesHold) {
  Document document = chainOf(2);
  GoalItem& goal = *findGoal(document, 1);
  goal.target = V(1, 0, 0);
  keyGoals(document);
  document.time = 2.0;
  goal.target = V(1, 2, 0);
  goal.targetFrame = Eigen::AngleAxisd(1.0, V::UnitZ()).toRotationMatrix();
  goal.enabled = false;
  keyGoals(document);
  const TimelineSampler sampler(document);
  std::vector<GoalItem> goals = document.goals;
  sampler.setGoals(0.5, goals);
  EXPECT_LT((goals[0].target - V(1, 0.5, 0)).norm(), kRounding);
  EXPECT_LT((goals[0].targetFrame - Eigen::AngleAxisd(0.25, V::UnitZ()).toRotationMatrix()).norm(), kRounding);
  EXPECT_TRUE(goals[0].enabled);
  sampler.setGoals(2.0, goals);
  EXPECT_FALSE(goals[0].enabled);
  EXPECT_EQ(goals[0].target, V(1, 2, 0));
}

TEST(Timeline, PathWinsOverKeyedTargets) {
  Document document = chainOf(2);
  keyGoals(document);
  addPath(document, 1);
  movePathPoint(document, 1, 0, V(0, 1, 0));
  movePathPoint(document, 1, 1, V(0, 3, 0));
  findPath(changeTimeline(document), 1)->end = 2.0;
  std::vector<GoalItem> goals = document.goals;
  TimelineSampler(document).setGoals(1.0, goals);
  EXPECT_LT((goals[0].target - V(0, 2, 0)).norm(), 1e-9);
  findPath(changeTimeline(document), 1)->enabled = false;
  TimelineSampler(document).setGoals(1.0, goals);
  EXPECT_EQ(goals[0].target, document.goals[0].target);
}

TEST(Timeline, InsertedPointLiesOnTheCurve) {
  for (const auto curve : {TargetPath::Curve::CatmullRom, TargetPath::Curve::Bezier}) {
    Document document = chainOf(2);
    addPath(document, 1);
    findPath(changeTimeline(document), 1)->points = {V(0, 0, 0), V(1, 1, 0), V(2, 0, 0), V(3, 1, 1)};
    setPathCurve(document, 1, curve);
    const PathCurve before(document.timeline->paths[0]);
    const double parameter = curve == TargetPath::Curve::Bezier ? 0.4 : 1.4;
    const V place = before.at(parameter);
    const int point = insertPathPoint(document, 1, parameter);
    ASSERT_GE(point, 0);
    EXPECT_LT((document.timeline->paths[0].points[point] - place).norm(), kRounding);
    if (curve == TargetPath::Curve::Bezier) {
      EXPECT_NEAR(PathCurve(document.timeline->paths[0]).length(), before.length(), 1e-9);
    }
  }
}

TEST(Timeline, PathKeepsItsFormAsBezierAndItsPointsBackAgain) {
  Document document = chainOf(2);
  addPath(document, 1);
  const std::vector<V> points = {V(0, 0, 0), V(1, 1, 0), V(2, 0, 0), V(3, 1, 1)};
  for (const bool isClosed : {false, true}) {
    TargetPath& path = *findPath(changeTimeline(document), 1);
    path.curve = TargetPath::Curve::CatmullRom;
    path.points = points;
    path.isClosed = isClosed;
    const PathCurve before(path);
    setPathCurve(document, 1, TargetPath::Curve::Bezier);
    const PathCurve after(document.timeline->paths[0]);
    ASSERT_EQ(after.pieceCount(), before.pieceCount());
    EXPECT_EQ(remarkOn(document.timeline->paths[0]), "");
    for (double t = 0.0; t <= after.pieceCount(); t += 0.1) EXPECT_LT((after.at(t) - before.at(t)).norm(), kRounding);
    setPathCurve(document, 1, TargetPath::Curve::CatmullRom);
    EXPECT_EQ(document.timeline->paths[0].points, points);
  }
}

TEST(Timeline, PointsOfABezierCurveGoWithTheirHandles) {
  Document document = chainOf(2);
  for (const int removed : {0, 3, 6}) {
    addPath(document, 1);
    TargetPath& path = *findPath(changeTimeline(document), 1);
    path.curve = TargetPath::Curve::Bezier;
    path.points = {V(0, 0, 0), V(1, 0, 0), V(2, 0, 0), V(3, 0, 0), V(4, 0, 0), V(5, 0, 0), V(6, 0, 0)};
    movePathPoint(document, 1, 3, V(3, 1, 0));
    EXPECT_EQ(document.timeline->paths[0].points[2], V(2, 1, 0));
    EXPECT_EQ(document.timeline->paths[0].points[4], V(4, 1, 0));
    removePathPoint(document, 1, removed);
    EXPECT_EQ(document.timeline->paths[0].points.size(), 4u);
    EXPECT_EQ(remarkOn(document.timeline->paths[0]), "");
    removePathPoint(document, 1, 1);  // a handle goes home
    EXPECT_EQ(document.timeline->paths[0].points[1], document.timeline->paths[0].points[0]);
    removePathPoint(document, 1, 0);
    EXPECT_EQ(document.timeline->paths[0].points.size(), 1u);
    removePathPoint(document, 1, 0);
    EXPECT_TRUE(document.timeline->paths.empty());
  }
}

TEST(Timeline, ClosingABezierPathAndOpeningItAgainChangesNothing) {
  Document document = chainOf(2);
  addPath(document, 1);
  setPathCurve(document, 1, TargetPath::Curve::Bezier);
  const TargetPath before = document.timeline->paths[0];
  setPathClosed(document, 1, true);
  EXPECT_EQ(remarkOn(document.timeline->paths[0]), "");
  EXPECT_EQ(PathCurve(document.timeline->paths[0]).pieceCount(), 2);
  setPathClosed(document, 1, false);
  EXPECT_EQ(document.timeline->paths[0], before);
}

TEST(Timeline, GoalTakesItsKeysAndItsPathAlong) {
  Document document = chainOf(2);
  const int second = addGoal(document, 0, V(0.1, 0, 0));
  keyGoals(document);
  addPath(document, second);
  addPath(document, 1);
  removeGoal(document, second);
  ASSERT_EQ(document.timeline->paths.size(), 1u);
  ASSERT_EQ(document.timeline->keys[0].goals.size(), 1u);
  removeGoal(document, 1);
  EXPECT_TRUE(document.timeline->paths.empty());
  EXPECT_TRUE(document.timeline->keys.empty());
}

TEST(Timeline, AnotherFigureTakesKeysOver) {
  Document document = keyed(chainOf(4), {0.0, 1.0}, Blend::Linear,
                            [](Pose& pose, double time) { pose.coordinates << 0.1, 0.2, 0.3, 0.4 + time; });
  addPath(document, 1);
  keyGoals(document);
  const auto shorter = makePlanarChain(3);
  replaceFigure(document, shorter, {0, 1, 2, -1});  // the goal's link is gone
  ASSERT_EQ(document.timeline->keys.size(), 2u);
  EXPECT_EQ(document.timeline->keys[1].pose.coordinates.size(), 3);
  EXPECT_EQ(document.timeline->keys[1].pose.coordinates[2], 0.3);
  EXPECT_TRUE(document.timeline->keys[1].goals.empty());
  EXPECT_TRUE(document.timeline->paths.empty());
  EXPECT_EQ(findFault(*document.timeline, document), "");
}

TEST(Timeline, LengthsGoAlong) {
  Document document = chainOf(2);
  addPath(document, 1);
  keyGoals(document);
  const V target = document.goals[0].target;
  scaleLengths(document, 0.01);
  EXPECT_LT((document.timeline->paths[0].points[0] - 0.01 * target).norm(), kRounding);
  EXPECT_LT((document.timeline->keys[0].goals[0].target - 0.01 * target).norm(), kRounding);
}

TEST(Timeline, FramesCoverTheLength) {
  Timeline timeline{.length = 4.0, .framesPerSecond = 30.0};
  EXPECT_EQ(clockOf(timeline).frameCount, 121);
  EXPECT_EQ(clockOf(timeline).snapped(1.01), 1.0);
  EXPECT_EQ(clockOf(timeline).frameAt(1e9), 120);
  EXPECT_EQ(clockOf(timeline).frameAt(-1.0), 0);
  timeline.length = 1e-3;
  EXPECT_EQ(clockOf(timeline).frameCount, 1);
}

TEST(Timeline, FaultsAreNamed) {
  Document document = chainOf(2);
  document.goals[0].name = "hand";
  addPath(document, 1);
  const auto faultWith = [&](auto change) {
    Timeline changed = *document.timeline;
    change(changed);
    return findFault(changed, document);
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(faultWith([](Timeline&) {}), "");
  EXPECT_NE(faultWith([](Timeline& t) { t.length = 0.0; }).find("length"), std::string::npos);
  EXPECT_NE(faultWith([](Timeline& t) { t.framesPerSecond = kNan; }).find("frames"), std::string::npos);
  EXPECT_EQ(faultWith([](Timeline& t) { t.paths[0].points[1].y() = kNan; }),
            "the path of goal \"hand\": a point is not a place within 1e9 m");
  EXPECT_NE(faultWith([](Timeline& t) { t.paths[0].points.clear(); }), "");
  EXPECT_NE(faultWith([](Timeline& t) { t.paths[0].end = -1.0; }), "");
  EXPECT_NE(faultWith([](Timeline& t) { t.paths.push_back(t.paths[0]); }), "");
  EXPECT_NE(faultWith([](Timeline& t) { t.paths[0].goal = 7; }), "");
  EXPECT_EQ(faultWith([](Timeline& t) { t.keys.push_back({.time = 1.0}); }), "key 1 of the timeline: it holds nothing");
  EXPECT_NE(faultWith([](Timeline& t) { t.keys.push_back({.time = 1.0, .pose = {Eigen::VectorXd::Zero(9)}}); }), "");
}

TEST(Timeline, AnEaseShapesTheWayToTheNextKeyWithinItsTwoValues) {
  Document document = keyed(chainOf(2), {0.0, 1.0, 2.0}, Blend::Smooth,
                            [](Pose& pose, double time) { pose.coordinates.setConstant(0.4 * time); });
  const auto at = [&](double time) { return TimelineSampler(document).poseAt(time).coordinates[0]; };
  ASSERT_TRUE(setEase(document, 0.0, {.kind = Ease::Kind::Step}));
  EXPECT_EQ(at(0.99), 0.0);
  EXPECT_NEAR(at(1.0), 0.4, kRounding);
  setEase(document, 0.0, {Ease::Kind::Curve, 1.0 / 3.0, 1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0});
  EXPECT_NEAR(at(0.3), 0.12, 1e-12) << "linear";
  setEase(document, 0.0, {Ease::Kind::Curve, 0.42, 0.0, 1.0, 1.0});
  EXPECT_LT(at(0.25), 0.08) << "it eases in";
  EXPECT_GT((at(0.99) - at(0.98)) / 0.01, 0.5);
  for (double time = 0.0, before = 0.0; time <= 1.0; time += 0.01) {
    EXPECT_GE(at(time), before);
    EXPECT_LE(at(time), 0.4 + kRounding);
    before = at(time);
  }
  EXPECT_FALSE(setEase(document, 0.5, {})) << "there is no key";
  Timeline faulty = *document.timeline;
  faulty.keys[0].ease.y1 = 1.5;
  EXPECT_NE(findFault(faulty, document).find("ease"), std::string::npos);
}

/// Between two poses that both keep a pin, the blend of the angles would not.
TEST(Timeline, BetweenTwoKeysAPinHoldsBySolving) {
  Document document = chainOf(6);
  document.goals.clear();
  document.pose.coordinates.setConstant(0.3);
  pinLink(document, 5, true, false, V(1, 0, 0));
  Posing posing;
  for (const double bend : {0.9, -0.6}) {
    document.time = bend > 0.0 ? 0.0 : 1.0;
    document.pose.coordinates[2] = bend;
    solveToEnd(posing, document, {.startPose = document.pose, .pullsToStart = true});
    keyPose(document);
  }
  Kinematics kinematics;
  const V held = document.pins[0].worldFromLink * V(1, 0, 0);
  const auto missedBy = [&](const Pose& pose) {
    computeKinematics(*document.figure, pose, kinematics);
    return (kinematics.worldFromLink[5] * V(1, 0, 0) - held).norm();
  };
  EXPECT_GT(missedBy(TimelineSampler(document).poseAt(0.5)), 0.05) << "the blend alone leaves it";
  Player player(document);
  for (int frame = 0; frame <= 30; ++frame) {
    const auto request = player.cue(frame / 30.0, frame > 0, document);
    ASSERT_TRUE(request);
    solveToEnd(posing, document, *request);
    EXPECT_LT(missedBy(document.pose), 1e-6) << frame;
  }
}

}  // namespace
}  // namespace limber::timeline_test
