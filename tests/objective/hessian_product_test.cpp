// SPDX-License-Identifier: MIT
#include "limber/objective/sweep/hessian_product.h"

#include <gtest/gtest.h>

#include "support/allocation_count.h"
#include "support/awkward_figure.h"
#include "support/limited_figure.h"

namespace limber::hessian_product_test {
namespace {

constexpr double kTolerance = 1e-12;  // of |H| |v|, both by their largest entries

/// Random v against the dense Hessian at a random pose; also with single coordinates, which show every entry.
void expectProductsMatch(const Objective& objective, std::mt19937& random) {
  Evaluation evaluation;
  Eigen::VectorXd gradient, product;
  Eigen::MatrixXd hessian;
  objective.evaluate(test::randomPose(objective.figure(), random), evaluation);
  objective.computeGradient(evaluation, gradient);
  HessianProduct products;
  products.prepare(objective, evaluation);
  objective.computeHessian(evaluation, hessian);
  const int n = objective.activeCount();
  const double scale = hessian.size() > 0 ? hessian.cwiseAbs().maxCoeff() : 0.0;
  for (int k = 0; k < n; ++k) {
    products.apply(Eigen::VectorXd::Unit(n, k), product);
    EXPECT_LE((product - hessian.col(k)).cwiseAbs().maxCoeff(), kTolerance * scale) << "column " << k;
  }
  Eigen::VectorXd v(n);
  for (double& entry : v) entry = std::uniform_real_distribution<double>(-1.0, 1.0)(random);
  products.apply(v, product);
  EXPECT_LE((product - hessian * v).cwiseAbs().maxCoeff(), n * kTolerance * scale);
}

TEST(HessianProduct, MatchesTheDenseHessianOnTheAwkwardFigure) {
  std::mt19937 random(51);
  const auto figure = test::makeAwkwardFigure();
  for (int trial = 0; trial < 50; ++trial)
    expectProductsMatch(test::makeRandomObjective(figure, test::kAwkwardTips, random), random);
}

TEST(HessianProduct, MatchesWhereCoordinatesFollowOthersAndPosesAreKept) {
  std::mt19937 random(52);
  for (int trial = 0; trial < 100; ++trial) {
    const auto figure = trial % 2 ? test::makeCoupledFigure() : test::makeBallLedFigure();
    const std::vector<double> rigidities(static_cast<std::size_t>(figure->linkCount()), 0.3);
    test::ObjectiveOptions options;
    options.keepPoses.emplace_back(*figure, test::randomPose(*figure, random), 7.0, rigidities);
    expectProductsMatch(test::makeRandomObjective(figure, test::kAwkwardTips, random, std::move(options)), random);
  }
}

TEST(HessianProduct, MatchesWhereLinksStayAndAForceIsLimited) {
  std::mt19937 random(54);
  for (int trial = 0; trial < 50; ++trial) {
    test::ObjectiveOptions options;
    options.stayWeight = 300.0;
    options.forceLimit = 0.5;
    expectProductsMatch(test::makeRandomObjective(trial % 2 ? test::makeCoupledFigure() : test::makeAwkwardFigure(),
                                                  test::kAwkwardTips, random, std::move(options)),
                        random);
  }
}

TEST(HessianProduct, MatchesWithGoalsOfEveryKindThatJoinLinks) {
  std::mt19937 random(53);
  for (int trial = 0; trial < 200; ++trial) {
    const auto figure = test::makeLimitedFigure(random, {.links = 2 + trial % 14});
    expectProductsMatch(test::makeLimitedObjective(figure, 1 + trial % 4, trial % 2 == 0, random, true), random);
  }
}

TEST(HessianProduct, MatchesOnPlanarChains) {
  std::mt19937 random(54);
  for (const int n : {1, 2, 10, 50}) expectProductsMatch(test::makeChainObjective(n, {0.4 * n, 0.3 * n, 0}), random);
}

TEST(HessianProduct, AllocatesNothingWhenWarm) {
  std::mt19937 random(55);
  const auto figure = test::makeBallLedFigure();
  const Objective objective = test::makeRandomObjective(figure, test::kAwkwardTips, random);
  Evaluation evaluation;
  Eigen::VectorXd gradient, product, v = Eigen::VectorXd::Ones(objective.activeCount());
  objective.evaluate(test::randomPose(*figure, random), evaluation);
  objective.computeGradient(evaluation, gradient);
  HessianProduct products;
  products.prepare(objective, evaluation);
  products.apply(v, product);
  const std::size_t before = test::allocationCount();
  products.prepare(objective, evaluation);
  products.apply(v, product);
  EXPECT_EQ(test::allocationCount() - before, 0u);
}

}  // namespace
}  // namespace limber::hessian_product_test
