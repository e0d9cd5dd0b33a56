// SPDX-License-Identifier: MIT
#include "limber/objective/limits/nearest_point.h"

#include <gtest/gtest.h>

#include <random>

namespace limber::nearest_point_test {
namespace {

constexpr double kTolerance = 1e-13;

Eigen::VectorXd randomVector(int size, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Eigen::VectorXd v(size);
  for (double& x : v) x = normal(random);
  return v;
}

TEST(NearestPoint, MeetsTheKuhnTuckerConditions) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const int n = 1 + trial % 6, m = trial % 15, equations = trial % 3 == 0 ? std::min({n - 1, m, 2}) : 0;
    NearestPoint nearest;
    nearest.resize(n, m);
    const Eigen::VectorXd inner = randomVector(n, random);
    for (int j = 0; j < m; ++j) {
      nearest.normals.col(j) = randomVector(n, random).normalized();
      nearest.isEquality[static_cast<std::size_t>(j)] = j < equations;
      const double room = j < equations ? 0.0 : std::abs(randomVector(1, random)[0]);
      nearest.bounds[j] = nearest.normals.col(j).dot(inner) + room;
    }
    const Eigen::VectorXd start = 3.0 * randomVector(n, random);
    Eigen::VectorXd x = start;
    ASSERT_TRUE(nearest.solve(x, kTolerance));
    Eigen::VectorXd rest = start - x;
    for (int j = 0; j < m; ++j) {
      const double excess = nearest.normals.col(j).dot(x) - nearest.bounds[j], force = nearest.multipliers()[j];
      EXPECT_LT(j < equations ? std::abs(excess) : excess, 1e-12);
      if (j >= equations) {
        EXPECT_GE(force, 0.0);
      }
      if (force != 0.0) {
        EXPECT_NEAR(excess, 0.0, 1e-12);
      }
      rest -= force * nearest.normals.col(j);
    }
    EXPECT_LT(rest.cwiseAbs().maxCoeff(), 1e-8);  // nearly parallel normals have large multipliers
    const Eigen::VectorXd once = x;
    nearest.solve(x, kTolerance);
    EXPECT_TRUE(x == once);
  }
}

TEST(NearestPoint, SaysWhichConstraintsContradict) {
  NearestPoint nearest;
  nearest.resize(2, 3);
  nearest.normals.col(0) = Eigen::Vector2d(0.0, 1.0);
  nearest.normals.col(1) = Eigen::Vector2d(1.0, 1.0).normalized();
  nearest.normals.col(2) = Eigen::Vector2d(-1.0, -1.0).normalized();
  nearest.bounds.head(3) << 5.0, 1.0, -2.0;
  std::fill(nearest.isEquality.begin(), nearest.isEquality.end(), char(0));
  Eigen::VectorXd x = Eigen::Vector2d(0.3, 0.4);
  EXPECT_FALSE(nearest.solve(x, kTolerance));
  std::vector<int> conflict = nearest.conflict();
  std::sort(conflict.begin(), conflict.end());
  EXPECT_EQ(conflict, (std::vector<int>{1, 2}));
}

TEST(NearestPoint, EquationsSaidTwiceAreMetOnce) {
  NearestPoint nearest;
  nearest.resize(2, 2);
  nearest.normals.col(0) = nearest.normals.col(1) = Eigen::Vector2d(0.6, 0.8);
  nearest.bounds.head(2) << 1.0, 1.0 + 1e-14;
  std::fill(nearest.isEquality.begin(), nearest.isEquality.end(), char(1));
  Eigen::VectorXd x = Eigen::Vector2d(-3.0, 2.0);
  EXPECT_TRUE(nearest.solve(x, kTolerance));
  EXPECT_NEAR(0.6 * x[0] + 0.8 * x[1], 1.0, 1e-12);
}

}  // namespace
}  // namespace limber::nearest_point_test
