// SPDX-License-Identifier: MIT
#include "limber/solvers/steps/active_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include <Eigen/Dense>

namespace limber::active_set_test {
namespace {

constexpr double kRounding = 1e-9;  // (A'A)^-1 of a moderate condition, after hundreds of changes

Eigen::VectorXd randomUnit(int n, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Eigen::VectorXd v(n);
  for (double& x : v) x = normal(random);
  return v.normalized();
}

double inverseError(const ActiveSet& set) {
  if (set.size() == 0) return 0.0;
  const Eigen::MatrixXd A = set.normals();
  const Eigen::MatrixXd direct = (A.transpose() * A).fullPivLu().inverse();
  return (set.inverse() - direct).cwiseAbs().maxCoeff() / direct.cwiseAbs().maxCoeff();
}

TEST(ActiveSet, InverseMatchesHandComputedPair) {
  // a1 = e1, a2 = (e1 + e2) / sqrt 2:  A'A = [1 c; c 1], c = 1/sqrt 2, its inverse [2 -2c; -2c 2].
  ActiveSet set;
  set.reset(3);
  const double c = std::sqrt(0.5);
  ASSERT_TRUE(set.add(7, Eigen::Vector3d(1, 0, 0)));
  ASSERT_TRUE(set.add(4, Eigen::Vector3d(c, c, 0)));
  EXPECT_NEAR(set.inverse()(0, 0), 2.0, 1e-14);
  EXPECT_NEAR(set.inverse()(0, 1), -2.0 * c, 1e-14);
  EXPECT_NEAR(set.inverse()(1, 1), 2.0, 1e-14);
  EXPECT_EQ(set.find(4), 1);
  set.drop(0);
  EXPECT_EQ(set.size(), 1);
  EXPECT_EQ(set.find(4), 0);
  EXPECT_EQ(set.find(7), -1);
  EXPECT_NEAR(set.inverse()(0, 0), 1.0, 1e-14);
}

TEST(ActiveSet, RecursiveInverseStaysTheDirectOne) {
  std::mt19937 random(41);
  for (const int n : {1, 2, 5, 20, 60}) {
    ActiveSet set;
    set.reset(n);
    const int most = std::max(1, 3 * n / 4);  // a full random set is too ill-conditioned for the direct inverse
    for (int change = 0; change < 400; ++change) {
      const bool mustDrop = set.size() == most || (set.size() > 0 && random() % 5 < 2);
      if (mustDrop) set.drop(static_cast<int>(random() % static_cast<unsigned>(set.size())));
      else ASSERT_TRUE(set.add(change, randomUnit(n, random)));
      ASSERT_LT(inverseError(set), kRounding) << "n " << n << " change " << change;
    }
  }
}

TEST(ActiveSet, NearlyDependentNormalsDoNotSpoilTheInverse) {
  // Angles of 1e-4 to the span of the others: entries of the inverse reach 1e8, and must vanish when columns are
  // dropped.
  std::mt19937 random(42);
  constexpr int n = 12;
  ActiveSet set;
  set.reset(n);
  for (int i = 0; i < 6; ++i) ASSERT_TRUE(set.add(i, randomUnit(n, random)));
  for (int round = 0; round < 50; ++round) {
    Eigen::VectorXd near = set.normals() * randomUnit(set.size(), random);
    near = (near.normalized() + 1e-4 * randomUnit(n, random)).normalized();
    ASSERT_TRUE(set.add(100 + round, near));
    EXPECT_LT(inverseError(set), 1e-6);
    set.drop(set.find(100 + round));
    EXPECT_LT(inverseError(set), kRounding);
  }
}

TEST(ActiveSet, RefusesWhatTheOthersImply) {
  std::mt19937 random(43);
  ActiveSet set;
  set.reset(6);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(set.add(i, randomUnit(6, random)));
  const Eigen::MatrixXd before = set.inverse();
  EXPECT_FALSE(set.add(9, set.normals().col(2)));
  EXPECT_FALSE(set.add(9, -set.normals().col(0)));
  EXPECT_FALSE(set.add(9, (set.normals() * randomUnit(4, random)).normalized()));
  EXPECT_EQ(set.size(), 4);
  EXPECT_EQ(set.find(9), -1);
  EXPECT_EQ((set.inverse() - before).cwiseAbs().maxCoeff(), 0.0);
  ASSERT_TRUE(set.add(9, randomUnit(6, random)));
  ASSERT_TRUE(set.add(10, randomUnit(6, random)));
  EXPECT_FALSE(set.add(11, randomUnit(6, random))) << "six normals leave no room";
}

TEST(ActiveSet, ProjectsOntoWhatIsLeftAndSplitsTheGradient) {
  std::mt19937 random(44);
  ActiveSet set;
  set.reset(9);
  Eigen::VectorXd v = randomUnit(9, random), alpha;
  const Eigen::VectorXd g = v;
  set.project(v);
  EXPECT_EQ(v, g) << "nothing holds";
  for (int i = 0; i < 5; ++i) set.add(i, randomUnit(9, random));
  set.project(v);
  EXPECT_LT((set.normals().transpose() * v).cwiseAbs().maxCoeff(), 1e-14);
  set.computeMultipliers(g, alpha);
  EXPECT_LT((set.normals() * alpha.head(5) + v - g).cwiseAbs().maxCoeff(), 1e-14) << "g = A alpha + P g";
}

}  // namespace
}  // namespace limber::active_set_test
