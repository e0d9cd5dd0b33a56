// SPDX-License-Identifier: MIT
// The sweep against a dense solution in long double that shares no code with it.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numeric>

#include "limber/goals/position_goal.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/objective/sweep/tree_sweep.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"
#include "support/long_double_hessian.h"

namespace limber::tree_sweep_oracle_test {
namespace {

using test::LongMatrix;
using test::LongVector;

double uniform(std::mt19937& random, double lower, double upper) {
  return std::uniform_real_distribution<double>(lower, upper)(random);
}

Eigen::Vector3d vectorWithin(std::mt19937& random, double size) {
  const double x = uniform(random, -size, size), y = uniform(random, -size, size), z = uniform(random, -size, size);
  return {x, y, z};
}

/// A tree of every joint type, free root and all, of about as many coordinates as asked; its world stands at `place`.
std::shared_ptr<const Figure> makeMixedFigure(std::mt19937& random, int coordinates, const Eigen::Vector3d& place) {
  FigureBuilder builder("mixed");
  constexpr JointType kTypes[] = {JointType::Revolute, JointType::Revolute,  JointType::Revolute,
                                  JointType::Ball,     JointType::Prismatic, JointType::Fixed};
  int count = 0;
  for (int i = 0; count < coordinates; ++i) {
    Joint joint{.name = "joint " + std::to_string(i)};
    joint.type = i == 0 && coordinates > 6 ? JointType::Free : kTypes[std::uniform_int_distribution<int>(0, 5)(random)];
    joint.axis = vectorWithin(random, 1.0).normalized();
    joint.parentFromJoint = {exponential(vectorWithin(random, 1.0)).toRotationMatrix(),
                             i == 0 ? place : Eigen::Vector3d(vectorWithin(random, 0.5))};
    const int parent = i == 0 ? -1 : std::max(0, i - 1 - (uniform(random, 0.0, 1.0) < 0.2 ? 3 : 0));
    builder.addLink({.name = "link " + std::to_string(i), .parent = parent}, joint);
    count += stepSize(joint.type);
  }
  return test::built(builder);
}

/// A few goals whose targets are near where the pose puts them.
std::vector<test::ReachGoal> makeGoals(const Figure& figure, const Pose& pose, std::mt19937& random) {
  Kinematics kinematics;
  computeTransforms(figure, pose, kinematics);
  std::vector<test::ReachGoal> goals;
  for (int k = 0; k < 3; ++k) {
    const int link = std::uniform_int_distribution<int>(figure.linkCount() / 2, figure.linkCount() - 1)(random);
    const Eigen::Vector3d point = vectorWithin(random, 0.3);
    const Eigen::Vector3d target = kinematics.worldFromLink[static_cast<std::size_t>(link)] * point;
    goals.push_back({link, point, target + vectorWithin(random, 0.2), uniform(random, 100.0, 1000.0)});
  }
  return goals;
}

Objective makeObjective(const std::shared_ptr<const Figure>& figure, const std::vector<test::ReachGoal>& reaches,
                        const Pose& reference) {
  std::vector<std::unique_ptr<Goal>> goals;
  for (const test::ReachGoal& goal : reaches)
    goals.push_back(
        std::make_unique<PositionGoal>(goal.link, goal.point, goal.target, goal.weight, figure->meanLinkLength()));
  std::vector<int> active(static_cast<std::size_t>(figure->stepSize()));
  std::iota(active.begin(), active.end(), 0);
  const std::vector<double> rigidities(static_cast<std::size_t>(figure->linkCount()), 0.0);
  return Objective(figure, std::move(goals), Regulariser(*figure, reference, 1.0, rigidities),
                   FeasibleSet(*figure, limitsOf(*figure)), std::move(active));
}

/// The sweep's step at a pose, damped by lambda; empty when it says that H is not positive definite.
struct SweptStep {
  TreeSweep sweep;
  Evaluation evaluation;
  FreeSpace space;
  Eigen::VectorXd gradient, step;
  std::vector<Residual> multipliers;

  bool compute(const Objective& objective, const Pose& pose, double lambda) {
    objective.evaluate(pose, evaluation);
    objective.computeGradient(evaluation, gradient);
    exactMultipliers(objective, evaluation, multipliers);
    space.free.assign(static_cast<std::size_t>(objective.activeCount()), 1);
    sweep.assemble(objective, evaluation, multipliers);
    if (!sweep.factor(lambda, space, objective.metric())) return false;
    sweep.solve(step);
    return true;
  }
};

Eigen::VectorXd eigenvaluesInMetric(const LongMatrix& hessian, const Eigen::VectorXd& metric) {
  const Eigen::VectorXd root = metric.cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = root.asDiagonal() * hessian.cast<double>() * root.asDiagonal();
  return test::eigenvaluesOf(scaled);
}

TEST(TreeSweepOracle, StepIsWithinABillionthOfTheExactOne) {
  std::mt19937 random(21);
  for (const int coordinates : {1, 3, 10, 30, 100})
    for (int trial = 0; trial < 8; ++trial) {
      const auto figure = makeMixedFigure(random, coordinates, {0.3, 0.2, 0.1});
      const Pose pose = test::randomPose(*figure, random), reference = test::randomPose(*figure, random);
      const auto goals = makeGoals(*figure, pose, random);
      const Objective objective = makeObjective(figure, goals, reference);
      test::LongReach exact = test::computeLongReach(*figure, pose, goals, objective.regularisers().front());
      const double lambda = std::max(0.0, -1.1 * eigenvaluesInMetric(exact.hessian, objective.metric())[0]);
      SweptStep swept;
      ASSERT_TRUE(swept.compute(objective, pose, lambda));
      EXPECT_LT((swept.gradient - exact.gradient.cast<double>()).norm(),
                1e-11 * (1.0 + static_cast<double>(exact.gradient.norm())));
      exact.hessian.diagonal() += lambda * objective.metric().cast<long double>();
      const LongVector step = -test::solveSymmetric(exact.hessian, exact.gradient);
      EXPECT_LT((swept.step - step.cast<double>()).norm(), 1e-9 * static_cast<double>(step.norm()))
          << coordinates << " coordinates, trial " << trial;
    }
}

TEST(TreeSweepOracle, NoVerdictIsWrongInTenThousandStates) {
  std::mt19937 random(22);
  int definite = 0, indefinite = 0;
  for (int f = 0; f < 100; ++f) {
    const auto figure = makeMixedFigure(random, 4 + f % 20, {0.3, 0.2, 0.1});
    const Pose reference = test::randomPose(*figure, random);
    const auto goals = makeGoals(*figure, test::randomPose(*figure, random), random);
    const Objective objective = makeObjective(figure, goals, reference);
    SweptStep swept;
    for (int trial = 0; trial < 100; ++trial) {
      const Pose pose = test::randomPose(*figure, random);
      const test::LongReach exact = test::computeLongReach(*figure, pose, goals, objective.regularisers().front());
      const double lowest = eigenvaluesInMetric(exact.hessian, objective.metric())[0];
      const double lambda = uniform(random, 0.0, 2.0) * std::abs(lowest);
      const bool isDefinite = lowest + lambda > 0.0;
      (isDefinite ? definite : indefinite) += 1;
      EXPECT_EQ(swept.compute(objective, pose, lambda), isDefinite) << "figure " << f << ", trial " << trial;
    }
  }
  EXPECT_GT(definite, 1000);
  EXPECT_GT(indefinite, 1000);
}

TEST(TreeSweepOracle, AFarPlaceCostsNoMoreThanThePositionsLose) {
  std::mt19937 near(23), far(23);
  const Eigen::Vector3d place(3e4, -2e4, 1e4);  // metres: positions are good to 4e-12
  const auto here = makeMixedFigure(near, 40, Eigen::Vector3d::Zero());
  const auto there = makeMixedFigure(far, 40, place);
  const Pose pose = test::randomPose(*here, near), reference = test::randomPose(*here, near);
  std::vector<test::ReachGoal> goals = makeGoals(*here, pose, near);
  SweptStep expected, swept;
  ASSERT_TRUE(expected.compute(makeObjective(here, goals, reference), pose, 1e5));
  const Eigen::VectorXd step = expected.step;
  for (test::ReachGoal& goal : goals) goal.target += place;
  ASSERT_TRUE(swept.compute(makeObjective(there, goals, reference), pose, 1e5));
  EXPECT_LT((swept.step - step).norm(), 1e-8 * step.norm());
}

}  // namespace
}  // namespace limber::tree_sweep_oracle_test
