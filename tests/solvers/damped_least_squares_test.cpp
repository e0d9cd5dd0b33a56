// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/damped_least_squares.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "limber/goals/position_goal.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/kinematics/standard_figures.h"
#include "support/awkward_figure.h"

namespace limber::damped_least_squares_test {
namespace {

const auto& dls = DampedLeastSquaresOptions::solver();

TEST(DampedLeastSquares, DefaultsAreTheSources) {
  const DampedLeastSquaresOptions options;
  EXPECT_EQ(options.damping, 0.05);
  EXPECT_EQ(options.diagonalFloor, 1e-6);
  EXPECT_EQ(options.relaxation, 0.75);
  EXPECT_FALSE(options.moveRoot);
  EXPECT_EQ(options.maxIterations, 100);
}

TEST(DampedLeastSquares, RightJacobianMatchesDifferencesOfTheExponential) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (const double size : {0.0, 1e-7, 1e-3, 9.9e-3, 1.01e-2, 0.5, 2.0, 3.1}) {
    const double x = normal(random), y = normal(random), z = normal(random);
    const Eigen::Vector3d theta = size * Eigen::Vector3d(x, y, z).normalized();
    const Eigen::Matrix3d jacobian = rightJacobian(theta);
    constexpr double h = 1e-6;
    for (int i = 0; i < 3; ++i) {
      const Eigen::Vector3d d = h * Eigen::Vector3d::Unit(i);
      const Eigen::Vector3d change = logarithm(exponential(theta - d).conjugate() * exponential(theta + d)) / (2.0 * h);
      EXPECT_LT((change - jacobian.col(i)).norm(), 1e-8) << size;
    }
  }
}

/// The source's data: six links along x, the first at the origin; goals at points of the last link and of the third.
struct SixLinks {
  SixLinks() {
    FigureBuilder builder("six links");
    for (int i = 0; i < 6; ++i)
      builder.addLink({.name = "link" + std::to_string(i), .parent = i - 1},
                      {.name = "joint" + std::to_string(i),
                       .type = JointType::Ball,
                       .parentFromJoint = Transform::fromTranslation({i > 0 ? 1.0 : 0.0, 0, 0})});
    std::string error;
    figure = builder.build(error);
  }

  Objective objective(const Eigen::Vector3d& end, const Eigen::Vector3d& middle) const {
    std::vector<std::unique_ptr<Goal>> goals;
    goals.push_back(std::make_unique<PositionGoal>(5, Eigen::Vector3d(1.0, 0.1, 0.2), end, 7.0, 1.0));
    goals.push_back(std::make_unique<PositionGoal>(2, Eigen::Vector3d(1.0, 0.0, 0.0), middle, 7.0, 1.0));
    std::vector<int> active;
    for (int c = 0; c < figure->stepSize(); ++c) active.push_back(c);
    return Objective(figure, std::move(goals), Regulariser(*figure, restPose(*figure), 0.0, std::vector<double>(6)),
                     FeasibleSet(*figure, limitsOf(*figure)), std::move(active));
  }

  Pose pose(const Eigen::VectorXd& theta) const {
    Pose result = restPose(*figure);
    for (int i = 0; i < 6; ++i) setJointRotation(*figure, i, exponential(theta.segment<3>(3 * i)), result);
    return result;
  }

  std::shared_ptr<const Figure> figure;
};

Eigen::VectorXd errorAt(const Objective& objective, const Pose& pose) {
  Evaluation evaluation;
  objective.evaluate(pose, evaluation);
  Eigen::VectorXd e(6);
  e << evaluation.residuals[0], evaluation.residuals[1];
  return e;
}

Eigen::VectorXd randomTheta(std::mt19937& random) {
  std::normal_distribution<double> normal(0.0, 0.5);
  Eigen::VectorXd theta(18);
  for (double& t : theta) t = normal(random);
  return theta;
}

/// The step of the source, written again in rotation vectors, with its Jacobian by central differences.
TEST(DampedLeastSquares, StepsAsTheSourceDoes) {
  const SixLinks six;
  std::mt19937 random(6);
  for (int trial = 0; trial < 20; ++trial) {
    const Eigen::VectorXd theta = randomTheta(random);
    const Objective objective = six.objective({2.0, 1.0, -0.5 + 0.1 * trial}, {1.0, -1.0, 0.3});
    Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(6, 18);
    constexpr double h = 1e-6;
    for (int j = 3; j < 18; ++j) {  // the root's columns stay zero
      const Eigen::VectorXd d = h * Eigen::VectorXd::Unit(18, j);
      jacobian.col(j) = (errorAt(objective, six.pose(theta + d)) - errorAt(objective, six.pose(theta - d))) / (2.0 * h);
    }
    Eigen::MatrixXd system = jacobian.transpose() * jacobian;
    system += 0.05 * Eigen::MatrixXd(system.diagonal().cwiseMax(1e-6).asDiagonal());
    const Pose start = six.pose(theta);
    const Eigen::VectorXd step = system.partialPivLu().solve(jacobian.transpose() * errorAt(objective, start));
    const Pose expected = six.pose(theta - 0.75 * step);

    Pose pose = start;
    Workspace workspace;
    dls.solve(objective, pose, DampedLeastSquaresOptions{}, workspace, {1});
    Eigen::VectorXd apart;
    difference(*six.figure, expected, pose, apart);
    EXPECT_LT(apart.cwiseAbs().maxCoeff(), 1e-6);  // differences leave 1e-9, over a damping of 5e-8 in idle directions
    EXPECT_TRUE(jointRotation(*six.figure, pose, 0).isApprox(jointRotation(*six.figure, start, 0), 1e-12));
  }
}

TEST(DampedLeastSquares, MeetsBothGoalsOfTheSourcesExample) {
  const SixLinks six;
  std::mt19937 random(7);
  // After the source's 100 solves, and after many: convergence is linear.
  int near = 0, reached = 0;
  constexpr int kTrials = 100;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Pose there = six.pose([&] {
      Eigen::VectorXd theta = randomTheta(random);
      theta.head<3>().setZero();
      return theta;
    }());
    const Objective anywhere = six.objective(Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero());
    const Eigen::VectorXd targets = errorAt(anywhere, there);
    const Objective objective = six.objective(targets.head<3>(), targets.tail<3>());
    Eigen::VectorXd theta = randomTheta(random);
    theta.head<3>().setZero();
    Pose pose = six.pose(theta);
    Workspace workspace;
    DampedLeastSquaresOptions options;
    dls.solve(objective, pose, options, workspace);
    if (errorAt(objective, pose).norm() < 0.02) ++near;
    options.maxIterations = 2000;
    dls.solve(objective, pose, options, workspace);
    if (errorAt(objective, pose).norm() < 1e-3) ++reached;
  }
  EXPECT_EQ(near, kTrials);
  EXPECT_EQ(reached, kTrials);
}

TEST(DampedLeastSquares, TurnsTheRootOnlyWhenTold) {
  const Objective objective = test::makeChainObjective(3, {1.0, 1.5, 0.0}, 1e3, 0.0);
  DampedLeastSquaresOptions options;
  Workspace workspace;
  Pose pose{Eigen::Vector3d(0.2, 0.1, 0.3)};
  dls.solve(objective, pose, options, workspace);
  EXPECT_EQ(pose.coordinates[0], 0.2);
  options.moveRoot = true;
  const Summary summary = dls.solve(objective, pose, options, workspace);
  EXPECT_NE(pose.coordinates[0], 0.2);
  EXPECT_LT(summary.objective, 1e-3);
}

}  // namespace
}  // namespace limber::damped_least_squares_test
