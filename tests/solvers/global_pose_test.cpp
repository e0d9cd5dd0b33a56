// SPDX-License-Identifier: MIT
// SDP-IK on figures of hinges and balls: exact fits without a start, determinism, refusals.
#include "limber/solvers/convex/global_pose.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "limber/goals/direction_goal.h"
#include "limber/goals/position_goal.h"
#include "limber/kinematics/figure_builder.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"
#include "support/hinge_tree.h"
#include "support/observed_figure.h"

namespace limber::global_pose_test {
namespace {

constexpr double kExact = 1e-6;  // mean link lengths

std::vector<Relaxation::Point> everyLink(const Figure& figure) {
  std::vector<Relaxation::Point> points;
  for (int i = 0; i < figure.linkCount(); ++i) points.push_back({i, {0.05, 0.2, -0.1}, 1.0});
  return points;
}

GlobalMethod methodFor(const test::ObservedFigure& observed) {
  return {observed.objective(), limitsOf(*observed.figure), restPose(*observed.figure)};
}

TEST(GlobalPose, MeetsWhatAPoseMeets) {
  std::mt19937 random(2);
  for (const int limbs : {1, 3})
    for (int i = 0; i < 10; ++i) {
      const auto figure = test::makeHingeTree(12, limbs, true);
      const test::ObservedFigure observed = test::observe(figure, everyLink(*figure), 0.0, random);
      GlobalMethod method = methodFor(observed);
      ASSERT_EQ(method.fault(), "");
      const Objective objective = observed.objective();
      Pose pose = restPose(*figure);
      const GlobalSummary summary = method.solve(objective, pose);
      EXPECT_EQ(summary.relaxation.status, InteriorPointStatus::Converged);
      EXPECT_LT(observed.cost(pose), kExact * figure->meanLinkLength()) << limbs << " limbs " << i;
      EXPECT_LT(objective.feasibleSet().violation(pose), 1e-12);
    }
}

TEST(GlobalPose, MeetsWhatATreeOfBallsMeets) {
  const auto figure = test::makeBallTree();
  std::mt19937 random(3);
  test::ObservedFigure observed = test::observe(figure, everyLink(*figure), 0.0, random);
  GlobalMethod method = methodFor(observed);
  ASSERT_EQ(method.fault(), "");
  Pose pose = restPose(*figure);
  method.solve(observed.objective(), pose);
  EXPECT_LT(observed.cost(pose), kExact * figure->meanLinkLength());
}

TEST(GlobalPose, IsTheSameToTheBitAndNeedsNoStart) {
  std::mt19937 random(5);
  const auto figure = test::makeHingeTree(12, 3, true);
  const test::ObservedFigure observed = test::observe(figure, everyLink(*figure), 0.05, random);
  const test::ObservedFigure other = test::observe(figure, everyLink(*figure), 0.05, random);
  GlobalMethod method = methodFor(observed);
  Pose first = restPose(*figure), second = other.pose;
  method.solve(observed.objective(), first);
  Pose between = first;
  method.solve(other.objective(), between);
  method.solve(observed.objective(), second);
  EXPECT_EQ(first, second);
}

TEST(GlobalPose, KeepsWhatMayNotMove) {
  std::mt19937 random(7);
  const auto figure = test::makeHingeTree(12, 3, true);
  const test::ObservedFigure observed = test::observe(figure, everyLink(*figure), 0.05, random);
  const Objective all = observed.objective();
  std::vector<std::unique_ptr<Goal>> goals;
  for (std::size_t k = 0; k < observed.points.size(); ++k)
    goals.push_back(std::make_unique<PositionGoal>(observed.points[k].link, observed.points[k].pointInLink,
                                                   observed.targets[k], 1.0, figure->meanLinkLength()));
  std::vector<int> active;
  for (int i = 4; i < figure->stepSize(); ++i) active.push_back(i);
  const Objective some(figure, std::move(goals), all.regularisers()[0], FeasibleSet(*figure, limitsOf(*figure)),
                       active);
  GlobalMethod method(some, limitsOf(*figure), observed.pose);
  ASSERT_EQ(method.fault(), "");
  Pose pose = restPose(*figure);
  const GlobalSummary summary = method.solve(some, pose);
  EXPECT_EQ(pose.coordinates.head<4>(), observed.pose.coordinates.head<4>());
  EXPECT_LE(summary.relaxation.lowerBound, std::pow(observed.cost(pose), 2) + 1e-12);
}

TEST(GlobalPose, RefusesWhatAsksForNoPlaceAndLeavesThePoseAlone) {
  std::mt19937 random(11);
  const auto figure = test::makeHingeTree(6, 1, true);
  test::ObservedFigure observed = test::observe(figure, everyLink(*figure), 0.0, random);
  std::vector<std::unique_ptr<Goal>> goals;
  goals.push_back(std::make_unique<DirectionGoal>(3, Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitY(), 1.0, 1.0));
  const Objective all = observed.objective();
  const Objective direction(figure, std::move(goals), all.regularisers()[0], all.feasibleSet(), all.active());
  GlobalMethod refused(direction, limitsOf(*figure), restPose(*figure));
  EXPECT_EQ(refused.fault(), "there is no position goal with a weight");

  GlobalMethod method = methodFor(observed);
  observed.targets[2].x() = std::numeric_limits<double>::quiet_NaN();
  const Pose before = observed.pose;
  Pose pose = before;
  EXPECT_EQ(method.solve(observed.objective(), pose).refinement.status, SolveStatus::BadInput);
  EXPECT_EQ(pose, before);
}

TEST(GlobalPose, OneJointAndLongChains) {
  std::mt19937 random(13);
  for (const int joints : {1, 2, 200}) {
    const auto figure = test::makeHingeTree(joints, 1, true);
    const test::ObservedFigure observed = test::observe(figure, everyLink(*figure), 0.02, random);
    GlobalMethod method = methodFor(observed);
    ASSERT_EQ(method.fault(), "") << joints;
    Pose pose = restPose(*figure);
    const GlobalSummary summary = method.solve(observed.objective(), pose);
    EXPECT_EQ(summary.relaxation.status, InteriorPointStatus::Converged) << joints;
    EXPECT_LE(summary.relaxation.lowerBound, std::pow(observed.cost(pose), 2) + 1e-12) << joints;
  }
}

TEST(GlobalPose, LinksWithoutLength) {
  FigureBuilder builder("point");
  int parent = -1;
  for (int i = 0; i < 3; ++i)
    parent = builder.addLink({.name = std::to_string(i), .parent = parent},
                             {.type = JointType::Revolute, .axis = Eigen::Vector3d::Unit(i), .limits = {-1.0, 1.0}});
  const std::shared_ptr<const Figure> figure = test::built(builder);
  std::mt19937 random(17);
  const test::ObservedFigure still = test::observe(figure, {{2, {0, 0, 0}, 1.0}}, 0.1, random);
  EXPECT_EQ(methodFor(still).fault(), "no joint that may turn moves an observed point");
  const test::ObservedFigure turned = test::observe(figure, {{2, {0.3, 0.2, 0.1}, 1.0}}, 0.0, random);
  GlobalMethod method = methodFor(turned);
  ASSERT_EQ(method.fault(), "");
  Pose pose = restPose(*figure);
  method.solve(turned.objective(), pose);
  EXPECT_LT(turned.cost(pose), 1e-6);
}

}  // namespace
}  // namespace limber::global_pose_test
