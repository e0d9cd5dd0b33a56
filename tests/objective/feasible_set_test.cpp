// SPDX-License-Identifier: MIT
#include "limber/objective/limits/feasible_set.h"

#include <gtest/gtest.h>

#include <thread>

#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/objective/limits/limit_list.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"
#include "support/limited_figure.h"

namespace limber::feasible_set_test {
namespace {

constexpr double kExact = 1e-12;

/// A chain of hinges, each within [-2, 2].
FigureBuilder hinges(int count) {
  FigureBuilder builder("hinges");
  for (int i = 0; i < count; ++i)
    builder.addLink({.name = "link " + std::to_string(i), .parent = i - 1},
                    {.name = "hinge " + std::to_string(i), .type = JointType::Revolute, .limits = {-2.0, 2.0}});
  return builder;
}

FeasibleSet setOf(const Figure& figure) { return FeasibleSet(figure, limitsOf(figure)); }

/// The violation of each joint's own limits, independently of the set.
double violationOfEveryJoint(const Figure& figure, const Pose& pose) {
  double worst = 0.0;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    if (joint.type == JointType::Ball && joint.ballLimits.isBounded())
      worst = std::max(worst, BallRange(joint.ballLimits).violation(jointRotation(figure, pose, i)));
    if (!isScalar(joint)) continue;
    const double q = pose.coordinates[joint.poseIndex];
    worst = std::max({worst, joint.limits.lower - q, q - joint.limits.upper});
  }
  return worst;
}

TEST(FeasibleSet, ProjectionEndsInsideAndIsIdempotentOnRandomFigures) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 500; ++trial) {
    const auto figure = test::makeLimitedFigure(random, {.withBallCouplings = trial % 2 == 1});
    const FeasibleSet set = setOf(*figure);
    ASSERT_EQ(set.fault(), "");
    Pose pose = test::randomPose(*figure, random);
    set.project(pose);
    EXPECT_TRUE(isValid(*figure, pose));
    EXPECT_LT(set.violation(pose), kExact) << trial;
    EXPECT_LT(violationOfEveryJoint(*figure, pose), kExact) << trial;
    for (int j = 0; j < set.constraintCount(); ++j) EXPECT_GT(set.slack(pose, j), -kExact);
    Pose again = pose;
    set.project(again);
    EXPECT_TRUE(again == pose) << trial << ": " << (again.coordinates - pose.coordinates).cwiseAbs().maxCoeff();
  }
}

TEST(FeasibleSet, TiedScalarsGoToTheNearestPointOfThePolygon) {
  FigureBuilder builder = hinges(2);
  builder.addLinearLimit({"roof", {{0, 1.0}, {1, 1.0}}, {-std::numeric_limits<double>::infinity(), 1.0}});
  const auto figure = test::built(builder);
  const FeasibleSet set = setOf(*figure);
  EXPECT_TRUE(set.tiesScalars());
  Pose pose{Eigen::Vector2d(2.0, 1.0)};
  set.project(pose);
  EXPECT_LT((pose.coordinates - Eigen::Vector2d(1.0, 0.0)).norm(), kExact);
  pose.coordinates << 9.0, -1.5;  // past the corner of the roof and the upper bound of the first
  set.project(pose);
  EXPECT_EQ(pose.coordinates[0], 2.0);
  EXPECT_LT(std::abs(pose.coordinates[1] + 1.5), kExact);
  pose.coordinates << 9.0, 0.0;
  set.project(pose);
  EXPECT_EQ(pose.coordinates[0], 2.0);
  EXPECT_LT(std::abs(pose.coordinates[1] + 1.0), kExact);
}

TEST(FeasibleSet, InactiveCoordinatesOfALinearLimitStayWhereTheyAre) {
  FigureBuilder builder = hinges(3);
  builder.addLinearLimit({"sum", {{0, 1.0}, {1, 1.0}, {2, 1.0}}, {0.0, 0.0}});
  const auto figure = test::built(builder);
  FeasibleSet set = setOf(*figure);
  set.bind(*figure, {1});
  EXPECT_FALSE(set.tiesScalars());
  Pose pose{Eigen::Vector3d(0.5, 0.7, -1.25)};
  set.project(pose);
  EXPECT_LT((pose.coordinates - Eigen::Vector3d(0.5, 0.75, -1.25)).norm(), kExact);
  EXPECT_EQ(set.fault(*figure, pose), "");
  pose.coordinates << -2.0, 0.0, -2.0;
  EXPECT_NE(set.fault(*figure, pose).find("\"sum\""), std::string::npos);
  set.bind(*figure, {});
  EXPECT_NE(set.fault(*figure, pose).find("\"sum\""), std::string::npos);
}

TEST(FeasibleSet, NamesLimitsThatContradict) {
  FigureBuilder builder = hinges(3);
  builder.addLinearLimit({"low", {{0, 1.0}, {1, 1.0}}, {-0.5, 0.5}});
  builder.addLinearLimit({"free", {{1, 1.0}, {2, 1.0}}, {-9.0, 9.0}});
  const auto figure = test::built(builder);
  EXPECT_EQ(setOf(*figure).fault(), "");
  Limits limits = limitsOf(*figure);
  limits.intervals[0] = {0.7, 2.0};  // as a user may change them
  limits.intervals[1] = {0.0, 2.0};
  EXPECT_EQ(FeasibleSet(*figure, limits).fault(),
            "the limits of joint \"hinge 0\", the limits of joint \"hinge 1\" and the linear limit \"low\" contradict "
            "each other");
  limits.linearLimitEnabled[0] = 0;
  EXPECT_EQ(FeasibleSet(*figure, limits).fault(), "");
}

TEST(FeasibleSet, FollowersKeepTheirLimitsThroughTheirDrivers) {
  FigureBuilder builder = hinges(4);
  builder.joint(1).limits = {-0.3, 0.5};
  builder.joint(3).limits = {-0.1, 0.2};
  builder.addCoupling({"spine", 1, 0.1, {{0, {0.5, 0.0, 0.0, 0.0}}}});                  // driver in [-0.8, 0.8]
  builder.addCoupling({"spine", 3, 0.0, {{0, {0.5, 0, 0, 0}}, {2, {-1.0, 0, 0, 0}}}});  // a linear limit
  const auto figure = test::built(builder);
  const FeasibleSet set = setOf(*figure);
  EXPECT_EQ(set.fault(), "");
  EXPECT_TRUE(set.tiesScalars());
  std::mt19937 random(3);
  for (int trial = 0; trial < 100; ++trial) {
    Pose pose{4.0 * Eigen::VectorXd::Random(4)};
    set.project(pose);
    EXPECT_LT(set.violation(pose), kExact);
    EXPECT_GE(pose.coordinates[0], -0.8 - kExact);
    EXPECT_LE(pose.coordinates[0], 0.8 + kExact);
  }
  Limits limits = limitsOf(*figure);
  limits.intervals[0] = {1.0, 2.0};
  EXPECT_NE(FeasibleSet(*figure, limits).fault().find("\"hinge 1\""), std::string::npos);
  limits.couplingEnabled = {0, 0};
  EXPECT_EQ(FeasibleSet(*figure, limits).fault(), "");
}

TEST(FeasibleSet, FollowerOfSeveralAlongCurvesCannotKeepLimits) {
  FigureBuilder builder = hinges(3);
  builder.addCoupling({"bent", 2, 0.0, {{0, {0.5, 0.1, 0, 0}}, {1, {0.5, 0, 0, 0}}}});
  const auto figure = test::built(builder);
  EXPECT_NE(setOf(*figure).fault().find("\"hinge 2\""), std::string::npos);
  Limits limits = limitsOf(*figure);
  limits.intervals[2] = {};
  EXPECT_EQ(FeasibleSet(*figure, limits).fault(), "");
}

/// Two balls, the second of which copies the first, and a hinge that follows the upward direction of the first.
std::shared_ptr<const Figure> ballLed(const BallLimits& second) {
  FigureBuilder builder("ball-led");
  builder.addLink({.name = "hinge"}, {.type = JointType::Revolute, .limits = {-0.5, 1.0}});
  builder.addLink({.name = "first", .parent = 0}, {.type = JointType::Ball, .ballLimits = {.swing = 1.5}});
  builder.addLink({.name = "second", .parent = 1}, {.type = JointType::Ball, .ballLimits = second});
  builder.addCoupling({.name = "bend", .follower = 2, .terms = {{.driver = 1}}});
  builder.addCoupling({.name = "rhythm", .follower = 0, .terms = {{1, {0.5, 0, 0, 0}, Coupling::Pointing{}}}});
  return test::built(builder);
}

TEST(FeasibleSet, BallsThatTurnAlikeTurnAsFarAsEachMay) {
  const auto figure = ballLed({.swing = 0.5, .twist = {-0.2, 0.2}});
  const FeasibleSet set = setOf(*figure);
  EXPECT_EQ(set.fault(), "");
  Pose pose = restPose(*figure);
  setJointRotation(*figure, 1, Eigen::Quaterniond(Eigen::AngleAxisd(1.2, Eigen::Vector3d::UnitX())), pose);
  set.project(pose);
  const Eigen::Quaterniond on(Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitX()));
  for (const int ball : {1, 2}) EXPECT_LT(jointRotation(*figure, pose, ball).angularDistance(on), kExact);
  EXPECT_NEAR(pose.coordinates[0], 0.5 * std::cos(0.5), kExact);
  Limits limits = limitsOf(*figure);
  limits.couplingEnabled = {0, 1};
  const FeasibleSet apart(*figure, limits);
  setJointRotation(*figure, 1, Eigen::Quaterniond(Eigen::AngleAxisd(1.2, Eigen::Vector3d::UnitX())), pose);
  apart.project(pose);
  EXPECT_NEAR(pose.coordinates[0], 0.5 * std::cos(1.2), kExact) << "untied the first has its own cone alone";
}

TEST(FeasibleSet, WhatBallsLeadThatCannotKeepItsLimitsIsNamed) {
  const auto elsewhere =
      ballLed({.coneAxis = Eigen::AngleAxisd(0.2, Eigen::Vector3d::UnitX()) * Eigen::Vector3d::UnitY(), .swing = 0.5});
  EXPECT_EQ(setOf(*elsewhere).fault(),
            "the limits of joint \"second\" cannot be kept: it turns as joint \"first\", "
            "whose cone or twist lies elsewhere");
  const auto figure = ballLed({});
  Limits limits = limitsOf(*figure);
  limits.intervals[0] = {-0.5, 0.4};
  EXPECT_EQ(FeasibleSet(*figure, limits).fault(),
            "the limits of joint \"hinge\" cannot be kept: it follows a ball joint, which takes it farther");
  limits.couplingEnabled = {1, 0};
  EXPECT_EQ(FeasibleSet(*figure, limits).fault(), "");
}

TEST(FeasibleSet, NormalsMatchCentralDifferencesOfSlacks) {
  std::mt19937 random(4);
  constexpr double h = 1e-6;
  Eigen::VectorXd normal, full;
  for (int trial = 0; trial < 100; ++trial) {
    const auto figure = test::makeLimitedFigure(random);
    const FeasibleSet set = setOf(*figure);
    const Objective objective = test::makeLimitedObjective(figure, 1, true, random);
    Pose pose = test::randomPose(*figure, random);
    set.project(pose);
    for (int j = 0; j < set.constraintCount(); ++j) {
      // The twist's slack holds only to first order where it is zero; a hinge's only within the hinge.
      if (std::abs(set.slack(pose, j)) > 1e-9 && set.kind(j) != LimitKind::Swing && set.kind(j) != LimitKind::Lower &&
          set.kind(j) != LimitKind::Upper)
        continue;
      set.normal(pose, j, normal);
      if (normal.isZero(0.0)) continue;
      EXPECT_NEAR(normal.norm(), 1.0, kExact);
      const Eigen::VectorXd d = Eigen::VectorXd::Random(objective.activeCount()).normalized();
      const auto slackAt = [&](double t) {
        full.setZero(figure->stepSize());
        for (int k = 0; k < objective.activeCount(); ++k)
          full[objective.active()[static_cast<std::size_t>(k)]] = t * d[k];
        Pose moved;
        integrate(*figure, pose, full, moved);
        return set.slack(moved, j);
      };
      const double slope = (slackAt(h) - slackAt(-h)) / (2.0 * h);
      // Where a cone is very narrow the swing bends within h.
      EXPECT_NEAR(slope, -normal.dot(d), 1e-5) << trial << " " << static_cast<int>(set.kind(j));
    }
  }
}

TEST(FeasibleSet, FreeSpaceIsTheTangentConeOfTheGradient) {
  std::mt19937 random(5);
  FreeSpace space;
  Eigen::VectorXd normal;
  for (int trial = 0; trial < 300; ++trial) {
    const auto figure = test::makeLimitedFigure(random);
    const FeasibleSet set = setOf(*figure);
    Pose pose = test::randomPose(*figure, random);
    set.project(pose);
    const Objective objective = test::makeLimitedObjective(figure, 1, true, random);
    const Eigen::VectorXd gradient = Eigen::VectorXd::Random(objective.activeCount());
    set.findFreeSpace(pose, gradient, space);
    Eigen::VectorXd down = -gradient;
    space.project(down);
    for (int j = 0; j < set.constraintCount(); ++j) {
      if (set.slack(pose, j) > 1e-9) continue;
      set.normal(pose, j, normal);
      const double outward = normal.dot(down);
      EXPECT_LT(set.isEquality(j) ? std::abs(outward) : outward, 1e-9) << trial;
    }
    Eigen::VectorXd twice = down;
    space.project(twice);
    EXPECT_LT((twice - down).norm(), 1e-12);
    EXPECT_NEAR(down.dot(-gradient - down), 0.0, 1e-9);  // the nearest point of a cone: the rest is across it
    for (const ActiveLimit& limit : space.limits)
      if (limit.kind != LimitKind::Equality) {
        EXPECT_GE(limit.multiplier, 0.0);
      }
    bool holdsAny = false;
    for (const char f : space.free) holdsAny = holdsAny || !f;
    for (const auto& block : space.blocks) holdsAny = holdsAny || block.held > 0;
    EXPECT_EQ(holdsAny, !space.limits.empty());
  }
}

TEST(FeasibleSet, ServesSeveralThreadsAtOnce) {
  std::mt19937 random(9);
  const auto figure = test::makeLimitedFigure(random);
  ASSERT_FALSE(figure->linearLimits().empty());
  const Objective objective = test::makeLimitedObjective(figure, 1, true, random);
  const FeasibleSet& set = objective.feasibleSet();
  std::vector<Pose> outside(2000);
  for (Pose& pose : outside) pose = test::randomPose(*figure, random);
  const auto projectAll = [&](std::vector<Pose>& poses) {
    FreeSpace space;
    const Eigen::VectorXd gradient = Eigen::VectorXd::Ones(objective.activeCount());
    for (Pose& pose : poses) {
      set.project(pose);
      set.findFreeSpace(pose, gradient, space);
      set.project(pose, space);
    }
  };
  std::vector<Pose> expected = outside;
  projectAll(expected);
  std::vector<std::vector<Pose>> found(4, outside);
  std::vector<std::thread> threads;
  for (auto& poses : found) threads.emplace_back([&] { projectAll(poses); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& poses : found) EXPECT_TRUE(poses == expected) << "another thread's scratch came in between";
}

TEST(FeasibleSet, MaxStepEndsAtTheFirstLimit) {
  std::mt19937 random(6);
  Eigen::VectorXd full;
  for (int trial = 0; trial < 300; ++trial) {
    const auto figure = test::makeLimitedFigure(random);
    const FeasibleSet set = setOf(*figure);
    const Objective objective = test::makeLimitedObjective(figure, 1, true, random);
    Pose pose = test::randomPose(*figure, random);
    set.project(pose);
    const Eigen::VectorXd step = Eigen::VectorXd::Random(objective.activeCount());
    int blocking = 7;
    const double most = set.maxStep(pose, step, 1.0, blocking);
    ASSERT_GE(most, 0.0);
    ASSERT_LE(most, 1.0);
    EXPECT_EQ(blocking < 0, most == 1.0);
    full.setZero(figure->stepSize());
    for (int k = 0; k < objective.activeCount(); ++k)
      full[objective.active()[static_cast<std::size_t>(k)]] = most * step[k];
    Pose moved;
    integrate(*figure, pose, full, moved);
    for (int j = 0; j < set.constraintCount(); ++j) {
      const bool wasOn = set.slack(pose, j) < 1e-9;  // curved limits on which the pose stood may be left by curving
      if (!set.isEquality(j) && !wasOn) {
        EXPECT_GT(set.slack(moved, j), -1e-7) << trial;
      }
    }
    if (blocking >= 0) {
      EXPECT_NEAR(set.slack(moved, blocking), 0.0, 1e-7) << trial;
    }
  }
}

TEST(DriverInterval, IsExactForLinesAndFindsThePartAroundRestForCurves) {
  const Interval open;
  const auto line = narrowDriver({-0.5, 0, 0, 0}, 0.25, {-1.0, 1.0}, open, 0.0);
  ASSERT_TRUE(line);
  EXPECT_EQ(line->lower, -1.5);
  EXPECT_EQ(line->upper, 2.5);
  const auto bowl = narrowDriver({0, 1.0, 0, 0}, 0.0, {1.0, 4.0}, {-10.0, 10.0}, -1.5);  // 1 <= q^2 <= 4
  ASSERT_TRUE(bowl);
  EXPECT_NEAR(bowl->lower, -2.0, 1e-15);
  EXPECT_NEAR(bowl->upper, -1.0, 1e-15);
  const auto other = narrowDriver({0, 1.0, 0, 0}, 0.0, {1.0, 4.0}, {-10.0, 1.5}, 0.3);
  ASSERT_TRUE(other);
  EXPECT_NEAR(other->lower, 1.0, 1e-15);
  EXPECT_EQ(other->upper, 1.5);
  EXPECT_FALSE(narrowDriver({0, 1.0, 0, 0}, 0.0, {-4.0, -1.0}, {-10.0, 10.0}, 0.0));
  const auto whole = narrowDriver({0, 1.0, 0, 0}, 0.0, {-1.0, std::numeric_limits<double>::infinity()}, open, 0.0);
  ASSERT_TRUE(whole);
  EXPECT_FALSE(whole->isBounded());
  const auto point = narrowDriver({0, 1.0, 0, 0}, 0.0, {-1.0, 0.0}, open, 3.0);  // touches at 0 alone
  ASSERT_TRUE(point);
  EXPECT_EQ(point->lower, 0.0);
  EXPECT_EQ(point->upper, 0.0);
}

}  // namespace
}  // namespace limber::feasible_set_test
