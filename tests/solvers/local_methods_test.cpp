// SPDX-License-Identifier: MIT
// The local methods that Yenamandra et al. (2019) compare: the same problems for each of them.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "limber/kinematics/standard_figures.h"
#include "limber/solvers/registry.h"
#include "limber/solvers/steps/limit_penalty.h"
#include "support/allocation_count.h"
#include "support/awkward_figure.h"
#include "support/limited_figure.h"
#include "support/repetitions.h"

namespace limber::local_methods_test {
namespace {

constexpr double kKuhnTucker = 1e-5;  // projected gradient of a converged solve, relative to the steepest on its way

/// The accuracy of a solver within its iterations.
struct Promise {
  const char* name;
  int converged;            ///< of a hundred solves, the number that converge by its own test
  double farAbove = 1e-4;   ///< relative excess over a chain's minimum when all iterations are used
  double nearAbove = 1e-6;  ///< the same, for a minimum next to the start
  int trials = 200;         ///< fewer for one that spends all its iterations
};

class LocalMethod : public testing::TestWithParam<Promise> {
 protected:
  const Solver& solver = *findSolver(GetParam().name);
  const Solver& newton = *findSolver("newton");
  Workspace workspace;

  Summary solve(const Solver& method, const Objective& objective, Pose& pose) {
    return method.solve(objective, pose, defaultOptions(method), workspace, {}, Start::Here, nullptr);
  }

  double steepestOnTheWay() const {
    double steepest = 1.0;
    for (const IterationRecord& record : workspace.history) steepest = std::max(steepest, record.gradientNorm);
    return steepest;
  }
};

TEST_P(LocalMethod, ChainsFromStraightEndAtNewtonsMinimum) {
  for (const int n : {2, 3, 4, 5, 8, 10, 20, 30, 50}) {
    const Objective objective = test::makeChainObjective(n, {0.5 * n, 0.4 * n, 0.0});
    Pose pose = restPose(objective.figure()), best = pose;
    const Summary summary = solve(solver, objective, pose);
    const double minimum = solve(newton, objective, best).objective;
    // Conjugate gradients may spend all their iterations in the curved valley of a stiff target.
    const bool isAtEnd = summary.status == SolveStatus::Converged;
    EXPECT_TRUE(isAtEnd || GetParam().converged < 90) << n << ' ' << solveStatusName(summary.status);
    EXPECT_NEAR(summary.objective, minimum, (isAtEnd ? 1e-9 : GetParam().farAbove) * minimum) << n;
  }
}

TEST_P(LocalMethod, AwkwardFigureEndsAtKuhnTuckerPoints) {
  std::mt19937 random(61);
  const auto figure = test::makeAwkwardFigure();
  const int trials = GetParam().trials / 2;
  int converged = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const Objective objective = test::makeRandomObjective(figure, test::kAwkwardTips, random);
    Pose pose = test::randomPose(*figure, random);
    const Summary summary = solve(solver, objective, pose);
    EXPECT_TRUE(summary.status == SolveStatus::Converged || summary.status == SolveStatus::IterationCap ||
                summary.status == SolveStatus::Stalled);
    if (summary.status != SolveStatus::Converged) continue;
    ++converged;
    // A result of springs at a limit is not a Kuhn-Tucker point of the limits, unless no limit is violated.
    if (summary.overstep == 0.0) {
      EXPECT_LT(summary.gradientNorm, kKuhnTucker * steepestOnTheWay()) << trial;
    }
  }
  EXPECT_GE(converged, trials * GetParam().converged / 100);
}

TEST_P(LocalMethod, LimitedFiguresEndAtKuhnTuckerPoints) {
  std::mt19937 random(2026);
  const int trials = GetParam().trials;
  int converged = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const test::LimitedFigureOptions shape{.links = 2 + trial % 14,
                                           .withBalls = trial % 4 != 1,
                                           .withCouplings = trial % 3 != 1,
                                           .withLinearLimits = trial % 5 != 1};
    const auto figure = test::makeLimitedFigure(random, shape);
    const Objective objective =
        test::makeLimitedObjective(figure, 1 + trial % 3, trial % 2 == 0, random, trial % 7 < 4);
    Pose pose = test::randomPose(*figure, random);
    const Summary summary = solve(solver, objective, pose);
    ASSERT_NE(summary.status, SolveStatus::BadInput);
    EXPECT_LT(objective.feasibleSet().violation(pose), 1e-9);
    EXPECT_LE(summary.objective, summary.objectiveBefore);
    if (summary.status != SolveStatus::Converged) continue;
    ++converged;
    if (solver.limitHandling() == LimitHandling::Exact) {
      EXPECT_LT(summary.gradientNorm, kKuhnTucker * steepestOnTheWay()) << trial;
    }
  }
  EXPECT_GE(converged, trials * GetParam().converged / 100);
}

TEST_P(LocalMethod, AgreesWithNewtonNearAMinimum) {
  std::mt19937 random(62);
  std::uniform_real_distribution<double> uniform(-1e-3, 1e-3);
  const auto figure = test::makeAwkwardFigure();
  for (int trial = 0; trial < 20; ++trial) {
    test::ObjectiveOptions options;
    options.withLimits = solver.limitHandling() == LimitHandling::Exact;
    const Objective objective = test::makeRandomObjective(figure, test::kAwkwardTips, random, std::move(options));
    Pose pose = test::randomPose(*figure, random), start;
    if (solve(newton, objective, pose).status != SolveStatus::Converged) continue;
    Eigen::VectorXd aside(objective.activeCount()), scratch;
    for (double& entry : aside) entry = uniform(random);
    objective.move(pose, aside, scratch, start);
    Pose best = start;
    const double minimum = solve(newton, objective, best).objective;
    const Summary summary = solve(solver, objective, start);
    const double above = summary.status == SolveStatus::Converged ? 1e-9 : GetParam().nearAbove;
    EXPECT_NEAR(summary.objective, minimum, above * minimum) << trial;
  }
}

TEST_P(LocalMethod, LimitedFiguresAllocateNothingWhenWarmAndSlicesAgree) {
  std::mt19937 random(63);
  const OptionValues options = defaultOptions(solver);
  for (int trial = 0; trial < test::repetitions(GetParam().trials / 10, 2); ++trial) {
    const auto figure = test::makeLimitedFigure(random, {.links = 14});
    const Objective objective = test::makeLimitedObjective(figure, 2, trial % 3 == 0, random, true);
    const Pose start = test::randomPose(*figure, random);
    Workspace whole, sliced;
    Pose expected, pose;
    for (int again = 0; again < 3; ++again) {  // the evaluations change places: each must have been the first once
      expected = start;
      solver.solve(objective, expected, options, whole);
    }
    pose = start;
    const std::size_t before = test::allocationCount();
    const Summary once = solver.solve(objective, pose, options, whole);
    EXPECT_EQ(test::allocationCount() - before, 0u) << trial;
    EXPECT_TRUE(pose == expected) << trial;
    pose = start;
    Summary summary = solver.solve(objective, pose, options, sliced, {7});
    while (summary.status == SolveStatus::BudgetSpent)
      summary = solver.solve(objective, pose, options, sliced, {7}, Start::Resume);
    EXPECT_EQ(summary.status, once.status) << trial;
    EXPECT_EQ(summary.iterations(), once.iterations()) << trial;
    EXPECT_TRUE(pose == expected) << trial;
  }
}

INSTANTIATE_TEST_SUITE_P(, LocalMethod,
                         testing::Values(Promise{"trust-region", 98}, Promise{"lbfgs", 95},
                                         Promise{"lbfgs-penalty", 90}, Promise{"cg", 50},
                                         Promise{"trust-region-penalty", 80}, Promise{"cg-penalty", 50},
                                         Promise{"gdls-penalty", 0, 1e-2, 1e-5, 30}),
                         [](const auto& promise) {
                           std::string name(promise.param.name);
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

TEST(TrustRegion, LeavesTheSaddleOfAStraightChain) {
  const Solver& solver = *findSolver("trust-region");
  for (const int n : {2, 3, 10, 30, 100}) {
    const Objective objective = test::makeChainObjective(n, {0.5 * n, 0, 0});
    Pose pose = restPose(objective.figure());
    Workspace workspace;
    const Summary summary = solver.solve(objective, pose, defaultOptions(solver), workspace);
    if (n <= 30) {
      EXPECT_EQ(summary.status, SolveStatus::Converged) << n;
    }  // longer chains converge slowly along the valley
    EXPECT_LT(summary.objective, 0.5 * summary.objectiveBefore) << n;
  }
}

TEST(TrustRegion, StraightChainWithAnUnreachableGoalStaysStraight) {
  const Solver& solver = *findSolver("trust-region");
  const Objective objective = test::makeChainObjective(5, {9, 0, 0});
  Pose pose = restPose(objective.figure());
  Workspace workspace;
  EXPECT_EQ(solver.solve(objective, pose, defaultOptions(solver), workspace).status, SolveStatus::Converged);
  EXPECT_EQ(pose.coordinates.cwiseAbs().maxCoeff(), 0.0);
}

/// A pose of the figure and a step that leaves its limits.
Pose outsidePose(const Objective& objective, std::mt19937& random) {
  const Figure& figure = objective.figure();
  Eigen::VectorXd step = Eigen::VectorXd::Zero(figure.stepSize());
  std::uniform_real_distribution<double> uniform(-0.4, 0.4);
  for (const int c : objective.active()) step[c] = uniform(random);
  Pose pose = test::randomPose(figure, random), outside;
  objective.feasibleSet().project(pose);
  integrate(figure, pose, step, outside);
  objective.feasibleSet().couplings().apply(outside);
  return outside;
}

TEST(LimitPenalty, GradientMatchesCentralDifferences) {
  std::mt19937 random(64);
  constexpr double h = 1e-6;
  int overstepped = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const auto figure = test::makeLimitedFigure(random);
    const Objective objective = test::makeLimitedObjective(figure, 2, true, random);
    LimitPenalty penalty;
    penalty.reset(objective, 3.0);
    const Pose pose = outsidePose(objective, random);
    if (objective.feasibleSet().violation(pose) > 1e-3) ++overstepped;
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(objective.activeCount());
    penalty.addGradient(pose, gradient);
    for (int k = 0; k < objective.activeCount(); ++k) {
      double values[2];
      for (const int side : {0, 1}) {
        Eigen::VectorXd step = Eigen::VectorXd::Zero(figure->stepSize());
        step[objective.active()[static_cast<std::size_t>(k)]] = side == 0 ? -h : h;
        Pose moved;
        integrate(*figure, pose, step, moved);
        objective.feasibleSet().couplings().apply(moved);
        values[side] = penalty.value(moved);
      }
      EXPECT_NEAR(gradient[k], (values[1] - values[0]) / (2 * h), 1e-5 * (1.0 + gradient.cwiseAbs().maxCoeff()))
          << trial << ", coordinate " << k;
    }
  }
  EXPECT_GT(overstepped, 80);
}

TEST(LimitPenalty, IsZeroInside) {
  std::mt19937 random(65);
  for (int trial = 0; trial < 50; ++trial) {
    const auto figure = test::makeLimitedFigure(random);
    const Objective objective = test::makeLimitedObjective(figure, 2, true, random);
    Pose pose = test::randomPose(*figure, random);
    objective.feasibleSet().project(pose);
    LimitPenalty penalty;
    penalty.reset(objective, 1.0);
    EXPECT_LT(penalty.value(pose), 1e-20);
  }
}

TEST(LimitPenalty, CurvatureMatchesDifferencesOfTheGradientForIntervals) {
  std::mt19937 random(67);
  constexpr double h = 1e-6;
  int stretched = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const auto figure = test::makeLimitedFigure(
        random, {.withBalls = false, .withCouplings = false, .withLinearLimits = trial % 2 == 0});
    const Objective objective = test::makeLimitedObjective(figure, 2, true, random);
    LimitPenalty penalty;
    penalty.reset(objective, 3.0);
    const Pose pose = outsidePose(objective, random);
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(objective.activeCount()), v = gradient, image = gradient, scratch;
    penalty.addGradient(pose, gradient);
    stretched += gradient.norm() > 0.0;
    for (double& entry : v) entry = std::uniform_real_distribution<double>(-1.0, 1.0)(random);
    penalty.addCurvature(v, image);
    Eigen::VectorXd change = Eigen::VectorXd::Zero(objective.activeCount());
    for (const double side : {-1.0, 1.0}) {
      Eigen::VectorXd step = Eigen::VectorXd::Zero(figure->stepSize()), there = Eigen::VectorXd::Zero(change.size());
      for (int k = 0; k < v.size(); ++k) step[objective.active()[static_cast<std::size_t>(k)]] = side * h * v[k];
      Pose moved;
      integrate(*figure, pose, step, moved);
      penalty.addGradient(moved, there);
      change += side * there / (2.0 * h);
    }
    EXPECT_LT((image - change).norm(), 1e-6 * (1.0 + image.norm())) << trial;
  }
  EXPECT_GT(stretched, 30);
}

constexpr const char* kPenaltyMethods[] = {"gdls-penalty", "trust-region-penalty", "cg-penalty", "lbfgs-penalty"};

/// The course of a solve: the largest violation of a limit by any iterate, and whether F, f with the springs, ever
/// rose.
struct PenaltyWatch final : Observer {
  PenaltyWatch(const Objective& watched, double lambda) : objective(watched) {
    penalty.reset(watched, springStiffness(watched, lambda));
  }
  bool onIteration(const IterationRecord& record, const Pose& pose) override {
    worst = std::max(worst, objective.feasibleSet().violation(pose));
    const double f = objective.evaluate(pose, evaluation) + penalty.value(pose);
    EXPECT_NEAR(record.objective, f, 1e-12 * (1.0 + std::abs(f)));
    hasRisen |= record.objective > last;
    last = record.objective;
    return true;
  }
  const Objective& objective;
  LimitPenalty penalty;
  Evaluation evaluation;
  double worst = 0.0, last = std::numeric_limits<double>::infinity();
  bool hasRisen = false;
};

TEST(PenaltyMethods, OverstepByNoMoreThanTheSpringsAllowAndNeverRise) {
  for (const char* name : kPenaltyMethods) {
    SCOPED_TRACE(name);
    const Solver& solver = *findSolver(name);
    ASSERT_EQ(solver.options().back().name, "lambda");
    std::mt19937 random(66);
    double sum[3] = {0.0, 0.0, 0.0};
    for (int trial = 0; trial < test::repetitions(30, 6); ++trial) {
      const auto figure = test::makeLimitedFigure(random, {.withCouplings = false, .withLinearLimits = false});
      const Objective objective = test::makeLimitedObjective(figure, 2, false, random);
      const Pose start = test::randomPose(*figure, random);
      const double longest = std::max(1.0, figure->meanLinkLength());  // a slide's limit counts by 1 / L^2
      int which = 0;
      for (const double lambda : {1.0, 100.0, 1e4}) {
        OptionValues options = defaultOptions(solver);
        options.back() = lambda;
        Workspace workspace;
        PenaltyWatch watch(objective, lambda);
        Pose pose = start;
        const Summary summary = solver.solve(objective, pose, options, workspace, {}, Start::Here, &watch);
        EXPECT_LE(watch.worst,
                  longest * std::sqrt(summary.objectiveBefore / springStiffness(objective, lambda)) + 1e-9);
        EXPECT_FALSE(watch.hasRisen);
        EXPECT_LE(summary.overstep, watch.worst);
        EXPECT_LE(summary.objective, summary.objectiveBefore);
        EXPECT_LT(objective.feasibleSet().violation(pose), 1e-9);
        EXPECT_EQ(workspace.springs, nullptr);
        sum[which++] += summary.overstep;
      }
    }
    EXPECT_LT(sum[1], 0.5 * sum[0]) << "stiffer springs give way less";
    EXPECT_LT(sum[2], 0.5 * sum[1]);
  }
}

TEST(PenaltyMethods, EndAtTheSameMinimumFromNearIt) {
  std::mt19937 random(68);
  int compared = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const auto figure = test::makeLimitedFigure(random, {.withCouplings = false});
    const Objective objective = test::makeLimitedObjective(figure, 2, true, random);
    Pose start = test::randomPose(*figure, random);
    const double lambda = 100.0;
    double least = 0.0;
    for (const char* name : {"trust-region-penalty", "cg-penalty", "lbfgs-penalty"}) {
      const Solver& solver = *findSolver(name);
      Workspace workspace;
      PenaltyWatch watch(objective, lambda);
      Pose pose = start;
      const Summary summary = solver.solve(objective, pose, defaultOptions(solver), workspace, {}, Start::Here, &watch);
      if (std::string_view(name) == "trust-region-penalty") {
        if (summary.status != SolveStatus::Converged) break;
        start = pose;
        least = watch.last;
        continue;
      }
      if (summary.status != SolveStatus::Converged || summary.iterations() == 0) continue;
      EXPECT_NEAR(watch.last, least, 1e-6 * (1.0 + least)) << name << ", " << trial;
      ++compared;
    }
  }
  EXPECT_GT(compared, 20);
}

}  // namespace
}  // namespace limber::local_methods_test
