// SPDX-License-Identifier: MIT
// Properties of the default solver in thousands of random solves, on random figures with every kind of limit and goal.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "limber/solvers/registry.h"
#include "support/allocation_count.h"
#include "support/awkward_figure.h"
#include "support/limited_figure.h"
#include "support/repetitions.h"

namespace limber::limits_fuzz_test {
namespace {

constexpr double kFeasible = 1e-9;     // radians, metres
constexpr double kWellOutside = 1e-5;  // enough that a penalty exceeds the rounding of f
constexpr double kKuhnTucker = 1e-5;   // projected gradient of a converged solve, relative to the steepest on its way

/// Checks each iterate: inside the set, finite, f not above the last.
class Watch final : public Observer {
 public:
  explicit Watch(const Objective& objective) : objective_(objective) {}

  bool onIteration(const IterationRecord& record, const Pose& pose) override {
    const double outside = objective_.feasibleSet().violation(pose);
    worst = std::max(worst, outside);
    if (outside > kWellOutside) isPaidFor = isPaidFor && record.objective > objective_.evaluate(pose, evaluation_);
    isFinite = isFinite && std::isfinite(record.objective) && pose.coordinates.allFinite();
    isMonotone = isMonotone && record.objective <= last_;
    last_ = record.objective;
    return true;
  }

  double worst = 0.0;
  bool isFinite = true, isMonotone = true;
  bool isPaidFor = true;  ///< outside the set, the record's objective is more than f: a penalty

 private:
  const Objective& objective_;
  Evaluation evaluation_;
  double last_ = std::numeric_limits<double>::infinity();
};

TEST(LimitsFuzz, NewtonStaysFeasibleAndMonotoneAndConverges) {
  std::mt19937 random(2026);
  const Solver& newton = *findSolver("newton");
  const OptionValues options = defaultOptions(newton);
  Workspace workspace;
  const int kSolves = test::repetitions(3000, 300);
  int converged = 0;
  std::vector<int> iterations;
  for (int trial = 0; trial < kSolves; ++trial) {
    SCOPED_TRACE(trial);
    const test::LimitedFigureOptions shape{.links = 2 + trial % 14,
                                           .withBalls = trial % 4 != 1,
                                           .withCouplings = trial % 3 != 1,
                                           .withLinearLimits = trial % 5 != 1,
                                           .withBallCouplings = trial % 11 < 5};
    const auto figure = test::makeLimitedFigure(random, shape);
    const Objective objective =
        test::makeLimitedObjective(figure, 1 + trial % 3, trial % 2 == 0, random, trial % 7 < 4);
    Pose pose = test::randomPose(*figure, random);
    Watch watch(objective);
    const Summary summary = newton.solve(objective, pose, options, workspace, {}, Start::Here, &watch);
    ASSERT_NE(summary.status, SolveStatus::BadInput);
    EXPECT_LT(watch.worst, kFeasible);
    EXPECT_LT(objective.feasibleSet().violation(pose), kFeasible);
    EXPECT_TRUE(watch.isFinite);
    EXPECT_TRUE(watch.isMonotone);
    EXPECT_LE(summary.objective, summary.objectiveBefore);
    if (summary.status != SolveStatus::Converged) continue;
    ++converged;
    iterations.push_back(summary.iterations());
    double steepest = 1.0;
    for (const IterationRecord& record : workspace.history) steepest = std::max(steepest, record.gradientNorm);
    EXPECT_LT(summary.gradientNorm, kKuhnTucker * steepest);
  }
  EXPECT_GE(converged, kSolves * 99 / 100);
  std::sort(iterations.begin(), iterations.end());
  const auto at = [&](double part) {
    return iterations[static_cast<std::size_t>(part * static_cast<double>(iterations.size() - 1))];
  };
  RecordProperty("converged", converged);
  RecordProperty("median iterations", at(0.5));
  std::printf("converged %d of %d, iterations: median %d, 90 %% %d, 99 %% %d, most %d\n", converged, kSolves, at(0.5),
              at(0.9), at(0.99), at(1.0));
  EXPECT_LE(at(0.5), 20);
}

TEST(LimitsFuzz, EveryMethodStaysFeasible) {
  std::mt19937 random(7);
  for (const Solver* solver : allSolvers()) {
    SCOPED_TRACE(solver->name());
    Workspace workspace;
    for (int trial = 0; trial < test::repetitions(100, 10); ++trial) {
      const auto figure = test::makeLimitedFigure(random, {.withBallCouplings = trial % 2 == 1});
      const Objective objective = test::makeLimitedObjective(figure, 2, trial % 2 == 0, random, true);
      Pose pose = test::randomPose(*figure, random);
      if (!solver->refusal(objective).empty()) continue;
      Watch watch(objective);
      const Summary summary =
          solver->solve(objective, pose, defaultOptions(*solver), workspace, {200}, Start::Here, &watch);
      ASSERT_NE(summary.status, SolveStatus::BadInput);
      // Springs may be violated during the solve, at a cost; the result is within the limits for every solver.
      if (solver->limitHandling() == LimitHandling::Penalty) {
        EXPECT_TRUE(watch.isPaidFor);
      } else {
        EXPECT_LT(watch.worst, kFeasible);
      }
      EXPECT_LT(objective.feasibleSet().violation(pose), kFeasible);
      EXPECT_TRUE(watch.isFinite);
      if (solver->limitHandling() != LimitHandling::None && solver->isMonotone()) {
        EXPECT_TRUE(watch.isMonotone);
      }
    }
  }
}

TEST(LimitsFuzz, BothEnginesAllocateNothingWhenWarm) {
  std::mt19937 random(9);
  const Solver& newton = *findSolver("newton");
  for (int trial = 0; trial < 20; ++trial) {
    const bool isTree = trial % 2 == 0;
    const auto figure = test::makeLimitedFigure(
        random,
        {.links = 14, .withCouplings = !isTree, .withLinearLimits = !isTree, .withBallCouplings = trial % 4 > 1});
    const Objective objective = test::makeLimitedObjective(figure, 2, trial % 3 == 0, random, !isTree);
    const Pose start = test::randomPose(*figure, random);
    Workspace workspace;
    const OptionValues options = defaultOptions(newton);
    Pose pose;
    for (int solve = 0; solve < 3; ++solve) {  // the three evaluations are swapped: each must once be first
      pose = start;
      newton.solve(objective, pose, options, workspace);
    }
    pose = start;
    const std::size_t before = test::allocationCount();
    newton.solve(objective, pose, options, workspace);
    EXPECT_EQ(test::allocationCount() - before, 0u) << trial;
  }
}

TEST(LimitsFuzz, SameInputGivesTheSameBits) {
  std::mt19937 random(11);
  const Solver& newton = *findSolver("newton");
  Workspace used;
  for (int trial = 0; trial < 50; ++trial) {
    const auto figure = test::makeLimitedFigure(random, {.withBallCouplings = trial % 2 == 1});
    const Objective objective = test::makeLimitedObjective(figure, 2, trial % 2 == 0, random, true);
    Pose first = test::randomPose(*figure, random), second = first;
    Workspace fresh;
    newton.solve(objective, first, defaultOptions(newton), used);
    newton.solve(objective, second, defaultOptions(newton), fresh);
    EXPECT_TRUE(first == second) << trial;
  }
}

}  // namespace
}  // namespace limber::limits_fuzz_test
