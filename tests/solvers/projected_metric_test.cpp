// SPDX-License-Identifier: MIT
// The updates (30), (32), (33) and (34) of Zhao and Badler (1994).
#include "limber/solvers/steps/projected_metric.h"

#include <gtest/gtest.h>

#include <random>

#include <Eigen/Dense>

#include "limber/solvers/steps/active_set.h"
#include "support/dense_algebra.h"

namespace limber::projected_metric_test {
namespace {

Eigen::VectorXd randomVector(int n, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Eigen::VectorXd v(n);
  for (double& x : v) x = normal(random);
  return v;
}

Eigen::MatrixXd randomHessian(int n, std::mt19937& random) {
  Eigen::MatrixXd root(n, n);
  for (double& x : root.reshaped()) x = std::normal_distribution<double>()(random);
  return root * root.transpose() + Eigen::MatrixXd::Identity(n, n);
}

TEST(ProjectedMetric, BfgsMatchesHandComputedUpdate) {
  // H = I, sigma = (1, 0), y = (1/2, 0): y'Hy = 1/4 <= sigma'y = 1/2, so (33): H11 = 1 + (1 + 1/2 - 1) / (1/2) = 2.
  ProjectedMetric metric;
  metric.reset(2);
  ASSERT_TRUE(metric.update(Eigen::Vector2d(1, 0), Eigen::Vector2d(0.5, 0), true));
  EXPECT_NEAR((metric.matrix() - Eigen::Vector2d(2, 1).asDiagonal().toDenseMatrix()).cwiseAbs().maxCoeff(), 0.0, 1e-15);
}

TEST(ProjectedMetric, DfpMatchesHandComputedUpdate) {
  // H = I, sigma = (1, 0), y = (2, 1): y'Hy = 5 > sigma'y = 2, so (34): H = I + diag(1/2, 0) - y y' / 5.
  ProjectedMetric metric;
  metric.reset(2);
  ASSERT_TRUE(metric.update(Eigen::Vector2d(1, 0), Eigen::Vector2d(2, 1), true));
  Eigen::Matrix2d expected;
  expected << 1.5 - 0.8, -0.4, -0.4, 1.0 - 0.2;
  EXPECT_LT((metric.matrix() - expected).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(ProjectedMetric, EveryUpdateMeetsTheSecantEquation) {
  std::mt19937 random(51);
  for (const bool mayUseDfp : {true, false}) {
    ProjectedMetric metric;
    metric.reset(8);
    const Eigen::MatrixXd hessian = randomHessian(8, random);
    Eigen::VectorXd product;
    for (int i = 0; i < 30; ++i) {
      const Eigen::VectorXd sigma = randomVector(8, random);
      ASSERT_TRUE(metric.update(sigma, hessian * sigma, mayUseDfp));
      metric.apply(hessian * sigma, product);
      EXPECT_LT((product - sigma).norm(), 1e-9 * sigma.norm());
    }
  }
}

TEST(ProjectedMetric, RefusesStepsWithoutCurvature) {
  ProjectedMetric metric;
  metric.reset(2);
  EXPECT_FALSE(metric.update(Eigen::Vector2d(1, 0), Eigen::Vector2d(-1, 0), true));
  EXPECT_FALSE(metric.update(Eigen::Vector2d(1, 0), Eigen::Vector2d(0, 1), true));
  EXPECT_FALSE(metric.update(Eigen::Vector2d(0, 0), Eigen::Vector2d(0, 0), true));
  EXPECT_EQ(metric.matrix(), Eigen::Matrix2d::Identity());
}

TEST(ProjectedMetric, AddingAndDroppingALimitOfTheIdentityGivesItBack) {
  ProjectedMetric metric;
  metric.reset(3);
  const Eigen::Vector3d a = Eigen::Vector3d(1, 2, -2) / 3.0;
  metric.add(a);
  EXPECT_LT((metric.matrix() - (Eigen::Matrix3d::Identity() - a * a.transpose())).cwiseAbs().maxCoeff(), 1e-15);
  metric.add(a);  // once more: H a = 0 already
  EXPECT_LT((metric.matrix() * a).norm(), 1e-15);
  metric.drop(a);
  EXPECT_LT((metric.matrix() - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(ProjectedMetric, StaysSemidefiniteAndBlindToTheLimitsThatHold) {
  std::mt19937 random(52);
  constexpr int n = 10;
  ActiveSet held;
  held.reset(n);
  ProjectedMetric metric;
  metric.reset(n);
  const Eigen::MatrixXd hessian = randomHessian(n, random);
  for (int change = 0; change < 500; ++change) {
    const unsigned what = random() % 4;
    if (what == 0 && held.size() < n - 1) {
      const Eigen::VectorXd a = randomVector(n, random).normalized();
      if (held.add(change, a)) metric.add(a);
    } else if (what == 1 && held.size() > 0) {
      const int column = static_cast<int>(random() % static_cast<unsigned>(held.size()));
      Eigen::VectorXd a = held.normals().col(column);
      held.drop(column);
      held.project(a);
      metric.drop(a);
    } else {
      Eigen::VectorXd sigma = randomVector(n, random);
      held.project(sigma);
      metric.update(sigma, hessian * sigma, true);
    }
    const Eigen::MatrixXd H = metric.matrix();
    const double size = H.cwiseAbs().maxCoeff();
    if (held.size() > 0) {
      ASSERT_LT((H * held.normals()).cwiseAbs().maxCoeff(), 1e-9 * size) << change;
    }
    ASSERT_GT(test::eigenvaluesOf(H)[0], -1e-9 * size) << change;
  }
}

}  // namespace
}  // namespace limber::projected_metric_test
