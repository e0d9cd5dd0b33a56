// SPDX-License-Identifier: MIT
// The certificate of problems with known answers, its refusals, and its omissions.
#include "limber/solvers/convex/certificate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "limber/goals/orientation_goal.h"
#include "limber/goals/position_goal.h"
#include "limber/goals/position_orientation_goal.h"
#include "limber/kinematics/figure_builder.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"
#include "support/hinge_tree.h"
#include "support/observed_figure.h"

namespace limber::certificate_test {
namespace {

using V = Eigen::Vector3d;

constexpr double kTight = 1e-3;  // metres: accuracy of a relaxation that is exact

/// A hinge about z at the origin, its point at (1, 0, 0).
std::shared_ptr<const Figure> makeHinge(const Interval& limits = {}, const V& place = V::Zero()) {
  FigureBuilder builder("hinge");
  builder.addLink({.name = "link"}, {.name = "hinge",
                                     .type = JointType::Revolute,
                                     .parentFromJoint = Transform::fromTranslation(place),
                                     .limits = limits});
  return test::built(builder);
}

Objective objectiveOf(std::shared_ptr<const Figure> figure, std::vector<std::unique_ptr<Goal>> goals,
                      double pull = 0.0) {
  const std::vector<double> pulls(static_cast<std::size_t>(figure->linkCount()), pull);
  std::vector<int> active;
  const Couplings couplings(*figure, limitsOf(*figure).couplingEnabled);
  for (int c = 0; c < figure->stepSize(); ++c)
    if (!couplings.isFollower(c)) active.push_back(c);
  Regulariser regulariser(*figure, restPose(*figure), pulls);
  FeasibleSet feasible(*figure, limitsOf(*figure));
  return {figure, std::move(goals), std::move(regulariser), std::move(feasible), active};
}

std::unique_ptr<Goal> place(int link, const V& target, const V& point = V::UnitX()) {
  return std::make_unique<PositionGoal>(link, point, target, 1.0, 1.0);
}

Objective hingeTo(const V& target, const Interval& limits = {}) {
  std::vector<std::unique_ptr<Goal>> goals;
  goals.push_back(place(0, target));
  return objectiveOf(makeHinge(limits), std::move(goals));
}

Certificate certify(const Objective& objective, const Pose& pose) {
  return limber::certify(objective, limitsOf(objective.figure()), pose);
}

Pose at(double angle) { return {Eigen::VectorXd::Constant(1, angle)}; }

TEST(Certificate, AHingeThatCannotReach) {
  const Objective objective = hingeTo({3.0, 0.0, 0.0});
  const Certificate best = certify(objective, at(0.0));
  ASSERT_EQ(best.fault, "");
  EXPECT_NEAR(best.cost(), 2.0, 1e-12);
  EXPECT_NEAR(best.leastCost(), 2.0, kTight);
  EXPECT_TRUE(best.isCertified);
  EXPECT_TRUE(best.isOutOfReach);

  const Certificate other = certify(objective, at(1.0));
  EXPECT_FALSE(other.isCertified);
  EXPECT_TRUE(other.isOutOfReach);
  EXPECT_NEAR(other.cost(), std::hypot(std::cos(1.0) - 3.0, std::sin(1.0)), 1e-12);
  EXPECT_NEAR(other.gap(), other.cost() - 2.0, kTight);
}

TEST(Certificate, AnExactFitNeedsNoRelaxation) {
  const Certificate certificate = certify(hingeTo({0.0, 1.0, 0.0}), at(std::numbers::pi / 2.0));
  EXPECT_TRUE(certificate.isCertified);
  EXPECT_FALSE(certificate.isOutOfReach);
  EXPECT_EQ(certificate.iterations, 0);
  EXPECT_EQ(certificate.bound, 0.0);
  EXPECT_LT(certificate.gap(), 1e-12);
}

TEST(Certificate, TheEndOfAnIntervalIsTheBest) {
  const Objective objective = hingeTo({-1.0, 0.0, 0.0}, {-0.5, 0.5});
  const Certificate certificate = certify(objective, at(0.5));
  EXPECT_NEAR(certificate.cost(), std::hypot(1.0 + std::cos(0.5), std::sin(0.5)), 1e-12);
  EXPECT_LE(certificate.leastCost(), certificate.cost());
  EXPECT_NEAR(certificate.leastCost(), certificate.cost(), kTight);
  EXPECT_TRUE(certificate.isOutOfReach);
  EXPECT_TRUE(certificate.isCertified);
}

TEST(Certificate, SplitsRaiseTheBoundUntilItCertifies) {
  const Objective objective = hingeTo({-1.0, 0.0, 0.0}, {-0.5, 0.5});
  double before = 0.0;
  for (const int splits : {0, 1, 4}) {
    const CertificateOptions options{.form = RelaxationForm::Compact, .splits = splits};
    const Certificate certificate = limber::certify(objective, limitsOf(objective.figure()), at(0.5), options);
    EXPECT_GE(certificate.bound, before) << splits;
    EXPECT_LE(certificate.bound, certificate.value + 1e-9) << splits;
    EXPECT_LE(certificate.regions, 1 + splits);
    EXPECT_EQ(certificate.isCertified, splits > 0) << "of each half of the arc the nearest point is its end";
    before = certificate.bound;
  }
}

TEST(Certificate, APoseOutsideItsLimitsIsNotCertified) {
  const Certificate certificate = certify(hingeTo({-1.0, 0.0, 0.0}, {-0.5, 0.5}), at(std::numbers::pi));
  EXPECT_EQ(certificate.fault, "the pose is outside its limits");
  EXPECT_FALSE(certificate.isCertified);
  EXPECT_TRUE(std::isnan(certificate.gap()));
}

TEST(Certificate, WhatIsNotFiniteHasNoBound) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(certify(hingeTo({kNan, 0.0, 0.0}), at(0.0)).fault, "a target is not finite");
  EXPECT_EQ(certify(hingeTo({1e200, 0.0, 0.0}), at(0.0)).fault, "the distances are too large for double precision");
  EXPECT_EQ(certify(hingeTo({1.0, 0.0, 0.0}), at(kNan)).fault, "the pose holds a number that is not finite");
}

TEST(Certificate, FarFromTheOriginItSaysTheSame) {
  const V far(1e6, -2e6, 3e6);
  std::vector<std::unique_ptr<Goal>> goals;
  goals.push_back(place(0, far + V(3.0, 0.0, 0.0)));
  const Certificate certificate = certify(objectiveOf(makeHinge({}, far), std::move(goals)), at(0.0));
  EXPECT_NEAR(certificate.leastCost(), 2.0, kTight);
  EXPECT_TRUE(certificate.isCertified);
}

TEST(Certificate, SeesPlacesAndCountsWhatItLeavesOut) {
  const auto figure = makeHinge();
  const OrientationGoal turned(0, Eigen::Matrix3d::Identity(), Eigen::Matrix3d::Identity(), {1.0, 1.0}, 1.0);
  std::vector<std::unique_ptr<Goal>> goals;
  goals.push_back(place(0, {2.0, 0.0, 0.0}));
  goals.push_back(std::make_unique<OrientationGoal>(turned));
  goals.push_back(std::make_unique<PositionOrientationGoal>(PositionGoal(0, V::UnitX(), {4.0, 0.0, 0.0}, 1.0, 1.0),
                                                            turned, 0.5, 2.0));
  const Certificate certificate = certify(objectiveOf(figure, std::move(goals), 0.1), at(0.0));
  EXPECT_EQ(certificate.points, 2);
  EXPECT_EQ(certificate.leftOut, (Certificate::LeftOut{.goals = 2, .pulls = 1}));
  EXPECT_NEAR(certificate.value, 0.5 * (1.0 + 9.0), 1e-12) << "half of the weight of 2 is the place's";
  EXPECT_TRUE(certificate.isCertified);

  std::vector<std::unique_ptr<Goal>> none;
  none.push_back(std::make_unique<OrientationGoal>(turned));
  EXPECT_EQ(certify(objectiveOf(figure, std::move(none)), at(0.0)).fault, "there is no position goal with a weight");
}

TEST(Certificate, IgnoresWhatItIsTold) {
  std::vector<std::unique_ptr<Goal>> goals;
  goals.push_back(place(0, {3.0, 0.0, 0.0}));
  goals.push_back(place(0, {-3.0, 0.0, 0.0}));
  const Objective objective = objectiveOf(makeHinge(), std::move(goals));
  const char ignored[] = {0, 1};
  const Certificate certificate = limber::certify(objective, limitsOf(objective.figure()), at(0.0), {}, ignored);
  EXPECT_NEAR(certificate.cost(), 2.0, 1e-12);
  EXPECT_EQ(certificate.leftOut.goals, 1);
  EXPECT_TRUE(certificate.isCertified);
}

TEST(Certificate, ASlideIsRefusedByName) {
  FigureBuilder builder("slide");
  const int slide = builder.addLink({.name = "slide"}, {.name = "rail", .type = JointType::Prismatic});
  builder.addLink({.name = "arm", .parent = slide}, {.name = "hinge", .type = JointType::Revolute});
  std::vector<std::unique_ptr<Goal>> goals;
  goals.push_back(place(1, {3.0, 0.0, 0.0}));
  const Objective objective = objectiveOf(test::built(builder), std::move(goals));
  EXPECT_EQ(certify(objective, restPose(objective.figure())).fault,
            "joint rail slides; the relaxation does not support sliding joints");
}

TEST(Certificate, HoldsWhereJointsFollowOthers) {
  FigureBuilder builder("fingers");
  int parent = -1;
  for (int i = 0; i < 3; ++i)
    parent = builder.addLink({.name = "link " + std::to_string(i), .parent = parent},
                             {.name = "joint " + std::to_string(i),
                              .type = JointType::Revolute,
                              .parentFromJoint = Transform::fromTranslation(V(parent < 0 ? 0.0 : 1.0, 0.0, 0.0)),
                              .limits = {-1.5, 1.5}});
  builder.addCoupling({.name = "curl", .follower = 2, .terms = {{1, {0.8, 0.1, 0.0, 0.0}}}});
  const auto figure = test::built(builder);
  std::vector<std::unique_ptr<Goal>> goals;
  goals.push_back(place(2, {-1.0, 0.4, 0.3}));
  const Objective objective = objectiveOf(figure, std::move(goals));
  std::mt19937 random(3);
  const Certificate certificate = certify(objective, test::randomPose(*figure, random));
  ASSERT_EQ(certificate.fault, "");
  EXPECT_EQ(certificate.leftOut.couplings, 1);
  std::vector<PointGoal> points;
  collectSeenPoints(objective, points);
  for (int trial = 0; trial < 1000; ++trial) {
    Pose pose = test::randomPose(*figure, random);
    objective.feasibleSet().project(pose);
    EXPECT_GE(meanSquareOf(*figure, pose, points), certificate.bound);
  }
}

TEST(Certificate, WhenCancelledTheBoundHoldsAsFarAsItCame) {
  std::mt19937 random(5);
  const auto figure = test::makeHingeTree(12, 3, true);
  std::vector<Relaxation::Point> points;
  for (int i = 0; i < figure->linkCount(); ++i) points.push_back({i, {0.05, 0.2, -0.1}, 1.0});
  const test::ObservedFigure observed = test::observe(figure, points, 0.2, random);
  const Objective objective = observed.objective();
  int seen = 0;
  const auto stop = [&](const InteriorPointSummary&) { return ++seen < 4; };
  const Certificate early = limber::certify(objective, limitsOf(*figure), observed.pose, {}, {}, stop);
  const Certificate whole = certify(objective, observed.pose);
  EXPECT_TRUE(early.isCancelled);
  EXPECT_EQ(seen, 4);
  EXPECT_GE(early.bound, 0.0);
  EXPECT_LE(early.bound, whole.bound);
  EXPECT_FALSE(whole.isCancelled);
}

TEST(Certificate, EverythingLockedHasNothingToBound) {
  const auto figure = makeHinge();
  std::vector<std::unique_ptr<Goal>> goals;
  goals.push_back(place(0, {3.0, 0.0, 0.0}));
  const std::vector<double> none(1, 0.0);
  const Objective objective(figure, std::move(goals), Regulariser(*figure, restPose(*figure), none),
                            FeasibleSet(*figure, limitsOf(*figure)), {});
  EXPECT_EQ(certify(objective, at(0.0)).fault, "no joint that may turn moves an observed point");
}

}  // namespace
}  // namespace limber::certificate_test
