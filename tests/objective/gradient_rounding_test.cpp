// SPDX-License-Identifier: MIT
#include "limber/objective/gradient_rounding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "limber/goals/position_goal.h"
#include "limber/kinematics/figure_builder.h"
#include "support/allocation_count.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"

namespace limber::gradient_rounding_test {
namespace {

constexpr int kLinks = 12;
constexpr double kFar = 1 << 20;  // metres

/// Hinges about x, y and z in turn, 0.1 m apart, the first one at (base, base, base).
std::shared_ptr<const Figure> makeChainAt(double base) {
  FigureBuilder builder("chain");
  int parent = -1;
  for (int i = 0; i < kLinks; ++i) {
    Joint joint{.name = "joint " + std::to_string(i), .type = JointType::Revolute};
    joint.axis = Eigen::Vector3d::Unit(i % 3);
    joint.parentFromJoint.translation = i == 0 ? Eigen::Vector3d::Constant(base) : Eigen::Vector3d(0.1, 0.0, 0.0);
    parent = builder.addLink({.name = "link " + std::to_string(i), .parent = parent}, joint);
  }
  return test::built(builder);
}

/// Three goals along the chain that the pose meets except for a binary digit of 2^-21 metres, the same one however far
/// the chain stands from the origin.
Objective makeObjective(const std::shared_ptr<const Figure>& figure, double base, const Pose& there) {
  constexpr double kDigit = 1.0 / (1 << 20);
  Kinematics kinematics;
  computeTransforms(*makeChainAt(0.0), there, kinematics);
  std::vector<std::unique_ptr<Goal>> goals;
  for (const int link : {3, 7, kLinks - 1}) {
    Eigen::Vector3d target = kinematics.worldFromLink[static_cast<std::size_t>(link)] * Eigen::Vector3d(0.1, 0.0, 0.0);
    for (double& x : target) x = base + kDigit * std::round(x / kDigit);
    goals.push_back(std::make_unique<PositionGoal>(link, Eigen::Vector3d(0.1, 0.0, 0.0), target, 1e3, 0.1));
  }
  std::vector<int> active(kLinks);
  for (int k = 0; k < kLinks; ++k) active[static_cast<std::size_t>(k)] = k;
  const std::vector<double> rigidities(kLinks, 0.0);
  return Objective(figure, std::move(goals), Regulariser(*figure, there, 0.0, rigidities),
                   FeasibleSet(*figure, limitsOf(*figure)), std::move(active));
}

struct State {
  Evaluation evaluation;
  Eigen::VectorXd gradient;
  FreeSpace space;
};

State stateOf(const Objective& objective, const Pose& pose) {
  State state;
  objective.evaluate(pose, state.evaluation);
  objective.computeGradient(state.evaluation, state.gradient);
  objective.feasibleSet().findFreeSpace(pose, state.gradient, state.space);
  return state;
}

/// Rounding errors add up at random: the estimate is right on average, and never far off.
TEST(GradientRounding, TellsWhatAFarOriginDoesToTheGradient) {
  std::mt19937 random(81);
  const auto near = makeChainAt(0.0), far = makeChainAt(kFar);
  double worst = 0.0, squares = 0.0;
  for (int trial = 0; trial < 200; ++trial) {
    const Pose pose = test::randomPose(*near, random);
    const State exact = stateOf(makeObjective(near, 0.0, pose), pose);
    const Objective objective = makeObjective(far, kFar, pose);
    const State rounded = stateOf(objective, pose);
    GradientRounding rounding;
    rounding.explains(objective, rounded.evaluation, rounded.space, rounded.gradient, 0.0);
    const Eigen::VectorXd shares = (rounded.gradient - exact.gradient).cwiseQuotient(rounding.estimates());
    worst = std::max(worst, shares.cwiseAbs().maxCoeff());
    squares += shares.squaredNorm() / (200.0 * kLinks);
  }
  EXPECT_LT(worst, 5.0);
  EXPECT_LT(std::sqrt(squares), 1.0);
  EXPECT_GT(std::sqrt(squares), 0.1);  // the estimate must not be too large
}

TEST(GradientRounding, ExplainsTheGradientOfGoalsThatAreMetAndOfNoOthers) {
  std::mt19937 random(82);
  const auto figure = makeChainAt(0.0);
  for (int trial = 0; trial < 200; ++trial) {
    Pose pose = test::randomPose(*figure, random);
    Kinematics kinematics;
    computeTransforms(*figure, pose, kinematics);
    std::vector<std::unique_ptr<Goal>> goals;
    const Eigen::Vector3d tip = kinematics.worldFromLink.back() * Eigen::Vector3d(0.1, 0.0, 0.0);
    goals.push_back(std::make_unique<PositionGoal>(kLinks - 1, Eigen::Vector3d(0.1, 0.0, 0.0), tip, 1e3, 0.1));
    std::vector<int> active(kLinks);
    for (int k = 0; k < kLinks; ++k) active[static_cast<std::size_t>(k)] = k;
    const std::vector<double> rigidities(kLinks, 0.0);
    const Objective objective(figure, std::move(goals), Regulariser(*figure, pose, 0.0, rigidities),
                              FeasibleSet(*figure, limitsOf(*figure)), std::move(active));
    for (const double turn : {0.0, 1e-12}) {
      pose.coordinates[trial % 3] += turn;
      const State state = stateOf(objective, pose);
      GradientRounding rounding;
      const double largest = state.gradient.cwiseAbs().maxCoeff();
      EXPECT_EQ(rounding.explains(objective, state.evaluation, state.space, state.gradient, largest), turn == 0.0)
          << "trial " << trial << ", turned by " << turn;
    }
  }
}

TEST(GradientRounding, AllocatesNothingWhenWarm) {
  std::mt19937 random(83);
  const auto figure = test::makeCoupledFigure();
  const Objective objective = test::makeRandomObjective(figure, test::kAwkwardTips, random);
  const State state = stateOf(objective, test::randomPose(*figure, random));
  GradientRounding rounding;
  rounding.explains(objective, state.evaluation, state.space, state.gradient, 0.0);
  const auto before = test::allocationCount();
  rounding.explains(objective, state.evaluation, state.space, state.gradient, 0.0);
  EXPECT_EQ(test::allocationCount(), before);
}

}  // namespace
}  // namespace limber::gradient_rounding_test
