// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>

#include "limber/kinematics/standard_figures.h"
#include "limber/posing/posing.h"
#include "limber/scene/document.h"
#include "support/awkward_figure.h"

namespace limber::nudge_test {
namespace {

/// A planar chain that is bent the wrong way, within limits.
Document makeCaught() {
  Document document = makeDocument(makePlanarChain(3));
  document.goals[0].target = {1.2, 0.0, 0.0};
  document.pose.coordinates = Eigen::Vector3d(-0.9, 1.5, 1.2);
  document.joints[2].limits = {-0.1, 1.3};
  document.joints[1].limits = {-2.5, 2.5};
  return document;
}

TEST(Nudge, NeverLeavesTheObjectiveHigher) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Document document = makeCaught(), solved = makeCaught();
    Posing posing;
    const PosingReport before = solveToEnd(posing, solved);
    const PosingReport after = nudge(posing, document, {}, seed);
    EXPECT_LE(after.summary.objective, before.summary.objective * (1 + 1e-9)) << seed;
    EXPECT_TRUE(isValid(*document.figure, document.pose));
    Pose clamped = document.pose;
    clampToLimits(document, clamped);
    EXPECT_TRUE(clamped == document.pose);
    EXPECT_EQ(posing.report().sentence, after.sentence) << "the report is of the pose that was kept";
  }
}

TEST(Nudge, FindsABetterPoseForSomeSeed) {
  // Nearly stretched out: both bends of the elbow are minima, 0.4 rad from straight, the start's the costlier one.
  double best = 1e300, solvedTo = 0.0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    Document document = makeDocument(makePlanarChain(2));
    document.goals[0].target = 1.96 * Eigen::Vector3d(std::cos(0.5), std::sin(0.5), 0.0);
    document.pose.coordinates = Eigen::Vector2d(0.7, -0.4);
    Document solved = document;
    Posing posing;
    solvedTo = solveToEnd(posing, solved).summary.objective;
    best = std::min(best, nudge(posing, document, {}, seed).summary.objective);
  }
  EXPECT_LT(best, 0.9 * solvedTo);
}

TEST(Nudge, IsTheSameForTheSameSeed) {
  std::mt19937 random(81);
  Document start = makeDocument(test::makeAwkwardFigure());
  start.pose = test::randomPose(*start.figure, random);
  addGoal(start, 6, {0.1, 0.2, 0.3});
  start.goals[0].target += Eigen::Vector3d(0.4, -0.3, 0.2);
  Document a = start, b = start;
  Posing first, second;
  nudge(first, a, {}, 5);
  nudge(second, b, {}, 5);
  EXPECT_TRUE(a.pose == b.pose);
}

TEST(Nudge, SaysWhatIsWrongAsASolveDoes) {
  Document document = makeDocument(makePlanarChain(2));
  document.goals.clear();
  Posing posing;
  EXPECT_EQ(nudge(posing, document, {}, 1).outcome, Outcome::BadInput);
}

}  // namespace
}  // namespace limber::nudge_test
