// SPDX-License-Identifier: MIT
// Baked timelines: all frames are within limits, reported errors of goals are correct, and there are no jumps.
#include "limber/scene/bake.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/kinematics/standard_figures.h"
#include "limber/objective/limits/feasible_set.h"
#include "limber/posing/posed_problem.h"
#include "limber/problem/goal_error.h"
#include "limber/scene/player.h"
#include "limber/scene/timeline_sampler.h"

namespace limber::bake_test {
namespace {

using V = Eigen::Vector3d;

constexpr double kInside = 1e-12;  // tolerance of FeasibleSet

/// Checks errors by forward kinematics, and limits, in every frame.
void expectHonest(const Document& document, const BakeResult& result) {
  ASSERT_EQ(result.fault, "");
  ASSERT_TRUE(result.motion);
  ASSERT_EQ(result.motion->frameCount, static_cast<int>(result.frames.size()));
  const TimelineSampler sampler(document);
  const FeasibleSet set(*document.figure, limitsOf(document));
  Document posed = document;
  Kinematics kinematics;
  double largest = 0.0;
  for (int k = 0; k < result.motion->frameCount; ++k) {
    const BakedFrame& frame = result.frames[k];
    const Pose before = posed.pose;
    posed.pose = result.motion->poseAt(*document.figure, k);
    ASSERT_TRUE(isValid(*document.figure, posed.pose));
    EXPECT_LE(set.violation(posed.pose), kInside) << k;
    sampler.setGoals(frame.time, posed.goals);
    computeKinematics(*document.figure, posed.pose, kinematics);
    double error = 0.0;
    for (const GoalItem& goal : posed.goals)
      if (goal.enabled) error = std::max(error, goalErrorOf(posed, kinematics, goal).length);
    EXPECT_NEAR(frame.error, error, 1e-9) << k;
    if (k > 0) {
      EXPECT_NEAR(frame.turn, largestTurnBetween(*document.figure, before, posed.pose), 1e-12) << k;
      largest = std::max(largest, frame.turn);
    }
  }
  EXPECT_EQ(result.largestTurn, largest);
}

/// A chain of six links, its tip on a closed curve within reach.
Document chainOnACurve() {
  Document document = makeDocument(makePlanarChain(6));
  document.pose.coordinates.setConstant(0.3);
  addPath(document, document.goals[0].id);
  TargetPath& path = *findPath(changeTimeline(document), document.goals[0].id);
  path.points = {V(4, 1, 0), V(3, 4, 0), V(-2, 4, 0), V(-3, 1, 0)};
  path.isClosed = true;
  path.end = 4.0;
  return document;
}

TEST(Bake, ChainFollowsAClosedCurveWithoutAJump) {
  const Document document = chainOnACurve();
  const BakeResult result = bake(document);
  expectHonest(document, result);
  EXPECT_EQ(result.frames.size(), 121u);
  EXPECT_EQ(result.unreached, 0) << result.sentence();
  EXPECT_EQ(result.jumps, 0) << result.sentence();
  EXPECT_LT(result.largestTurn, BakeOptions{}.maxTurn);
}

TEST(Bake, SameDocumentGivesTheSameBits) {
  const Document document = chainOnACurve();
  EXPECT_EQ(bake(document).motion->poses, bake(document).motion->poses);
}

TEST(Bake, ArmStaysWithinItsLimitsBeyondItsReach) {
  Document document = makeDocument(makeArm());
  const int goal = addGoal(document, document.figure->linkCount() - 1, V::Zero());
  addPath(document, goal);
  TargetPath& path = *findPath(changeTimeline(document), goal);
  path.points = {document.goals[0].target, V(5, 1, 0), document.goals[0].target};
  path.end = 4.0;
  const BakeResult result = bake(document);
  expectHonest(document, result);
  EXPECT_GT(result.unreached, 20);
  EXPECT_LT(result.unreached, 121);
  EXPECT_GT(result.worstError, 1.0);
  EXPECT_TRUE(result.frames.front().isReached());
  EXPECT_NE(result.sentence().find("not reached"), std::string::npos);
}

TEST(Bake, KeyedPosesAloneAreTakenAsTheyAre) {
  Document document = makeDocument(makePlanarChain(5));
  document.goals.clear();
  keyPose(document);
  document.time = 4.0;
  document.pose.coordinates.setConstant(0.8);
  keyPose(document);
  const BakeResult result = bake(document);
  expectHonest(document, result);
  const TimelineSampler sampler(document);
  for (int k = 0; k < result.motion->frameCount; ++k)
    EXPECT_EQ(result.motion->poseAt(*document.figure, k), sampler.poseAt(result.frames[k].time));
  EXPECT_EQ(result.unreached, 0);
}

TEST(Bake, GoalsBendKeyedPosesAndLeaveTheirOtherJointsAlone) {
  Document document = makeDocument(makeArm());
  const int last = document.figure->linkCount() - 1;
  keyPose(document);
  document.time = 4.0;
  document.pose.coordinates[0] = 1.0;
  keyPose(document);
  document.time = 0.0;
  document.pose = document.timeline->keys[0].pose;
  const int goal = addGoal(document, last, V::Zero());
  for (int joint = 1; joint <= last; ++joint) findGoal(document, goal)->chain.push_back(joint);
  findGoal(document, goal)->target.y() -= 0.1;
  document.solver.restWeight = 1.0;
  const BakeResult result = bake(document);
  expectHonest(document, result);
  const TimelineSampler sampler(document);
  for (int k = 0; k < result.motion->frameCount; ++k)  // no goal uses it: it moves as it is keyed
    EXPECT_NEAR(result.motion->poseAt(*document.figure, k).coordinates[0],
                sampler.poseAt(result.frames[k].time).coordinates[0], 1e-12);
  EXPECT_EQ(result.jumps, 0);
}

TEST(Bake, JumpOfATargetIsSaid) {
  Document document = chainOnACurve();
  TargetPath& path = *findPath(changeTimeline(document), document.goals[0].id);
  path.isClosed = false;
  path.points = {V(4, 1, 0), V(-4, -2, 0)};
  path.begin = path.end = 2.0;
  const BakeResult result = bake(document);
  expectHonest(document, result);
  EXPECT_GE(result.jumps, 1);
  EXPECT_EQ(result.largestTurnFrame, 60);
  EXPECT_NE(result.sentence().find("jump"), std::string::npos);
}

TEST(Bake, OnePointStandsStill) {
  Document document = chainOnACurve();
  findPath(changeTimeline(document), document.goals[0].id)->points = {V(4, 1, 0)};
  const BakeResult result = bake(document);
  expectHonest(document, result);
  EXPECT_EQ(result.unreached, 0);
  EXPECT_LT(result.largestTurn, 1e-6);
}

TEST(Bake, PinsHold) {
  Document document = makeDocument(makePlanarChain(6));
  document.pose.coordinates << 0.9, -0.5, -0.5, -0.5, 0.4, 0.4;
  moveTargetsToEndEffectors(document);
  pinLink(document, 2, true, false, V(1, 0, 0));
  addPath(document, document.goals[0].id);
  movePathPoint(document, document.goals[0].id, 1, document.goals[0].target + V(-0.5, 0.5, 0));
  const BakeResult result = bake(document);
  expectHonest(document, result);
  Kinematics kinematics;
  const Pin& pin = document.pins[0];
  for (int k = 0; k < result.motion->frameCount; ++k) {
    computeTransforms(*document.figure, result.motion->poseAt(*document.figure, k), kinematics);
    EXPECT_LT((kinematics.worldFromLink[2] * pin.pointInLink - pin.worldFromLink * pin.pointInLink).norm(), 2e-3) << k;
  }
}

TEST(Bake, PartAndRateAreAsAsked) {
  const BakeResult result = bake(chainOnACurve(), {.from = 1.0, .to = 2.0, .framesPerSecond = 60.0});
  ASSERT_EQ(result.frames.size(), 61u);
  EXPECT_EQ(result.frames.front().time, 1.0);
  EXPECT_NEAR(result.frames.back().time, 2.0, 1e-12);
  EXPECT_EQ(result.motion->frameTime, 1.0 / 60.0);
}

TEST(Bake, LongOneIsCancelledAtOnce) {
  Document document = chainOnACurve();
  Timeline& timeline = changeTimeline(document);
  timeline.length = 1000.0;
  timeline.framesPerSecond = 100.0;
  timeline.paths[0].end = 1000.0;
  int asked = 0;
  const BakeResult result = bake(document, {}, [&](double) { return ++asked <= 10; });
  EXPECT_TRUE(result.isCancelled);
  EXPECT_EQ(asked, 11);  // it asks before every frame
  EXPECT_EQ(result.frames.size(), 10u);
  ASSERT_TRUE(result.motion);
  EXPECT_EQ(result.motion->frameCount, 10);
}

TEST(Bake, FaultsAreNamed) {
  Document document = makeDocument(makePlanarChain(2));
  EXPECT_EQ(bake(document).fault, "there is no timeline to bake");
  addPath(document, document.goals[0].id);
  EXPECT_NE(bake(document, {.from = 3.0, .to = 1.0}).fault, "");
  EXPECT_NE(bake(document, {.framesPerSecond = -1.0}).fault, "");
  EXPECT_NE(bake(document, {.from = std::nan("")}).fault, "");
  changeTimeline(document).length = 86400.0;
  changeTimeline(document).framesPerSecond = 1000.0;
  EXPECT_NE(bake(document).fault.find("too many frames"), std::string::npos);
  findPath(changeTimeline(document), document.goals[0].id)->points[0].x() = std::nan("");
  EXPECT_NE(bake(document).fault.find("a point is not a place"), std::string::npos);
}

TEST(Bake, MotionIsTheDocumentsAndKeysGiveItBack) {
  Document document = chainOnACurve();
  const BakeResult result = bake(document);
  takeBaked(result, document);
  EXPECT_EQ(document.motion, result.motion);
  constexpr double kTolerance = 1e-3;
  keyBaked(result, kTolerance, document);
  ASSERT_EQ(findFault(*document.timeline, document), "");
  EXPECT_LT(document.timeline->keys.size(), result.frames.size());
  EXPECT_GT(document.timeline->keys.size(), 2u);
  const TimelineSampler sampler(document);
  for (int k = 0; k < result.motion->frameCount; ++k)
    EXPECT_LE(largestTurnBetween(*document.figure, result.motion->poseAt(*document.figure, k),
                                 sampler.poseAt(result.frames[k].time)),
              kTolerance + 1e-12)
        << k;
}

TEST(Player, GoesOnFromTheLastPoseInALoop) {
  Document document = chainOnACurve();
  Player player(document);
  Posing posing;
  double largest = 0.0;
  for (int k = 0; k < 361; ++k) {  // three times round
    const Pose before = document.pose;
    const auto request = player.cue((k % 120) / 30.0, k > 0, document);
    ASSERT_TRUE(request);
    EXPECT_EQ(solveToEnd(posing, document, *request).outcome, Outcome::Reached) << k;
    if (k > 0) largest = std::max(largest, largestTurnBetween(*document.figure, before, document.pose));
  }
  EXPECT_LT(largest, BakeOptions{}.maxTurn);
}

TEST(Player, IsForTheTimelineItWasMadeOf) {
  Document document = chainOnACurve();
  const Player player(document);
  document.pose.coordinates[0] = 0.1;
  EXPECT_TRUE(player.isFor(document));
  keyPose(document);
  EXPECT_FALSE(player.isFor(document));
}

TEST(Player, ForwardModeAsksForNothing) {
  Document document = chainOnACurve();
  document.mode = Mode::Forward;
  Player player(document);
  EXPECT_FALSE(player.cue(1.0, false, document));
}

}  // namespace
}  // namespace limber::bake_test
