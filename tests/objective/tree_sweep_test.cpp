// SPDX-License-Identifier: MIT
#include "limber/objective/sweep/tree_sweep.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numeric>

#include "limber/goals/position_goal.h"
#include "limber/kinematics/standard_figures.h"
#include "support/awkward_figure.h"
#include "support/dense_algebra.h"

namespace limber::tree_sweep_test {
namespace {

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

struct Dense {
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;
};

Dense denseAt(const Objective& objective, const Pose& pose, Evaluation& evaluation) {
  Dense dense;
  objective.evaluate(pose, evaluation);
  objective.computeGradient(evaluation, dense.gradient);
  objective.computeHessian(evaluation, dense.hessian);
  return dense;
}

/// The damped system over free coordinates, in long double.
LongVector denseStep(const Objective& objective, const Dense& dense, double lambda, const std::vector<char>& free) {
  const int n = objective.activeCount();
  LongMatrix h = dense.hessian.cast<long double>();
  LongVector g = dense.gradient.cast<long double>();
  for (int k = 0; k < n; ++k) {
    h(k, k) += static_cast<long double>(lambda) * objective.metric()[objective.active()[static_cast<std::size_t>(k)]];
    if (free[static_cast<std::size_t>(k)]) continue;
    h.row(k).setZero();
    h.col(k).setZero();
    h(k, k) = 1;
    g[k] = 0;
  }
  return -test::solveSymmetric(h, g);
}

/// The metric of the active coordinates.
Eigen::VectorXd metricOf(const Objective& objective) {
  Eigen::VectorXd metric(objective.activeCount());
  for (int k = 0; k < objective.activeCount(); ++k)
    metric[k] = objective.metric()[objective.active()[static_cast<std::size_t>(k)]];
  return metric;
}

TEST(TreeSweep, StepMatchesTheDenseOneOnAwkwardFigure) {
  std::mt19937 random(8);
  const auto figure = test::makeAwkwardFigure();
  TreeSweep sweep;
  std::vector<Residual> multipliers;
  Evaluation evaluation;
  Eigen::VectorXd direction;
  for (int trial = 0; trial < 200; ++trial) {
    test::ObjectiveOptions options;
    options.stayWeight = trial % 4 == 1 ? 300.0 : 0.0;
    options.forceLimit = trial % 4 == 2 ? 0.5 : 0.0;
    const Objective objective = test::makeRandomObjective(figure, test::kAwkwardTips, random, std::move(options));
    const Dense dense = denseAt(objective, test::randomPose(*figure, random), evaluation);
    std::vector<char> free(static_cast<std::size_t>(objective.activeCount()));
    for (char& f : free) f = std::uniform_int_distribution<int>(0, 4)(random) > 0;
    const double lambda = 2.0 * dense.hessian.cwiseAbs().rowwise().sum().maxCoeff() / objective.metric().minCoeff();
    exactMultipliers(objective, evaluation, multipliers);
    sweep.assemble(objective, evaluation, multipliers);
    const Eigen::VectorXd metric = metricOf(objective);
    const FreeSpace space{free};
    ASSERT_TRUE(sweep.factor(lambda, space, metric));
    sweep.solve(direction);
    const LongVector expected = denseStep(objective, dense, lambda, free);
    const double scale = static_cast<double>(expected.cwiseAbs().maxCoeff());
    EXPECT_LT((direction - expected.cast<double>()).cwiseAbs().maxCoeff(), 1e-9 * scale);
  }
}

TEST(TreeSweep, VerdictAgreesWithEigenvaluesAndCurvatureIsNegative) {
  std::mt19937 random(9);
  const auto figure = test::makeAwkwardFigure();
  TreeSweep sweep;
  std::vector<Residual> multipliers;
  Evaluation evaluation;
  Eigen::VectorXd direction;
  int definite = 0, indefinite = 0;
  for (int trial = 0; trial < 600; ++trial) {
    test::ObjectiveOptions options;
    options.targetWeight = trial % 2 ? 1.0 : 1e3;
    options.stayWeight = trial % 3 == 2 ? 100.0 : 0.0;
    const Objective objective = test::makeRandomObjective(figure, test::kAwkwardTips, random, std::move(options));
    const Dense dense = denseAt(objective, test::randomPose(*figure, random), evaluation);
    const std::vector<char> free(static_cast<std::size_t>(objective.activeCount()), 1);
    exactMultipliers(objective, evaluation, multipliers);
    sweep.assemble(objective, evaluation, multipliers);
    // Damped by up to twice what makes it definite, so that both kinds are seen, some of them narrowly.
    const Eigen::VectorXd metric = metricOf(objective);
    const FreeSpace space{free};
    const Eigen::VectorXd root = metric.cwiseSqrt().cwiseInverse();
    const double lowest = test::eigenvaluesOf(root.asDiagonal() * dense.hessian * root.asDiagonal())[0];
    const double lambda = std::uniform_real_distribution<double>(0.0, 2.0)(random) * std::abs(lowest);
    const Eigen::MatrixXd damped = dense.hessian + lambda * Eigen::MatrixXd(metric.asDiagonal());
    const bool isDefinite = sweep.factor(lambda, space, metric);
    EXPECT_EQ(isDefinite, test::eigenvaluesOf(damped)[0] > 0.0) << "trial " << trial;
    if (isDefinite) {
      ++definite;
      sweep.solve(direction);
      const LongVector expected = denseStep(objective, dense, lambda, free);
      EXPECT_LT((direction - expected.cast<double>()).norm(), 1e-8 * static_cast<double>(expected.norm()));
    } else {
      ++indefinite;
      const double curvature = sweep.curvatureDirection(direction);
      EXPECT_LE(curvature, 0.0);
      const double exact = direction.dot(damped * direction);
      EXPECT_NEAR(curvature, exact, 1e-8 * direction.squaredNorm() * dense.hessian.cwiseAbs().maxCoeff());
    }
  }
  EXPECT_GT(definite, 20) << "the test must see both kinds";
  EXPECT_GT(indefinite, 20);
}

TEST(TreeSweep, LongChainMatchesLongDouble) {
  std::mt19937 random(10);
  TreeSweep sweep;
  std::vector<Residual> multipliers;
  Evaluation evaluation;
  Eigen::VectorXd direction;
  for (const int n : {1, 2, 10, 30, 100}) {
    const Objective objective = test::makeChainObjective(n, {0.4 * n, 0.3 * n, 0});
    Pose pose = restPose(objective.figure());
    for (int i = 0; i < n; ++i) pose.coordinates[i] = std::uniform_real_distribution<double>(-1.0, 1.0)(random) / n;
    const Dense dense = denseAt(objective, pose, evaluation);
    const std::vector<char> free(static_cast<std::size_t>(n), 1);
    const double lambda = std::max(0.0, -1.1 * test::eigenvaluesOf(dense.hessian)[0]);
    exactMultipliers(objective, evaluation, multipliers);
    sweep.assemble(objective, evaluation, multipliers);
    const Eigen::VectorXd metric = metricOf(objective);
    const FreeSpace space{free};
    ASSERT_TRUE(sweep.factor(lambda, space, metric)) << n;
    sweep.solve(direction);
    // The dense matrix is in double: its own rounding, times its condition, bounds the agreement.
    const LongVector expected = denseStep(objective, dense, lambda, free);
    EXPECT_LT((direction - expected.cast<double>()).norm(), 1e-8 * static_cast<double>(expected.norm())) << n;
  }
}

/// A goal a thousand times as stiff as the pull at the end of a long chain: blocks of balls whose eigenvalues are ten
/// orders apart.
TEST(TreeSweep, SolvesForAStiffGoalOnALongChainOfBalls) {
  std::mt19937 random(12);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  TreeSweep sweep;
  std::vector<Residual> multipliers;
  Evaluation evaluation;
  Eigen::VectorXd direction;
  for (const int n : {30, 100, 200}) {
    const auto figure = makeBallChain(n);
    Pose pose = restPose(*figure);
    Eigen::VectorXd step(figure->stepSize());
    for (double& entry : step) entry = (0.5 + 0.3 * uniform(random)) / n;
    integrate(*figure, restPose(*figure), step, pose);
    Kinematics kinematics;
    computeTransforms(*figure, pose, kinematics);
    std::vector<std::unique_ptr<Goal>> goals;
    goals.push_back(std::make_unique<PositionGoal>(
        n - 1, Eigen::Vector3d::UnitX(), kinematics.worldFromLink.back() * Eigen::Vector3d::UnitX(), 1000.0, 1.0));
    std::vector<int> active(static_cast<std::size_t>(figure->stepSize()));
    std::iota(active.begin(), active.end(), 0);
    const Objective objective(
        figure, std::move(goals),
        Regulariser(*figure, restPose(*figure), 1.0, std::vector<double>(static_cast<std::size_t>(n), 0.0)),
        FeasibleSet(*figure, limitsOf(*figure)), std::move(active));
    const Dense dense = denseAt(objective, pose, evaluation);
    exactMultipliers(objective, evaluation, multipliers);
    sweep.assemble(objective, evaluation, multipliers);
    const Eigen::VectorXd metric = metricOf(objective);
    const FreeSpace space{std::vector<char>(static_cast<std::size_t>(objective.activeCount()), 1)};
    ASSERT_TRUE(sweep.factor(0.0, space, metric)) << n;
    sweep.solve(direction);
    EXPECT_LT((dense.hessian * direction + dense.gradient).norm(), 1e-5 * dense.gradient.norm()) << n;
  }
}

}  // namespace
}  // namespace limber::tree_sweep_test
