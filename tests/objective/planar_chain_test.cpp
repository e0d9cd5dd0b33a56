// SPDX-License-Identifier: MIT
// The planar chain against its objective, and its Newton step against a dense one in long double.
#include "limber/objective/sweep/planar_system.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <cstring>

#include "limber/goals/direction_goal.h"
#include "limber/goals/position_goal.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/vector/processor.h"
#include "support/awkward_figure.h"
#include "support/dense_algebra.h"
#include "support/planar_figure.h"

namespace limber::planar_chain_test {
namespace {

using Real = long double;
using RealMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using RealVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

/// f of a chain over the turns of its hinges, by its definition, in long double.
struct DenseChain {
  DenseChain(const PlanarChain& chain, const PlanarSystem& system, const PlanarPulls& multipliers)
      : gradient(RealVector::Zero(chain.count())), hessian(RealMatrix::Zero(chain.count(), chain.count())) {
    const int n = chain.count();
    for (std::size_t k = 0; k < chain.goals().size(); ++k) {
      const PlanarGoal& goal = chain.goals()[k];
      // Where the hinges stand, relative to the goal's point: J_j = across(point - hinge_j).
      std::vector<Real> x(static_cast<std::size_t>(n) + 1, 0), y = x;
      Real px = 0, py = 0;
      for (int i = 0; i <= goal.segment; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Real c = std::cos(static_cast<Real>(system.direction(i))),
                   s = std::sin(static_cast<Real>(system.direction(i)));
        x[at] = px;
        y[at] = py;
        if (i < goal.segment) {
          px += chain.lengths()[at] * c;
          py += chain.lengths()[at] * s;
        } else {
          px += goal.end.x() * c - goal.end.y() * s;
          py += goal.end.x() * s + goal.end.y() * c;
        }
      }
      const Real ex = px - goal.target.x(), ey = py - goal.target.y(), w = goal.weight;
      const Real nuX = multipliers[k].x(), nuY = multipliers[k].y();
      for (int i = 0; i <= goal.segment; ++i) {
        const Real rx = px - x[static_cast<std::size_t>(i)], ry = py - y[static_cast<std::size_t>(i)];
        gradient[i] += w * (ey * rx - ex * ry);
        for (int j = 0; j <= i; ++j) {  // j is nearer to the base: the second derivative is that of hinge i alone
          const Real sx = px - x[static_cast<std::size_t>(j)], sy = py - y[static_cast<std::size_t>(j)];
          const Real entry = w * (rx * sx + ry * sy) - (nuX * rx + nuY * ry);
          hessian(i, j) += entry;
          if (i != j) hessian(j, i) += entry;
        }
      }
    }
    for (int i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Real before = i > 0 ? system.direction(i - 1) : 0.0;
      gradient[i] += chain.stiffnesses()[at] * (system.direction(i) - before - chain.rests()[at]);
      hessian(i, i) += chain.stiffnesses()[at];
    }
  }

  RealVector gradient;
  RealMatrix hessian;
};

PlanarPulls exactMultipliers(const PlanarChain& chain, const PlanarSystem& system) {
  PlanarPulls result;
  for (std::size_t k = 0; k < chain.goals().size(); ++k)
    result.push_back(chain.goals()[k].weight * system.residuals()[k]);
  return result;
}

double uniform(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

TEST(PlanarChain, HasTheValueAndGradientOfItsObjective) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const Objective objective = test::makePlanarObjective(
        {.hinges = 1 + trial % 40, .goals = 1 + trial % 3, .isAwkward = trial % 5 != 0}, random);
    const Pose pose = test::randomPlanarPose(objective, 1.0, random);
    PlanarChain chain;
    PlanarSystem system;
    ASSERT_TRUE(chain.take(objective, pose)) << trial;
    system.bind(chain);
    system.place(pose);
    Evaluation evaluation;
    Eigen::VectorXd gradient;
    const double f = objective.evaluate(pose, evaluation);
    objective.computeGradient(evaluation, gradient);
    EXPECT_NEAR(system.objective(), f, 1e-12 * f);
    const double largest = gradient.cwiseAbs().maxCoeff();
    EXPECT_NEAR(system.gradientNorm(), largest, 1e-11 * (1.0 + largest));
    Eigen::VectorXd own;
    system.copyGradient(own);
    EXPECT_LT((own - gradient).cwiseAbs().maxCoeff(), 1e-11 * (1.0 + largest));
    // There and back.
    Pose again = pose;
    system.writePose(again);
    EXPECT_LT((again.coordinates - pose.coordinates).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(PlanarChain, ItsStepGoesDownTheObjectivesSlope) {
  // Finite differences of the Objective's own f along the step: slope, and curvature g'd + d'Hd = 0 of an exact step.
  std::mt19937 random(2);
  int tried = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Objective objective = test::makePlanarObjective({.hinges = 1 + trial % 50, .goals = 1 + trial % 3}, random);
    Pose pose = test::randomPlanarPose(objective, 0.6, random);
    PlanarChain chain;
    PlanarSystem system;
    ASSERT_TRUE(chain.take(objective, pose));
    system.bind(chain);
    system.place(pose);
    double lambda = 0.0;
    while (!system.factor(exactMultipliers(chain, system), lambda)) lambda = std::max(1.0, 2.0 * lambda);
    system.step(PlanarPulls(chain.goals().size(), Eigen::Vector2d::Zero()));
    Eigen::VectorXd turns;
    system.copyStep(turns);
    Evaluation evaluation;
    const auto f = [&](double part) {
      system.placeBy([&, direction = 0.0, turned = 0.0](int i) mutable {
        direction = chain.angle(i, direction, pose);
        turned += part * turns[i];
        return direction + turned;
      });
      Pose moved = pose;
      system.writePose(moved);
      return objective.evaluate(moved, evaluation);
    };
    const double decrement = system.decrement(), h = 1e-3 / system.largestSwing();
    const double slope = (f(h) - f(-h)) / (2.0 * h), bend = (f(h) - 2.0 * f(0.0) + f(-h)) / (h * h);
    EXPECT_NEAR(slope, -decrement, 1e-4 * decrement) << trial;
    EXPECT_NEAR(bend + lambda * turns.squaredNorm(), decrement, 1e-4 * decrement + 1e-14 * f(0.0) / (h * h)) << trial;
    ++tried;
  }
  EXPECT_EQ(tried, 100);
}

TEST(PlanarSystem, StepIsThatOfALongDoubleDenseSolution) {
  std::mt19937 random(3);
  double worst = 0.0;
  for (int trial = 0; trial < 400; ++trial) {
    const int n = trial % 20 == 0 ? 100 : 1 + static_cast<int>(uniform(random, 0.0, 1.0) * 60.0);
    const Objective objective =
        test::makePlanarObjective({.hinges = n, .goals = 1 + trial % 3, .isAwkward = trial % 4 != 0}, random);
    const Pose pose = test::randomPlanarPose(objective, trial % 2 == 0 ? 0.1 : 1.0, random);
    PlanarChain chain;
    PlanarSystem system;
    ASSERT_TRUE(chain.take(objective, pose));
    system.bind(chain);
    system.place(pose);
    PlanarPulls multipliers = exactMultipliers(chain, system);
    for (Eigen::Vector2d& nu : multipliers)
      nu *= uniform(random, 0.0, 1.2);  // not those of f: as in a primal-dual step
    double lambda = 0.0;
    while (!system.factor(multipliers, lambda)) lambda = std::max(1e-3, 5.0 * lambda);
    system.step(PlanarPulls(chain.goals().size(), Eigen::Vector2d::Zero()));
    Eigen::VectorXd turns;
    system.copyStep(turns);
    DenseChain dense(chain, system, multipliers);
    dense.hessian.diagonal().array() += lambda;
    const RealVector expected = test::solveSymmetric(dense.hessian, -dense.gradient);
    const double error = static_cast<double>((turns.cast<Real>() - expected).norm() / expected.norm());
    worst = std::max(worst, error);
    EXPECT_LT(error, 1e-9) << "n " << n << ", goals " << 1 + trial % 3 << ", trial " << trial;
    const double decrement = static_cast<double>(-dense.gradient.dot(expected));
    EXPECT_NEAR(system.decrement(), decrement, 1e-9 * decrement);
  }
  RecordProperty("worst", std::to_string(worst));
}

TEST(PlanarSystem, SecondOrderCorrectionAnswersToTheResidualsLeft) {
  std::mt19937 random(4);
  for (const int goals : {1, 2}) {
    const Objective objective = test::makePlanarObjective({.hinges = 45, .goals = goals}, random);
    const Pose pose = test::randomPlanarPose(objective, 0.5, random);
    PlanarChain chain;
    PlanarSystem system;
    ASSERT_TRUE(chain.take(objective, pose));
    system.bind(chain);
    system.place(pose);
    const PlanarPulls zero(chain.goals().size(), Eigen::Vector2d::Zero());
    ASSERT_TRUE(system.factor(zero, 1e-2));
    PlanarPulls beyond = zero;
    for (Eigen::Vector2d& b : beyond) b = {0.3, -0.7};
    DenseChain dense(chain, system, zero);
    dense.hessian.diagonal().array() += 1e-2;
    system.step(zero);
    Eigen::VectorXd plain, corrected;
    system.copyStep(plain);
    const double decrement = system.decrement();
    system.step(beyond);
    system.copyStep(corrected);
    // The same factors: back to the plain step gives it again.
    system.step(zero);
    Eigen::VectorXd again;
    system.copyStep(again);
    EXPECT_EQ(again, plain);
    EXPECT_EQ(system.decrement(), decrement);
    // The difference solves for the force of the residuals beyond.
    const RealVector difference = (corrected - plain).cast<Real>();
    const RealVector force = dense.hessian * difference;
    RealVector expected = RealVector::Zero(chain.count());
    for (int i = 0; i < chain.count(); ++i) {
      PlanarPulls unit = zero;
      for (std::size_t k = 0; k < chain.goals().size(); ++k) {
        Real px = 0, py = 0;
        for (int j = i; j <= chain.goals()[k].segment; ++j) {
          const Real c = std::cos(static_cast<Real>(system.direction(j))),
                     s = std::sin(static_cast<Real>(system.direction(j)));
          const PlanarGoal& goal = chain.goals()[k];
          const Real lx =
              j < goal.segment ? static_cast<Real>(chain.lengths()[static_cast<std::size_t>(j)]) : goal.end.x();
          const Real ly = j < goal.segment ? 0 : static_cast<Real>(goal.end.y());
          px += lx * c - ly * s;
          py += lx * s + ly * c;
        }
        if (i <= chain.goals()[k].segment)
          expected[i] -= chain.goals()[k].weight * (-py * beyond[k].x() + px * beyond[k].y());
      }
    }
    EXPECT_LT(static_cast<double>((force - expected).norm() / expected.norm()), 1e-8);
  }
}

TEST(PlanarSystem, VerdictIsNeverWrong) {
  // 10,000 random states, damped such that they are just definite or just indefinite, against Cholesky in long double.
  std::mt19937 random(5);
  int wrong = 0, definite = 0, marginal = 0;
  for (int trial = 0; trial < 10000; ++trial) {
    const int n = trial % 10 == 0 ? 32 + trial / 10 % 30 : 1 + trial % 16;
    const Objective objective =
        test::makePlanarObjective({.hinges = n, .goals = trial % 4 == 3 ? 2 : 1, .isAwkward = trial % 2 == 0}, random);
    const Pose pose = test::randomPlanarPose(objective, trial % 3 == 0 ? 2.0 : 0.3, random);
    PlanarChain chain;
    PlanarSystem system;
    ASSERT_TRUE(chain.take(objective, pose));
    system.bind(chain);
    system.place(pose);
    const PlanarPulls multipliers = exactMultipliers(chain, system);
    const double lambda = trial % 5 == 0 ? 0.0 : std::pow(10.0, uniform(random, -3.0, 6.0));
    const bool says = system.factor(multipliers, lambda);
    marginal += chain.goals().size() == 1 && system.usedRiccati();
    DenseChain dense(chain, system, multipliers);
    dense.hessian.diagonal().array() += lambda;
    const bool is = test::isPositiveDefinite(dense.hessian);
    wrong += says != is;
    definite += is;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(definite, 1000);
  EXPECT_LT(definite, 9000);
  EXPECT_LT(marginal, 500) << "the fast sweep should be trusted nearly always";
}

TEST(PlanarSystem, BothFormsTakeTheSameStep) {
  std::mt19937 random(6);
  for (const int n : {1, 5, 6, 7, 31, 32, 99, 100, 101, 300, 1000, 4001}) {
    const Objective objective = test::makePlanarObjective({.hinges = n, .goals = 1, .isAwkward = n < 1000}, random);
    const Pose pose = test::randomPlanarPose(objective, 1.0 / std::sqrt(n), random);
    PlanarChain chain;
    PlanarSystem system;
    ASSERT_TRUE(chain.take(objective, pose));
    system.bind(chain);
    system.place(pose);
    const PlanarPulls zero{Eigen::Vector2d::Zero()}, multipliers{Eigen::Vector2d(3.0, -2.0)};
    double lambda = 0.0;
    while (!system.factor(multipliers, lambda)) lambda = std::max(1e-3, 5.0 * lambda);
    ASSERT_FALSE(system.usedRiccati()) << n;
    system.step(zero);
    Eigen::VectorXd fast, sound;
    system.copyStep(fast);
    system.useRiccati();
    system.step(zero);
    system.copyStep(sound);
    EXPECT_LT((fast - sound).norm(), (n <= 300 ? 1e-9 : 1e-6) * sound.norm()) << n;
  }
}

TEST(PlanarSystem, FaintAndStrongPullsAreJudgedAsSoundly) {
  const PlanarPulls zero{Eigen::Vector2d::Zero()};  // without curvature H is positive definite, however it is scaled
  for (const int n : {1, 2, 3, 4, 7, 10, 15})
    for (const double weight : {1e-60, 1e-31, 1e-29, 1.0, 1e20, 1e50, 1e150}) {
      const Objective objective = test::makeChainObjective(n, {0.3 * n, 0.4 * n, 0.0}, 1e3 * weight, weight);
      PlanarChain chain;
      PlanarSystem system;
      Pose pose = restPose(objective.figure());
      pose.coordinates.setConstant(0.1);
      ASSERT_TRUE(chain.take(objective, pose));
      system.bind(chain);
      system.place(pose);
      ASSERT_TRUE(system.factor(zero, 0.0)) << n << " " << weight;
      system.step(zero);
      Eigen::VectorXd fast, sound;
      system.copyStep(fast);
      system.useRiccati();
      system.step(zero);
      system.copyStep(sound);
      EXPECT_LT((fast - sound).norm(), 1e-9 * sound.norm()) << n << " " << weight;
    }
}

TEST(PlanarKernels, GiveTheSameBitsInEveryWidth) {
  if (!hasAvx2()) GTEST_SKIP() << "no AVX2 code here";
  std::mt19937 random(7);
  const std::pair<int, int> shapes[] = {{4, 37}, {8, 37}, {2, 2}, {2, 4}, {2, 6}, {2, 8}};
  for (const auto& [lanes, rowCount] : shapes) {
    const int size = rowCount * lanes;
    std::vector<double> length(static_cast<std::size_t>(size)), stiffness = length, rest = length, angle = length;
    for (int i = 0; i < size; ++i) {
      const auto at = static_cast<std::size_t>(i);
      length[at] = uniform(random, 0.1, 2.0);
      stiffness[at] = uniform(random, 0.1, 5.0);
      rest[at] = uniform(random, -0.3, 0.3);
      angle[at] = uniform(random, -9.0, 9.0);
    }
    PlanarRows rows{lanes, rowCount, length.data(), stiffness.data(), rest.data()};
    if (isFolded(rows)) {
      for (auto* array : {&length, &stiffness, &rest})
        array->at(static_cast<std::size_t>(size - 1)) = 0.0;  // no segment
      rows.inwardStiffness = stiffness.data();
      rows.inwardRest = rest.data();
    }
    std::vector<std::vector<double>> results;
    for (const bool wide : {false, true}) {
      const PlanarKernels& kernels = planarKernels(rows, wide);
      std::vector<std::vector<double>> memory(15, std::vector<double>(static_cast<std::size_t>(size)));
      memory[0] = angle;
      const PlanarAngles from{memory[0].data(), memory[1].data(), memory[2].data(), memory[11].data(),
                              memory[12].data()};
      const PlanarAngles to{memory[3].data(), memory[4].data(), memory[5].data(), memory[13].data(), memory[14].data()};
      const PlanarFactors factors{memory[6].data(), memory[7].data(), memory[8].data(), memory[9].data(),
                                  memory[10].data()};
      const PlanarQuestion question{.target = {1.0, 2.0, 0.0, 0.0},
                                    .residual = {0.1, 0.2},
                                    .wanted = {0.1, 0.3},
                                    .multiplier = {0.3, -0.2},
                                    .damping = 2.0,
                                    .weight = 1e3,
                                    .compliance = 1e-3,
                                    .constant = 0.5,
                                    .reach = 100.0};
      PlanarSums sums;
      PlanarTrial trial;
      PlanarEnds ends{};
      PlanarMiddle middle{};
      kernels.evaluate(rows, from, sums);
      if (isFolded(rows)) {
        kernels.solve(rows, from, question, to, trial);
        kernels.examine(rows, from, question, middle);
      } else {
        kernels.forward(rows, question, from, factors, ends);
        PlanarAnswer answer{{}, {0.1, 0.2}, {0.3, 0.4}};
        std::copy(std::begin(ends.bend), std::end(ends.bend), answer.end);
        kernels.back(rows, question, factors, answer, from, to, trial);
      }
      std::vector<double> all{sums.x,
                              sums.y,
                              sums.bending,
                              trial.residual[0],
                              trial.residual[1],
                              trial.multiplier[0],
                              trial.multiplier[1],
                              trial.bending,
                              trial.squared,
                              trial.largest,
                              trial.swing,
                              trial.objective,
                              trial.decrement,
                              double(trial.isGood),
                              double(trial.isDefinite),
                              ends.negatives,
                              middle.xx,
                              middle.determinant,
                              middle.magnitude,
                              middle.pivot,
                              middle.difference,
                              double(middle.negatives),
                              middle.largestCarry,
                              kernels.gradientNorm(rows, from, 1.0, 2.0)};
      for (const double number : all) EXPECT_TRUE(std::isfinite(number));
      for (const auto& array : memory) all.insert(all.end(), array.begin(), array.end());
      all.insert(all.end(), ends.xx, ends.xx + lanes);
      all.insert(all.end(), ends.spikeY, ends.spikeY + lanes);
      results.push_back(std::move(all));
    }
    ASSERT_EQ(results[0].size(), results[1].size());
    EXPECT_EQ(std::memcmp(results[0].data(), results[1].data(), results[0].size() * sizeof(double)), 0) << lanes;
  }
}

TEST(PlanarChain, RefusesWhatIsNone) {
  std::mt19937 random(8);
  PlanarChain chain;
  {
    const Objective limited = test::makePlanarObjective({.hinges = 5, .hasIdleLimit = true}, random);
    EXPECT_FALSE(chain.take(limited, restPose(limited.figure())));
    const Objective loose = test::makePlanarObjective({.hinges = 5, .isAwkward = false, .restWeight = 0.0}, random);
    EXPECT_FALSE(chain.take(loose, restPose(loose.figure())));
    const Objective unweighted = test::makeChainObjective(3, {1, 1, 0}, 0.0);
    EXPECT_FALSE(chain.take(unweighted, restPose(unweighted.figure())));
    const Objective infinite = test::makeChainObjective(3, {std::numeric_limits<double>::infinity(), 1, 0});
    EXPECT_FALSE(chain.take(infinite, restPose(infinite.figure())));
  }
  const auto figure = test::makeAwkwardFigure();
  const Objective tree = test::makeRandomObjective(figure, test::kAwkwardTips, random);
  EXPECT_FALSE(chain.take(tree, restPose(*figure)));
  const auto balls = makeBallChain(3);
  const int tip[] = {2};
  const Objective ball = test::makeRandomObjective(balls, tip, random);
  EXPECT_FALSE(chain.take(ball, restPose(*balls)));
  const auto arm = makeArm();  // hinges about y and z
  const int hand[] = {6};
  test::ObjectiveOptions free;
  free.withLimits = false;
  const Objective spatial = test::makeRandomObjective(arm, hand, random, std::move(free));
  EXPECT_FALSE(chain.take(spatial, restPose(*arm)));
}

}  // namespace
}  // namespace limber::planar_chain_test
