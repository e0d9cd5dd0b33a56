// SPDX-License-Identifier: MIT
// Poses that jump in the window: a jump is blended in 150 ms, with a message; the document has the final pose at once.
#include "app/editing/pose_blend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <utility>

#include "headless_session.h"
#include "limber/io/json/scene_json.h"
#include "limber/kinematics/standard_figures.h"

namespace limber::app::pose_blend_test {
namespace {

using V = Eigen::Vector3d;

Pose poseOf(std::initializer_list<double> angles) {
  Pose pose;
  pose.coordinates.resize(static_cast<Eigen::Index>(angles.size()));
  std::copy(angles.begin(), angles.end(), pose.coordinates.begin());
  return pose;
}

TEST(PoseBlend, AJumpIsMoreThanTheTargetsMoveAccountsFor) {
  const auto figure = makePlanarChain(2);
  EXPECT_FALSE(isJump(*figure, poseOf({0, 0}), poseOf({0.04, 0}), 0.0));
  EXPECT_TRUE(isJump(*figure, poseOf({0, 0}), poseOf({0.3, 0}), 0.0005));
  EXPECT_FALSE(isJump(*figure, poseOf({0, 0}), poseOf({0.3, 0}), 0.005)) << "a straight limb folds as the root";
  EXPECT_FALSE(isJump(*figure, poseOf({3.14, 0}), poseOf({-3.14, 0}), 0.0)) << "the same angle, a turn apart";
}

/// Two links; the last question's answer was bent one way, the next one's the other.
struct Jump {
  Document document = makeDocument(makePlanarChain(2));
  PoseBlend blend;
  PosingRequest request{.followsLast = true};

  Jump() {
    document.goals[0].target = V(1.5, 0.2, 0);
    blend.ask(document, request);
    document.goals[0].target.x() += 0.001;
    blend.ask(document, request);
    arrive({0.5, -1.0}, {-0.5, 1.0}, 10.0);
  }
  void arrive(std::initializer_list<double> before, std::initializer_list<double> after, double now) {
    document.pose = poseOf(before);
    const Pose shown = blend.at(document, now).value_or(document.pose), was = document.pose;
    document.pose = poseOf(after);
    blend.arrive(document, was, shown, now);
  }
  double angleAt(double now) const { return blend.at(document, now).value_or(document.pose).coordinates[1]; }
};

TEST(PoseBlend, GoesFromTheShownPoseToTheDocumentsIn150Ms) {
  const Jump jump;
  EXPECT_EQ(jump.blend.lastJump(), 10.0);
  EXPECT_NE(jump.blend.sentence().find("other bend"), std::string::npos);
  EXPECT_EQ(jump.angleAt(10.0), -1.0);
  double last = -1.0;
  for (double t = 0.01; t < kBlendSeconds; t += 0.01) {
    EXPECT_GT(jump.angleAt(10.0 + t), last);
    last = jump.angleAt(10.0 + t);
  }
  EXPECT_LT(last, 1.0);
  EXPECT_FALSE(jump.blend.at(jump.document, 10.0 + kBlendSeconds));
  EXPECT_FALSE(jump.blend.isRunning(10.0 + kBlendSeconds));
}

TEST(PoseBlend, GoesOnToWhereTheTargetMovesMeanwhile) {
  Jump jump;
  const double shown = jump.angleAt(10.05);
  jump.arrive({-0.5, 1.0}, {-0.5, 1.01}, 10.05);
  EXPECT_EQ(jump.blend.lastJump(), 10.0) << "no jump of its own";
  EXPECT_NEAR(jump.angleAt(10.05), shown, 0.01);
  EXPECT_EQ(jump.angleAt(10.2), 1.01);
}

TEST(PoseBlend, EndsWhereThePoseIsAnothersAndStaysWithinLimits) {
  Jump jump;
  jump.document.joints[1].limits = {0.8, 2.0};
  EXPECT_GE(jump.angleAt(10.05), 0.8);
  jump.document.pose = poseOf({0.1, 0.9});
  EXPECT_FALSE(jump.blend.at(jump.document, 10.05)) << "undone meanwhile";
}

/// A drag in the window with the mode on, past where the map jumps; what is asked of the session's clock and document.
TEST(PoseBlend, InTheWindowTheDocumentIsAtTheEndAndTheStatusNamesTheJump) {
  Document document = makeDocument(makePlanarChain(3));
  document.solver.pathIndependent = true;
  HeadlessSession window(document);
  Session& session = window.session();
  const auto ask = [&](const V& target, bool follows) {
    session.editor.touch().goals[0].target = target;
    session.solving.request({.followsLast = follows});
    window.settle();
  };
  ask(V(0.3, 0.4, 0), false);
  for (int k = 0; k < 40; ++k) window.frame();
  EXPECT_EQ(sleepTime(session).value_or(1.0) == 0.0, false) << "the blend has ended";
  session.ui.message = {};
  Document direct = session.document();
  int jumps = 0;
  for (int k = 1; k <= 80; ++k) {
    const V target(0.3, 0.4 - 0.01 * k, 0);  // across the line of the base pose: the mirrored bend is nearer there
    ask(target, true);
    direct.goals[0].target = target;
    Posing posing;
    solveToEnd(posing, direct);
    EXPECT_TRUE(direct.pose == session.document().pose) << k;
    if (session.solving.blend().lastJump() != session.ui.now) continue;
    ++jumps;
    EXPECT_NE(session.ui.message.text.find("other bend"), std::string::npos) << session.ui.message.text;
    EXPECT_EQ(sleepTime(session), 0.0);
    const Kinematics exact = transformsOf(*direct.figure, direct.pose);
    EXPECT_GT((session.picture.kinematics.worldFromLink[1].rotation - exact.worldFromLink[1].rotation).norm(), 0.1);
    for (int k2 = 0; k2 < 10; ++k2) window.frame();
    EXPECT_LT((session.picture.kinematics.worldFromLink[1].rotation - exact.worldFromLink[1].rotation).norm(), 1e-12);
  }
  EXPECT_GE(jumps, 1);
}

/// The picture of a drag with one event per frame. Turns of a joint in a frame are relative to the turn that the edge
/// of reach allows for, 3 sqrt(2 step / reach).
struct Shown {
  double steepest = 0.0;  ///< in the picture
  double leap = 0.0;      ///< of the document's poses
  double excess = 0.0;  ///< in the picture, by what counts as no jump and, in a blend, the fastest that it goes beside
  double farthest = 0.0;  ///< the tip off its target in between, reaches
};

/// Moves a chain's target from `start` (radians) around a circle that grows beyond its reach.
Shown carryRound(int links, PosingChoice posing, double start, double turns, double from, double to) {
  constexpr int kFrames = 600, kAfterwards = 30;
  Document document = makeDocument(makePlanarChain(links));
  document.solver.posing = posing;
  if (posing == PosingChoice::Still) document.solver.reference = RestReference::StartPose;
  Solving solving;
  PosingRequest request{.startPose = document.pose};
  Shown result;
  Pose before, shownBefore;
  V last = V::Zero();
  double way = 0.0, lastJump = -1e9;
  for (int i = 0; i <= kFrames + kAfterwards; ++i) {
    const double t = std::min(1.0, static_cast<double>(i) / kFrames), now = i / 60.0;
    const double radius = links * (from + t * (to - from)), angle = start + 2.0 * std::numbers::pi * turns * t;
    const V target = radius * V(std::cos(angle), std::sin(angle), 0.0);
    document.goals[0].target = target;
    solving.request(request);
    for (int slice = 0; slice < 1000 && solving.isBusy(); ++slice) solving.advance(document, 1000.0, now);
    request.followsLast = true;
    const Pose shown = solving.blend().at(document, now).value_or(document.pose);
    if (i > 0 && i <= kFrames) {
      const double allowed = 3.0 * std::sqrt(2.0 * (target - last).norm() / links);
      result.leap = std::max(result.leap, largestMove(*document.figure, before, document.pose) / allowed);
      if (solving.blend().lastJump() != std::exchange(lastJump, solving.blend().lastJump()))
        way = largestMove(*document.figure, shownBefore, document.pose);
      const double blended = solving.blend().isRunning(now - 1.0 / 60.0) ? 1.5 * way / 9.0 : 0.0;
      const double turn = largestMove(*document.figure, shownBefore, shown);
      result.steepest = std::max(result.steepest, turn / allowed);
      result.excess = std::max(result.excess, turn / (0.05 + allowed + blended));
      Kinematics exact, seen;
      computeTransforms(*document.figure, document.pose, exact);
      computeTransforms(*document.figure, shown, seen);
      const auto tip = static_cast<std::size_t>(links - 1);
      result.farthest =
          std::max(result.farthest,
                   (exact.worldFromLink[tip] * V(1, 0, 0) - seen.worldFromLink[tip] * V(1, 0, 0)).norm() / links);
    }
    before = document.pose;
    shownBefore = shown;
    last = target;
  }
  EXPECT_TRUE(shownBefore == document.pose) << "at rest the picture shows the pose";
  return result;
}

/// The target passes the rest direction backward shortly before the edge of the reach, where the bend that the chain is
/// in ceases to be a minimum.
TEST(PoseBlend, NoDragJumpsInThePicture) {
  constexpr int kStarts = 5;  // on the circle
  int leaps = 0, sweeps = 0;
  double worst = 0.0, steepest = 0.0, farthest = 0.0;
  for (const int links : {2, 4, 10})
    for (const PosingChoice posing : {PosingChoice::Even, PosingChoice::Still})
      for (const double turns : {-1.0, -0.5, -0.25, 0.25, 1.0})
        for (int k = 0; k < kStarts; ++k)
          for (const bool outward : {true, false}) {
            const double start = 2.0 * std::numbers::pi * k / kStarts + 0.28;
            const Shown shown = carryRound(links, posing, start, turns, outward ? 0.5 : 3.0, outward ? 3.0 : 0.5);
            EXPECT_LE(shown.excess, 1.0 + 1e-9)
                << links << " links, from " << start << ", " << turns << " turns, " << (outward ? "outward" : "inward");
            steepest = std::max(steepest, shown.steepest);
            farthest = std::max(farthest, shown.farthest);
            ++sweeps;
            leaps += shown.leap > 1.0;
            worst = std::max(worst, shown.leap);
          }
  EXPECT_GT(leaps, 0) << "else this tests nothing";
  std::printf(
      "%d of %d sweeps leap, by %.1f times what the edge of reach allows for at most; in the picture a joint "
      "turns by %.1f times that at most, and the tip is off by %.2f reaches\n",
      leaps, sweeps, worst, steepest, farthest);
}

TEST(PoseBlend, TheModeAndItsBasePoseAreSavedWithTheScene) {
  Document document = makeDocument(makePlanarChain(3));
  document.solver.pathIndependent = true;
  document.basePose = poseOf({0.1, 0.2, 0.3});
  document.joints[1].preferred = -0.4;
  const auto text = io::formatScene(document, ".");
  ASSERT_TRUE(text);
  const auto read = io::parseScene(*text, "scene.limber");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_TRUE(read->solver.pathIndependent);
  EXPECT_TRUE(read->basePose == document.basePose);
  EXPECT_EQ(read->joints, document.joints);
}

}  // namespace
}  // namespace limber::app::pose_blend_test
