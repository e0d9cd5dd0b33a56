// SPDX-License-Identifier: MIT
// The search for the global pose: exact fits from any start, refusals, degenerate problems.
#include "limber/solvers/methods/global.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "limber/goals/orientation_goal.h"
#include "limber/goals/position_goal.h"
#include "limber/goals/position_orientation_goal.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/solvers/convex/certificate.h"
#include "limber/solvers/registry.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"
#include "support/hinge_tree.h"
#include "support/observed_figure.h"
#include "support/repetitions.h"

namespace limber::global_test {
namespace {

constexpr double kExact = 2e-6;  // mean link lengths: the solver's own tolerance, and rounding

const Solver& global() { return *findSolver("global"); }

Summary search(const Objective& objective, Pose& pose, Observer* observer = nullptr) {
  Workspace workspace;
  return global().solve(objective, pose, defaultOptions(global()), workspace, {}, Start::Here, observer);
}

std::vector<Relaxation::Point> everyLink(const Figure& figure, const Eigen::Vector3d& point = {0.05, 0.2, -0.1}) {
  std::vector<Relaxation::Point> points;
  for (int i = 0; i < figure.linkCount(); ++i) points.push_back({i, point, 1.0});
  return points;
}

std::vector<Relaxation::Point> ends(const Figure& figure) {
  std::vector<Relaxation::Point> points;
  for (const int link : test::limbEnds(figure)) points.push_back({link, {0.0, 0.1, 0.0}, 1.0});
  return points;
}

/// A chain of hinges on a base far away, each with these limits.
std::shared_ptr<const Figure> makeChain(int joints, const Interval& limits, const Eigen::Vector3d& base,
                                        JointType root = JointType::Revolute) {
  FigureBuilder builder("chain");
  int parent = -1;
  for (int i = 0; i < joints; ++i) {
    Joint joint{.name = "joint " + std::to_string(i), .type = i == 0 ? root : JointType::Revolute};
    joint.parentFromJoint = Transform::fromTranslation(i == 0 ? base : Eigen::Vector3d(0.0, 0.1, 0.0));
    joint.axis = Eigen::Vector3d::Unit(i % 3);
    if (joint.type == JointType::Revolute) joint.limits = limits;
    parent = builder.addLink({.name = "link " + std::to_string(i), .parent = parent}, joint);
  }
  return test::built(builder);
}

TEST(Global, MeetsWhatAPoseMeetsWhereverItBegins) {
  std::mt19937 random(2);
  for (int i = 0; i < 10; ++i) {
    const auto figure = test::makeHingeTree(12, 1 + 2 * (i % 2), true);
    const test::ObservedFigure observed =
        test::observe(figure, i % 3 == 0 ? ends(*figure) : everyLink(*figure), 0.0, random);
    const Objective objective = observed.objective();
    Pose first = restPose(*figure), second = test::randomPose(*figure, random);
    EXPECT_EQ(search(objective, first).status, SolveStatus::Converged) << i;
    search(objective, second);
    EXPECT_LT(observed.cost(first), kExact * figure->meanLinkLength()) << i;
    EXPECT_EQ(first, second) << i << ": the pose that is there is no start";
  }
}

TEST(Global, NeverEndsAboveWhereItBegan) {
  std::mt19937 random(3);
  const auto figure = test::makeHingeTree(9, 3, true);
  for (int i = 0; i < 10; ++i) {
    const test::ObservedFigure observed = test::observe(figure, everyLink(*figure), 0.3, random);
    const Objective objective = observed.objective();
    Pose pose = restPose(*figure);
    const Summary first = search(objective, pose);
    EXPECT_EQ(first.status, SolveStatus::Converged);
    const Pose best = pose;
    const Summary again = search(objective, pose);
    EXPECT_LE(again.objective, first.objective);
    EXPECT_LE(first.objective, first.objectiveBefore);
    EXPECT_EQ(again.objectiveBefore, first.objective);
    EXPECT_LT((pose.coordinates - best.coordinates).norm(), 1e-6);
  }
}

TEST(Global, LeavesWideLimitsThatALocalMethodGetsStuckIn) {
  std::mt19937 random(5);
  const double wide = 175.0 / 180.0 * std::numbers::pi;
  const auto figure = makeChain(8, {-wide, wide}, Eigen::Vector3d::Zero(), JointType::Free);
  for (int i = 0; i < 10; ++i) {
    const test::ObservedFigure observed = test::observe(figure, everyLink(*figure), 0.0, random);
    Pose pose = restPose(*figure);
    search(observed.objective(), pose);
    EXPECT_LT(observed.cost(pose), kExact * figure->meanLinkLength()) << i;
  }
}

TEST(Global, CountsTheRelaxationAndTheRefinementApart) {
  std::mt19937 random(7);
  const auto figure = test::makeHingeTree(9, 3, true);
  const test::ObservedFigure observed = test::observe(figure, everyLink(*figure), 0.3, random);
  struct Count final : Observer {
    int seen[2] = {0, 0};
    bool onIteration(const IterationRecord& record, const Pose&) override { return ++seen[record.phase] > 0; }
  } count;
  Pose pose = restPose(*figure);
  const Summary summary = search(observed.objective(), pose, &count);
  ASSERT_EQ(summary.phaseCount, 2);
  EXPECT_EQ(summary.phases[0].phase, "relaxation");
  EXPECT_EQ(summary.phases[0].iterations, count.seen[0]);
  EXPECT_EQ(summary.phases[1].iterations, count.seen[1]);
  EXPECT_GT(count.seen[0], 0);
  EXPECT_GT(count.seen[1], 0);
}

TEST(Global, TakesAPlaceWithAnOrientationAndRefusesWhatHasNoPlace) {
  const auto figure = makeChain(7, {-2.0, 2.0}, Eigen::Vector3d::Zero());
  std::mt19937 random(11);
  const test::ObservedFigure observed = test::observe(figure, {{6, {0.0, 0.1, 0.0}, 1.0}}, 0.0, random);
  Kinematics kinematics;
  computeTransforms(*figure, observed.pose, kinematics);
  const OrientationGoal turned(6, Eigen::Matrix3d::Identity(), kinematics.worldFromLink[6].rotation, {1.0, 1.0}, 1.0);
  const Objective places = observed.objective();
  const auto with = [&](std::unique_ptr<Goal> goal) {
    std::vector<std::unique_ptr<Goal>> goals;
    goals.push_back(std::move(goal));
    return Objective(figure, std::move(goals), places.regularisers()[0], places.feasibleSet(), places.active());
  };
  const Objective both = with(std::make_unique<PositionOrientationGoal>(
      PositionGoal(6, {0.0, 0.1, 0.0}, observed.targets[0], 1.0, figure->meanLinkLength()), turned, 0.5, 1.0));
  Pose pose = restPose(*figure);
  EXPECT_LT(search(both, pose).objective, 1e-10);

  const Objective turn = with(std::make_unique<OrientationGoal>(turned));
  EXPECT_EQ(global().refusal(turn), "the global search needs a position goal");
  const Pose before = pose;
  EXPECT_EQ(search(turn, pose).status, SolveStatus::BadInput);
  EXPECT_EQ(pose, before);
}

TEST(Global, RefusesASlideThatMovesAPoint) {
  FigureBuilder builder("slide");
  builder.addLink({.name = "carriage"}, {.name = "rail", .type = JointType::Prismatic});
  const std::shared_ptr<const Figure> figure = test::built(builder);
  std::mt19937 random(13);
  const test::ObservedFigure observed = test::observe(figure, {{0, {1.0, 0.0, 0.0}, 1.0}}, 0.0, random);
  EXPECT_EQ(global().refusal(observed.objective()),
            "the global search does not support sliding joints; joint rail slides");
}

// Degenerate problems: an answer or a reason, within the limits, and finite.
class Degenerate : public testing::Test {
 protected:
  void expectAnswer(const test::ObservedFigure& observed, const char* what) {
    const Objective objective = observed.objective();
    Pose pose = restPose(*observed.figure);
    const Summary summary = search(objective, pose);
    EXPECT_NE(summary.status, SolveStatus::BadInput) << what;
    EXPECT_TRUE(pose.coordinates.allFinite()) << what;
    EXPECT_LT(objective.feasibleSet().violation(pose), 1e-9) << what;
    cost_ = observed.cost(pose);
    certificate_ = certify(objective, limitsOf(*observed.figure), pose);
    EXPECT_EQ(certificate_.fault, "") << what;
    EXPECT_LE(certificate_.bound, certificate_.value * (1.0 + 1e-9)) << what;
  }
  std::mt19937 random_{17};
  double cost_ = 0.0;
  Certificate certificate_;
};

TEST_F(Degenerate, TargetsOutOfAnyReach) {
  const auto figure = test::makeHingeTree(9, 3, true);
  for (const double distance : {10.0, 1e4, 1e8}) {
    test::ObservedFigure observed = test::observe(figure, everyLink(*figure), 0.0, random_);
    for (Eigen::Vector3d& target : observed.targets) target.x() += distance;
    expectAnswer(observed, "out of reach");
    EXPECT_TRUE(certificate_.isOutOfReach);
    EXPECT_GT(certificate_.leastCost(), 0.8 * distance);
  }
}

TEST_F(Degenerate, TargetsInOnePlace) {
  const auto figure = test::makeHingeTree(9, 3, true);
  test::ObservedFigure observed = test::observe(figure, everyLink(*figure), 0.0, random_);
  for (Eigen::Vector3d& target : observed.targets) target = {0.1, 0.2, 0.3};
  expectAnswer(observed, "coincident");
}

TEST_F(Degenerate, NarrowAndWideLimits) {
  for (const double half : {0.0, 1e-4, 0.005, 2.97, 3.14159}) {
    const auto figure = makeChain(6, {0.3 - half, 0.3 + half}, Eigen::Vector3d::Zero(), JointType::Free);
    expectAnswer(test::observe(figure, everyLink(*figure), 0.0, random_), "width");
    EXPECT_LT(cost_, kExact * figure->meanLinkLength()) << half;
    expectAnswer(test::observe(figure, everyLink(*figure), 0.1, random_), "width, noise");
  }
}

TEST_F(Degenerate, FarFromTheOrigin) {
  const Eigen::Vector3d far(1e6, -1e6, 1e6);
  for (const JointType root : {JointType::Revolute, JointType::Free}) {
    const auto figure = makeChain(6, {-1.0, 1.0}, far, root);
    expectAnswer(test::observe(figure, everyLink(*figure), 0.0, random_), "far");
    EXPECT_LT(cost_, 1e-8) << "metres, a hundred roundings of what is so far away";
    expectAnswer(test::observe(figure, everyLink(*figure), 0.05, random_), "far, noise");
  }
}

TEST_F(Degenerate, OneJointAndLinksWithoutLength) {
  expectAnswer(test::observe(makeChain(1, {-1.0, 1.0}, {0, 0, 0}), {{0, {0.1, 0.2, 0.3}, 1.0}}, 0.1, random_), "one");
  FigureBuilder builder("point");
  int parent = -1;
  for (int i = 0; i < 4; ++i)
    parent = builder.addLink({.name = std::to_string(i), .parent = parent},
                             {.type = JointType::Revolute, .axis = Eigen::Vector3d::Unit(i % 3), .limits = {-1, 1}});
  const std::shared_ptr<const Figure> figure = test::built(builder);
  expectAnswer(test::observe(figure, {{3, {0.3, 0.2, 0.1}, 1.0}}, 0.0, random_), "no length");
  EXPECT_LT(cost_, 1e-6);

  const test::ObservedFigure still = test::observe(figure, {{3, {0, 0, 0}, 1.0}}, 0.1, random_);
  Pose pose = restPose(*figure);
  EXPECT_NE(search(still.objective(), pose).status, SolveStatus::BadInput) << "nothing moves the point: no relaxation";
  EXPECT_EQ(certify(still.objective(), limitsOf(*figure), pose).fault,
            "no joint that may turn moves an observed point");
}

TEST_F(Degenerate, TwoHundredJoints) {
  const auto figure = test::makeHingeTree(test::repetitions(200, 60), 1, true);
  expectAnswer(test::observe(figure, everyLink(*figure), 0.02, random_), "200 joints");
}

TEST_F(Degenerate, WhatIsNotFiniteIsRefused) {
  const auto figure = test::makeHingeTree(6, 1, true);
  test::ObservedFigure observed = test::observe(figure, everyLink(*figure), 0.0, random_);
  observed.targets[2].x() = std::numeric_limits<double>::quiet_NaN();
  Pose pose = restPose(*figure);
  EXPECT_EQ(search(observed.objective(), pose).status, SolveStatus::BadInput);
  EXPECT_EQ(pose, restPose(*figure));
}

}  // namespace
}  // namespace limber::global_test
