// SPDX-License-Identifier: MIT
#include "limber/objective/limits/loop_projection.h"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/open_loops.h"
#include "support/built_figure.h"
#include "support/loop_figures.h"

namespace limber::loop_projection_test {
namespace {

using V = Eigen::Vector3d;

LoopProjection projectionOf(const std::shared_ptr<const Figure>& figure) {
  FeasibleSet feasibleSet(*figure, limitsOf(*figure));
  const std::vector<int> active = independentCoordinates(*figure, feasibleSet.couplings());
  return LoopProjection(figure, feasibleSet, active);
}

Pose disturbed(const Figure& figure, double by, int seed) {
  Eigen::VectorXd step(figure.stepSize());
  for (Eigen::Index c = 0; c < step.size(); ++c) step[c] = by * std::sin(seed + 2.0 * static_cast<double>(c));
  Pose pose = restPose(figure);
  integrate(figure, pose, step, pose);
  return pose;
}

TEST(LoopProjection, RestPosesOfTheFiguresAreClosedWithinLimits) {
  for (const test::LoopFigure& looped : test::loopFigures()) {
    const Pose rest = restPose(*looped.figure);
    const LoopGap gap = largestGap(*looped.figure, rest);
    EXPECT_LT(gap.length, 1e-12) << looped.name;
    EXPECT_LT(gap.angle, 1e-9) << looped.name;
    EXPECT_LT(FeasibleSet(*looped.figure, limitsOf(*looped.figure)).violation(rest), 1e-12) << looped.name;
  }
}

TEST(LoopProjection, ClosesDisturbedPosesWithinLimits) {
  for (const test::LoopFigure& looped : test::loopFigures()) {
    LoopProjection projection = projectionOf(looped.figure);
    const FeasibleSet limits(*looped.figure, limitsOf(*looped.figure));
    for (int seed = 0; seed < 50; ++seed) {
      Pose pose = disturbed(*looped.figure, 0.2, seed);
      EXPECT_TRUE(projection.close(pose)) << looped.name << ", " << seed;
      EXPECT_TRUE(largestGap(*looped.figure, pose).isClosed()) << looped.name << ", " << seed;
      EXPECT_LT(limits.violation(pose), 1e-9) << looped.name << ", " << seed;
    }
  }
}

TEST(LoopProjection, KeepsAClosedPoseToTheBit) {
  for (const test::LoopFigure& looped : test::loopFigures()) {
    LoopProjection projection = projectionOf(looped.figure);
    Pose pose = disturbed(*looped.figure, 0.1, 3);
    ASSERT_TRUE(projection.close(pose)) << looped.name;
    const Pose once = pose;
    ASSERT_TRUE(projection.close(pose)) << looped.name;
    Eigen::VectorXd step;
    difference(*looped.figure, once, pose, step);
    EXPECT_LT(step.cwiseAbs().maxCoeff(), 1e-12) << looped.name;
  }
}

/// One slide of x and one of y; the loop requires that x = y, so that the nearest point of (a, b) is their mean.
TEST(LoopProjection, TakesTheStepOfLeastNorm) {
  FigureBuilder builder("slides");
  const int base = builder.addLink({.name = "base", .capsules = {{V::Zero(), V::UnitX(), 0.1}}}, {});
  const int left =
      builder.addLink({.name = "left", .parent = base}, {.type = JointType::Prismatic, .axis = V::UnitX()});
  const int right =
      builder.addLink({.name = "right", .parent = base}, {.type = JointType::Prismatic, .axis = V::UnitX()});
  builder.addLoop({"meet", LoopClosure::Kind::Weld, left, {}, right, {}});
  const auto figure = test::built(builder);
  Pose pose = restPose(*figure);
  pose.coordinates << 0.1, 0.4;
  EXPECT_TRUE(projectionOf(figure).close(pose));
  EXPECT_NEAR(pose.coordinates[0], 0.25, 1e-12);
  EXPECT_NEAR(pose.coordinates[1], 0.25, 1e-12);
}

/// The same, but the limit of one slide leaves the whole way to the other.
TEST(LoopProjection, LimitsLeaveTheWayToOthers) {
  FigureBuilder builder("slides");
  const int base = builder.addLink({.name = "base", .capsules = {{V::Zero(), V::UnitX(), 0.1}}}, {});
  const int left = builder.addLink({.name = "left", .parent = base},
                                   {.type = JointType::Prismatic, .axis = V::UnitX(), .limits = {0.0, 0.1}});
  const int right =
      builder.addLink({.name = "right", .parent = base}, {.type = JointType::Prismatic, .axis = V::UnitX()});
  builder.addLoop({"meet", LoopClosure::Kind::Ball, left, {}, right, {}});
  const auto figure = test::built(builder);
  Pose pose = restPose(*figure);
  pose.coordinates << 0.05, 0.4;
  EXPECT_TRUE(projectionOf(figure).close(pose));
  EXPECT_EQ(pose.coordinates[0], 0.1);
  EXPECT_NEAR(pose.coordinates[1], 0.1, 1e-12);
}

TEST(LoopProjection, FollowersMoveWithTheirDrivers) {
  FigureBuilder builder("coupled");
  const int base = builder.addLink({.name = "base", .capsules = {{V::Zero(), V::UnitX(), 0.1}}}, {});
  const int driver =
      builder.addLink({.name = "driver", .parent = base}, {.type = JointType::Prismatic, .axis = V::UnitX()});
  const int follower =
      builder.addLink({.name = "follower", .parent = driver}, {.type = JointType::Prismatic, .axis = V::UnitX()});
  builder.addCoupling({"pair", follower, 0.0, {{driver, {2, 0, 0, 0}}}});
  builder.addLoop({"wall", LoopClosure::Kind::Ball, follower, {}, -1, Transform::fromTranslation({0.6, 0, 0})});
  const auto figure = test::built(builder);
  Pose pose = restPose(*figure);
  EXPECT_TRUE(projectionOf(figure).close(pose));
  EXPECT_NEAR(pose.coordinates[0], 0.2, 1e-12);
  EXPECT_NEAR(pose.coordinates[1], 0.4, 1e-12);
}

TEST(LoopProjection, SaysByHowMuchALoopStaysOpen) {
  const auto figure = test::makeOpenLoop();
  Pose pose = restPose(*figure);
  pose.coordinates << 0.3, 2.5;
  EXPECT_FALSE(projectionOf(figure).close(pose));
  const std::vector<OpenLoop> open = openLoopsOf(*figure, transformsOf(*figure, pose));
  ASSERT_EQ(open.size(), 1u);
  EXPECT_EQ(open[0].name, "gap");
  EXPECT_NEAR(open[0].gap.length, 1.0, 1e-3);
}

TEST(LoopProjection, CountsTheDegreesOfFreedom) {
  for (const test::LoopFigure& looped : test::loopFigures())
    EXPECT_EQ(freedomOf(looped.figure).left(), looped.freedom) << looped.name;
}

TEST(LoopProjection, IgnoresLoopsThatNothingMoves) {
  const auto figure = test::makeParallelGripper();
  const int hand = figure->joint(figure->findJoint("hand")).stepIndex;
  EXPECT_TRUE(LoopProjection(figure, FeasibleSet(*figure, limitsOf(*figure)), {hand}).isEmpty());
}

}  // namespace
}  // namespace limber::loop_projection_test
