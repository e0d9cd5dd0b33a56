// SPDX-License-Identifier: MIT
#include "limber/objective/joint_chain.h"

#include <gtest/gtest.h>

#include <numeric>

#include "limber/goals/position_goal.h"
#include "limber/objective/objective.h"
#include "support/awkward_figure.h"

namespace limber::joint_chain_test {
namespace {

/// The coupled figure: free root 0 (0-5), ball spine 1 (6-8), idle hinge 2 (9), slide 3 (10), flexion 4 (11), twist 5
/// (12), ball wrist 6 (13-15), ball hip 7 (16-18), bolt 8, knee 9 (19). Twist and idle follow flexion; the knee follows
/// slide and flexion.
class JointChains : public testing::Test {
 protected:
  ChainUnion unite(std::vector<JointChain> chains) const {
    return uniteChains(*figure_, Couplings(*figure_, limitsOf(*figure_).couplingEnabled), chains, usable_);
  }
  std::vector<int> tableOf(const JointChain& chain, const ChainUnion& chains) const {
    return limber::tableOf(*figure_, Couplings(*figure_, limitsOf(*figure_).couplingEnabled), chain, chains.active);
  }
  std::shared_ptr<const Figure> figure_ = test::makeCoupledFigure();
  std::vector<char> usable_ = std::vector<char>(20, 1);
};

TEST_F(JointChains, WithoutAChainEverythingThatFollowsNothingIsActive) {
  const ChainUnion all = unite({{.links = {6}}});
  EXPECT_EQ(all.active, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 14, 15, 16, 17, 18}));
  EXPECT_EQ(unite({}).active, all.active);
}

TEST_F(JointChains, AreUnitedAndAGoalWithoutOneBringsWhatIsAboveIt) {
  const ChainUnion one = unite({{.links = {6}, .joints = {4, 6}}});
  EXPECT_EQ(one.active, (std::vector<int>{11, 13, 14, 15}));
  const ChainUnion two = unite({{.links = {6}, .joints = {6}}, {.links = {1}}});
  EXPECT_EQ(two.active, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 13, 14, 15}));
  EXPECT_EQ(unite({{.links = {6}, .joints = {6}}, {}}).active.size(), 17u) << "one that looks at the whole figure";
}

TEST_F(JointChains, AFollowerStandsForItsDrivers) {
  const JointChain chain{.links = {9}, .joints = {9}};
  const ChainUnion knee = unite({chain});
  EXPECT_EQ(knee.active, (std::vector<int>{10, 11}));
  EXPECT_EQ(tableOf(chain, knee), (std::vector<int>{0, 1}));
}

TEST_F(JointChains, ALockedFollowerLocksItsDrivers) {
  usable_[19] = 0;  // the knee: slide and flexion stand with it
  const ChainUnion all = unite({{.links = {6}}});
  EXPECT_EQ(all.active, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 13, 14, 15, 16, 17, 18}));
}

TEST_F(JointChains, OneThatNamesNothingUsableIsEmpty) {
  usable_[11] = 0;
  const ChainUnion chains =
      unite({{.links = {6}, .joints = {5}}, {.links = {9}, .joints = {8}}, {.links = {6}, .joints = {6}}});
  EXPECT_EQ(chains.isEmpty, (std::vector<char>{1, 1, 0})) << "driven by a locked joint; fixed; usable";
}

TEST_F(JointChains, WhatOnlyCompensatesStandsUntilSomethingMovesIt) {
  const JointChain pin{.links = {6}, .onlyCompensates = true};
  EXPECT_EQ(unite({{.links = {9}, .joints = {7}}, pin}).active, (std::vector<int>{16, 17, 18}));
  EXPECT_EQ(unite({{.links = {3}, .joints = {3}}, pin}).active, (std::vector<int>{10, 11, 13, 14, 15}));
}

TEST_F(JointChains, TablesAreWhereTheGradientOfEachGoalMayBe) {
  // Goal on the hand with the chain of the wrist, goal on the foot with the chain of the slide: the slide moves the
  // hand too (section 10), and the foot through the knee that follows it.
  const std::vector<JointChain> chains = {{.links = {6}, .joints = {6}}, {.links = {9}, .joints = {3, 7}}};
  const ChainUnion united = unite(chains);
  EXPECT_EQ(united.active, (std::vector<int>{10, 13, 14, 15, 16, 17, 18}));
  EXPECT_EQ(tableOf(chains[0], united), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(tableOf(chains[1], united), (std::vector<int>{0, 4, 5, 6}));

  std::mt19937 random(61);
  const Pose pose = test::randomPose(*figure_, random);
  const std::vector<double> rigidities(10, 0.0);
  for (std::size_t i = 0; i < chains.size(); ++i) {
    std::vector<std::unique_ptr<Goal>> goals;
    goals.push_back(std::make_unique<PositionGoal>(chains[i].links[0], Eigen::Vector3d(0.1, 0.2, 0.3),
                                                   Eigen::Vector3d(1, 2, 3), 1.0, 1.0));
    const Objective objective(figure_, std::move(goals), Regulariser(*figure_, pose, 0.0, rigidities),
                              FeasibleSet(*figure_, limitsOf(*figure_)), united.active);
    Evaluation evaluation;
    Eigen::VectorXd gradient;
    objective.evaluate(pose, evaluation);
    objective.computeGradient(evaluation, gradient);
    std::vector<int> nonzero;
    for (int k = 0; k < objective.activeCount(); ++k)
      if (std::abs(gradient[k]) > 1e-9) nonzero.push_back(k);
    EXPECT_EQ(nonzero, tableOf(chains[i], united));
  }
}

}  // namespace
}  // namespace limber::joint_chain_test
