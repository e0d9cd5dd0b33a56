// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/fabrik.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "limber/goals/position_goal.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/solvers/registry.h"
#include "support/awkward_figure.h"
#include "support/random_chain.h"

namespace limber::fabrik_test {
namespace {

const Solver& fabrik = *findSolver("fabrik");

Summary reach(const Objective& objective, Pose& pose, int iterations) {
  Workspace workspace;
  return fabrik.solve(objective, pose, defaultOptions(fabrik), workspace, {iterations});
}

/// Joint centres of a chain, then its goal's point.
std::vector<Eigen::Vector3d> pointsOf(const Objective& objective, const Pose& pose) {
  Kinematics kinematics;
  computeTransforms(objective.figure(), pose, kinematics);
  std::vector<Eigen::Vector3d> points;
  for (int i = 0; i < objective.figure().linkCount(); ++i)
    points.push_back(worldFromJoint(objective.figure(), kinematics, i).translation);
  const auto& goal = dynamic_cast<const PositionGoal&>(*objective.goals()[0]);
  points.push_back(kinematics.worldFromLink[static_cast<std::size_t>(goal.link(0))] * goal.pointInLink());
  return points;
}

TEST(Fabrik, ReachesRandomTargetsOfRandomChains) {
  const auto shares = test::sharesReached([](const Objective& objective, Pose& pose) { reach(objective, pose, 100); });
  EXPECT_GE(shares.ballChains, 0.95);
  EXPECT_GE(shares.planarChains, 0.95);
  EXPECT_GE(shares.forks, 0.95);
}

/// The published algorithm on points alone: the joints' rotations must reproduce its centres.
std::vector<Eigen::Vector3d> reachWithPoints(std::vector<Eigen::Vector3d> p, const Eigen::Vector3d& target,
                                             int iterations) {
  const std::size_t last = p.size() - 1;
  std::vector<double> d;
  for (std::size_t i = 0; i < last; ++i) d.push_back((p[i + 1] - p[i]).norm());
  const Eigen::Vector3d root = p[0];
  for (int iteration = 0; iteration < iterations; ++iteration) {
    p[last] = target;
    for (std::size_t i = last; i-- > 0;) p[i] = p[i + 1] + d[i] * (p[i] - p[i + 1]).normalized();
    p[0] = root;
    for (std::size_t i = 0; i < last; ++i) p[i + 1] = p[i] + d[i] * (p[i + 1] - p[i]).normalized();
  }
  return p;
}

TEST(Fabrik, JointsReproduceTheAlgorithmOnPoints) {
  std::mt19937 random(4);
  for (int trial = 0; trial < 60; ++trial) {
    auto [objective, pose] = trial % 2 == 0 ? test::makeBallChainProblem(3 + trial % 7, random)
                                            : test::makePlanarChainProblem(3 + trial % 7, random);
    const auto& goal = dynamic_cast<const PositionGoal&>(*objective.goals()[0]);
    const auto start = pointsOf(objective, pose);
    const int iterations = reach(objective, pose, 1 + trial % 4).iterations();
    const auto expected = reachWithPoints(start, goal.target(), iterations);
    const auto points = pointsOf(objective, pose);
    for (std::size_t i = 0; i < points.size(); ++i)
      EXPECT_LT((points[i] - expected[i]).norm(), 1e-10) << trial << " " << i;
  }
}

TEST(Fabrik, KeepsLinkLengths) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 40; ++trial) {
    auto [objective, pose] = test::makeBallChainProblem(4 + trial % 12, random);
    const auto before = pointsOf(objective, pose);
    reach(objective, pose, 200);
    const auto after = pointsOf(objective, pose);
    for (std::size_t i = 1; i < before.size(); ++i)
      EXPECT_NEAR((after[i] - after[i - 1]).norm(), (before[i] - before[i - 1]).norm(), 1e-12);
  }
}

TEST(Fabrik, StretchesStraightAtATargetOutOfReach) {
  std::mt19937 random(6);
  for (const bool isPlanar : {true, false}) {
    auto figure = isPlanar ? makePlanarChain(6) : makeBallChain(6);
    const Eigen::Vector3d target(7.0, 8.0, isPlanar ? 0.0 : 3.0);
    const Eigen::Vector3d tip = isPlanar ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
    std::vector<std::unique_ptr<Goal>> goals;
    goals.push_back(std::make_unique<PositionGoal>(5, tip, target, 1e3, 1.0));
    std::vector<int> active;
    for (int c = 0; c < figure->stepSize(); ++c) active.push_back(c);
    const Objective objective(figure, std::move(goals),
                              Regulariser(*figure, restPose(*figure), 0.0, std::vector<double>(6)),
                              FeasibleSet(*figure, limitsOf(*figure)), active);
    Pose pose = test::randomPose(*figure, random);
    EXPECT_EQ(reach(objective, pose, 10).status, SolveStatus::Converged);
    const auto points = pointsOf(objective, pose);
    for (std::size_t i = 0; i < points.size(); ++i)
      EXPECT_LT((points[i] - static_cast<double>(i) * target.normalized()).norm(), 1e-12) << i;
  }
}

TEST(Fabrik, SharesOneTrunkBetweenTwoHands) {
  // Rigid shoulders at the sides of the trunk: several ends of one body, at different points.
  std::mt19937 random(7);
  int reached = 0;
  constexpr int kTrials = 100;
  for (int trial = 0; trial < kTrials; ++trial) {
    test::ObjectiveOptions options;
    options.restWeight = 0.0;
    const auto figure = test::makeBallTree();
    const Objective whole = test::makeRandomObjective(figure, test::kBallTreeTips, random, std::move(options));
    Pose pose = test::randomPose(*figure, random);
    reach(whole, pose, 500);
    if (test::worstMiss(whole, pose) < 1e-3) ++reached;
  }
  std::printf("%d of %d with three goals on a tree\n", reached, kTrials);
  EXPECT_GE(reached, kTrials * 80 / 100);
}

TEST(Fabrik, TurnsBonesWithoutTwistingThem) {
  // A straight arm that bends in one plane: no rotation about the bones.
  const auto figure = makeBallChain(3);
  std::vector<std::unique_ptr<Goal>> goals;
  goals.push_back(
      std::make_unique<PositionGoal>(2, Eigen::Vector3d::UnitY(), Eigen::Vector3d(1.5, 1.2, 0.0), 1e3, 1.0));
  std::vector<int> active;
  for (int c = 0; c < figure->stepSize(); ++c) active.push_back(c);
  const Objective objective(figure, std::move(goals),
                            Regulariser(*figure, restPose(*figure), 0.0, std::vector<double>(3)),
                            FeasibleSet(*figure, limitsOf(*figure)), active);
  Pose pose = restPose(*figure);
  EXPECT_EQ(reach(objective, pose, 500).status, SolveStatus::Converged);
  EXPECT_LT(test::worstMiss(objective, pose), 1e-4);
  for (int i = 0; i < 3; ++i) {
    const Eigen::Quaterniond q = jointRotation(*figure, pose, i);
    EXPECT_LT(std::abs(q.x()) + std::abs(q.y()), 1e-12) << "only about z";
  }
}

TEST(Fabrik, LeavesLinksThatNoGoalAsksForAsTheyAre) {
  std::mt19937 random(8);
  test::ObjectiveOptions options;
  options.restWeight = 0.0;
  const auto figure = test::makeBallTree();
  const Objective objective = test::makeRandomObjective(figure, std::vector<int>{5}, random, std::move(options));
  Pose pose = test::randomPose(*figure, random);
  const Pose start = pose;
  reach(objective, pose, 100);
  EXPECT_LT(test::worstMiss(objective, pose), 1e-3);
  for (const int other : {6, 7, 8})
    EXPECT_TRUE(jointRotation(*figure, pose, other).coeffs() == jointRotation(*figure, start, other).coeffs());
}

TEST(Fabrik, RefusesHingesOutsideAPlane) {
  std::mt19937 random(9);
  const auto arm = makeArm();
  const Objective objective = test::makeRandomObjective(arm, std::vector<int>{arm->linkCount() - 1}, random);
  const std::string refusal = fabrik.refusal(objective);
  EXPECT_NE(refusal.find("FABRIK turns ball joints and the hinges of planar chains; joint "), std::string::npos)
      << refusal;
  EXPECT_NE(refusal.find(arm->joint(0).name), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("revolute"), std::string::npos) << refusal;
}

}  // namespace
}  // namespace limber::fabrik_test
