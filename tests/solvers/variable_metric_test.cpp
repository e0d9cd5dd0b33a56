// SPDX-License-Identifier: MIT
// The properties of the solver of Zhao and Badler (1994) in addition to those of every solver.
#include "limber/solvers/methods/variable_metric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <optional>

#include <Eigen/Dense>

#include "limber/goals/position_goal.h"
#include "limber/kinematics/figure_builder.h"
#include "limber/solvers/registry.h"
#include "limber/solvers/steps/boundary.h"
#include "support/allocation_count.h"
#include "support/awkward_figure.h"
#include "support/built_figure.h"
#include "support/dense_algebra.h"
#include "support/limited_figure.h"

namespace limber::variable_metric_test {
namespace {

const Solver& variableMetric = *findSolver("variable-metric");

Summary solve(const Objective& objective, Pose& pose, Workspace& workspace, Observer* observer = nullptr) {
  return variableMetric.solve(objective, pose, defaultOptions(variableMetric), workspace, {}, Start::Here, observer);
}

Summary solve(const Objective& objective, Pose& pose) {
  Workspace workspace;
  return solve(objective, pose, workspace);
}

/// Three slides along x, y and z: f = 1/2 w |q - target|^2, a quadratic program.
struct Gantry {
  std::array<Interval, 3> intervals;
  std::optional<Interval> usersOwn;  ///< replaces every slide's interval after the figure is built
  std::vector<LinearLimit> rows;
  Eigen::Vector3d target = Eigen::Vector3d::Zero();
  double weight = 2.0;
  double restWeight = 0.0;
  std::vector<double> rigidities = {0, 0, 0};

  void limit(double x, double y, double z, double upper, double lower = -std::numeric_limits<double>::infinity()) {
    rows.push_back({"row " + std::to_string(rows.size()), {{0, x}, {1, y}, {2, z}}, {lower, upper}});
  }
  Objective build() const {
    FigureBuilder builder("gantry");
    for (int i = 0; i < 3; ++i)
      builder.addLink({.name = "link" + std::to_string(i), .parent = i - 1},
                      {.name = "slide" + std::to_string(i),
                       .type = JointType::Prismatic,
                       .axis = Eigen::Vector3d::Unit(i),
                       .limits = intervals[static_cast<std::size_t>(i)]});
    for (const LinearLimit& row : rows) builder.addLinearLimit(row);
    auto figure = test::built(builder);
    std::vector<std::unique_ptr<Goal>> goals;
    goals.push_back(std::make_unique<PositionGoal>(2, Eigen::Vector3d::Zero(), target, weight, 1.0));
    Regulariser regulariser(*figure, restPose(*figure), restWeight, rigidities);
    Limits limits = limitsOf(*figure);
    if (usersOwn) limits.intervals.assign(3, *usersOwn);
    FeasibleSet set(*figure, limits);
    return Objective(figure, std::move(goals), std::move(regulariser), std::move(set), {0, 1, 2});
  }
};

/// The active limits at a pose, with multipliers, by the feasible set's own projection.
std::vector<ActiveLimit> limitsAt(const Objective& objective, const Pose& pose) {
  Evaluation evaluation;
  Eigen::VectorXd gradient;
  objective.evaluate(pose, evaluation);
  objective.computeGradient(evaluation, gradient);
  FreeSpace space;
  objective.feasibleSet().findFreeSpace(pose, gradient, space);
  return space.limits;
}

void expectAt(const Pose& pose, const Eigen::Vector3d& expected) {
  EXPECT_LT((pose.coordinates - expected).cwiseAbs().maxCoeff(), 1e-9) << pose.coordinates.transpose();
}

TEST(VariableMetric, QuadraticProgramWithOneIntervalThatHolds) {
  Gantry gantry;
  gantry.intervals[0] = {-1, 1};
  gantry.target = {2, 0.5, -0.25};
  const Objective objective = gantry.build();
  Pose pose = restPose(objective.figure());
  Workspace workspace;
  EXPECT_EQ(solve(objective, pose, workspace).status, SolveStatus::Converged);
  expectAt(pose, {1, 0.5, -0.25});
  EXPECT_EQ(pose.coordinates[0], 1.0) << "exactly on the bound";
  const auto& own = workspace.memoryOf<VariableMetricMemory>();
  ASSERT_EQ(own.activeSet.size(), 1);
  EXPECT_EQ(objective.feasibleSet().kind(own.activeSet.limit(0)), LimitKind::Upper);
  EXPECT_NEAR(-own.alpha[0] * own.unit, 2.0, 1e-12) << "w (2 - 1)";
  const auto limits = limitsAt(objective, pose);
  ASSERT_EQ(limits.size(), 1u);
  EXPECT_NEAR(limits[0].multiplier, 2.0, 1e-9);
}

TEST(VariableMetric, QuadraticProgramWithOneSideOfAPolygon) {
  Gantry gantry;
  gantry.limit(3, 4, 0, 5);  // 3x + 4y <= 5: distance 1 from the origin
  gantry.target = {6, 8, 1};
  const Objective objective = gantry.build();
  Pose pose = restPose(objective.figure());
  EXPECT_EQ(solve(objective, pose).status, SolveStatus::Converged);
  expectAt(pose, {0.6, 0.8, 1});
  const auto limits = limitsAt(objective, pose);
  ASSERT_EQ(limits.size(), 1u);
  EXPECT_NEAR(limits[0].multiplier, 2.0 * 9.0 / 5.0, 1e-9) << "w times the distance, for a row of norm 5";
}

TEST(VariableMetric, StartsInACornerAndDropsWhatDoesNotHold) {
  Gantry gantry;
  gantry.intervals = {Interval{0, 1}, Interval{0, 1}, Interval{0, 1}};
  gantry.target = {2, 0.5, -1};
  const Objective objective = gantry.build();
  Pose pose{Eigen::Vector3d(0, 1, 1)};  // every one of these three must go
  EXPECT_EQ(solve(objective, pose).status, SolveStatus::Converged);
  expectAt(pose, {1, 0.5, 0});
}

TEST(VariableMetric, ScalarsTiedByAnEqualityStayTied) {
  Gantry gantry;
  gantry.limit(1, -1, 0, 0.0, 0.0);
  gantry.target = {1, 2, 3};
  const Objective objective = gantry.build();
  Pose pose = restPose(objective.figure());
  struct Tied final : Observer {
    bool onIteration(const IterationRecord&, const Pose& at) override {
      EXPECT_NEAR(at.coordinates[0], at.coordinates[1], 1e-13);
      return true;
    }
  } observer;
  Workspace workspace;
  EXPECT_EQ(solve(objective, pose, workspace, &observer).status, SolveStatus::Converged);
  expectAt(pose, {1.5, 1.5, 3});
  EXPECT_EQ(workspace.memoryOf<VariableMetricMemory>().activeSet.size(), 1) << "an equality is never dropped";
}

TEST(VariableMetric, AnInfeasibleStartIsProjectedFirst) {
  Gantry gantry;
  gantry.intervals[1] = {-1, 1};
  gantry.limit(1, 1, 1, 1);
  gantry.target = {0, 0, 0};
  const Objective objective = gantry.build();
  Pose pose{Eigen::Vector3d(5, -7, 9)};
  EXPECT_EQ(solve(objective, pose).status, SolveStatus::Converged);
  expectAt(pose, {0, 0, 0});
}

TEST(VariableMetric, ContradictingLimitsAreBadInput) {
  Gantry gantry;
  gantry.limit(1, 1, 0, 0.0, 0.0);
  gantry.usersOwn = {1, 2};  // x + y = 0 has no such pose
  const Objective objective = gantry.build();
  ASSERT_FALSE(objective.feasibleSet().fault().empty());
  Pose pose = restPose(objective.figure());
  EXPECT_EQ(solve(objective, pose).status, SolveStatus::BadInput);
  EXPECT_TRUE(pose.coordinates.allFinite());
}

TEST(VariableMetric, RepeatedAndImpliedRowsDoNotStopIt) {
  Gantry gantry;
  gantry.intervals[0] = {-1, 0.5};
  gantry.limit(1, 0, 0, 0.5);
  gantry.limit(2, 0, 0, 1.0);
  gantry.limit(1, 1, 0, 1.0);
  gantry.limit(0, 1, 0, 0.5);
  gantry.limit(1, 2, 0, 1.5);
  gantry.target = {3, 2, 1};
  const Objective objective = gantry.build();
  Pose pose = restPose(objective.figure());
  EXPECT_EQ(solve(objective, pose).status, SolveStatus::Converged);
  expectAt(pose, {0.5, 0.5, 1});
}

TEST(VariableMetric, LeavesTheTipOfAPyramidWhereManySidesMeet) {
  for (const int sides : {4, 5, 12, 40}) {
    Gantry gantry;
    for (int i = 0; i < sides; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / sides;
      gantry.limit(std::cos(angle), std::sin(angle), 1, 0.0);
    }
    for (const Eigen::Vector3d& target :
         {Eigen::Vector3d(0, 0, -1), Eigen::Vector3d(1, 0.2, -0.5), Eigen::Vector3d(-3, 1, -3.3)}) {
      gantry.target = target;
      const Objective objective = gantry.build();
      Pose pose = restPose(objective.figure());
      EXPECT_EQ(solve(objective, pose).status, SolveStatus::Converged) << sides;
      Pose nearest{target};
      objective.feasibleSet().project(nearest);
      expectAt(pose, nearest.coordinates);
    }
    gantry.target = {0.1, 0.1, 2};  // the tip itself is nearest
    const Objective objective = gantry.build();
    Pose pose{Eigen::Vector3d(0.1, -0.2, -2)};
    EXPECT_EQ(solve(objective, pose).status, SolveStatus::Converged) << sides;
    expectAt(pose, {0, 0, 0});
  }
}

TEST(VariableMetric, RandomQuadraticProgramsHaveTheNearestPointForTheirAnswer) {
  std::mt19937 random(61);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int trial = 0; trial < 300; ++trial) {
    Gantry gantry;
    gantry.target = 2.0 * Eigen::Vector3d(uniform(random), uniform(random), uniform(random));
    if (trial % 3 == 0) gantry.intervals[1] = {-0.3, 0.2};
    for (int i = 0; i < 1 + trial % 9; ++i)
      gantry.limit(uniform(random), uniform(random), uniform(random), 0.3 * std::abs(uniform(random)));
    const Objective objective = gantry.build();
    Pose pose = restPose(objective.figure()), nearest{gantry.target};
    objective.feasibleSet().project(nearest);  // f is the distance: the minimum is the projection of the target
    EXPECT_EQ(solve(objective, pose).status, SolveStatus::Converged) << trial;
    EXPECT_LT((pose.coordinates - nearest.coordinates).norm(), 1e-7) << trial;
  }
}

TEST(VariableMetric, RigidityScalesTheFirstStepBySquaredCompliance) {
  Gantry gantry;
  gantry.restWeight = 1.0;
  gantry.rigidities = {0.5, 0.0, 0.75};
  gantry.target = {1, 1, 1};
  const Objective objective = gantry.build();
  Pose pose = restPose(objective.figure());
  Workspace workspace;
  variableMetric.solve(objective, pose, defaultOptions(variableMetric), workspace, {1});
  EXPECT_NEAR(pose.coordinates[0] / pose.coordinates[1], 0.25, 1e-12);
  EXPECT_NEAR(pose.coordinates[2] / pose.coordinates[1], 0.0625, 1e-12);
}

/// How large a gradient is at a value of f, lever arms apart:  |J'w r| <= |J| sqrt(2 w f).  Rounding of f hides
/// gradients below some 1e-8 of it.
double gradientSize(const Objective& objective, double f) {
  double weight = 0.0;
  for (const auto& goal : objective.goals()) weight += goal->weight();
  return 1.0 + std::sqrt(2.0 * weight * f);
}

constexpr double kKuhnTucker = 1e-6;  // of the gradient's size

/// The free part of the gradient, relative to its size: zero at a Kuhn-Tucker point.
double kuhnTuckerResidual(const Objective& objective, const Pose& pose) {
  Evaluation evaluation;
  Eigen::VectorXd gradient;
  const double f = objective.evaluate(pose, evaluation);
  objective.computeGradient(evaluation, gradient);
  FreeSpace space;
  objective.feasibleSet().findFreeSpace(pose, gradient, space);
  space.project(gradient);
  return gradient.norm() / gradientSize(objective, f);
}

/// The same by a short step against the gradient that is projected into the set: exact where every limit is flat.
double projectedStepResidual(const Objective& objective, const Pose& pose) {
  Evaluation evaluation;
  Eigen::VectorXd gradient, full, moved;
  const double f = objective.evaluate(pose, evaluation);
  objective.computeGradient(evaluation, gradient);
  const double shorten = 1e-6 / (1.0 + gradient.norm());
  Pose trial;
  objective.move(pose, -shorten * gradient, full, trial);
  difference(objective.figure(), pose, trial, moved);
  double squared = 0.0;
  for (const int c : objective.active()) squared += moved[c] * moved[c];
  return std::sqrt(squared) / shorten / gradientSize(objective, f);
}

/// Checks every iterate.
struct Watch final : Observer {
  const Objective* objective = nullptr;
  double worstViolation = 0.0, last = std::numeric_limits<double>::infinity();
  int rises = 0;
  std::function<void()> also = [] {};

  bool onIteration(const IterationRecord& record, const Pose& pose) override {
    worstViolation = std::max(worstViolation, objective->feasibleSet().violation(pose));
    if (record.objective > last) ++rises;
    last = record.objective;
    EXPECT_TRUE(isValid(objective->figure(), pose));
    also();
    return true;
  }
};

Objective makeLimited(int trial, std::mt19937& random) {
  test::LimitedFigureOptions options;
  options.links = 5 + trial % 11;
  options.withBalls = trial % 4 != 1;
  options.withCouplings = trial % 4 != 2;
  options.withLinearLimits = trial % 4 != 3;
  return test::makeLimitedObjective(test::makeLimitedFigure(random, options), 1 + trial % 3, trial % 5 != 0, random);
}

TEST(VariableMetric, MonotoneFeasibleAndEndsAtKuhnTuckerPointsWithEveryKindOfLimit) {
  std::mt19937 random(62);
  constexpr int kTrials = 500;
  int converged = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Objective objective = makeLimited(trial, random);
    Pose pose = restPose(objective.figure());
    Watch watch;
    watch.objective = &objective;
    Workspace workspace;
    const Summary summary = solve(objective, pose, workspace, &watch);
    EXPECT_LT(watch.worstViolation, 1e-9) << trial;
    EXPECT_EQ(watch.rises, 0) << trial;
    EXPECT_LE(summary.objective, summary.objectiveBefore);
    if (summary.status != SolveStatus::Converged) continue;
    ++converged;
    EXPECT_LT(kuhnTuckerResidual(objective, pose), kKuhnTucker) << trial;
    if (trial % 4 != 1) continue;  // balls are in it
    EXPECT_LT(projectedStepResidual(objective, pose), kKuhnTucker) << trial;
  }
  EXPECT_GE(converged, kTrials * 99 / 100);
}

TEST(VariableMetric, MetricStaysSemidefiniteAndTheInverseDirectAtEveryIterate) {
  std::mt19937 random(63);
  for (int trial = 0; trial < 40; ++trial) {
    const Objective objective = makeLimited(trial, random);
    Pose pose = restPose(objective.figure());
    Workspace workspace;
    Watch watch;
    watch.objective = &objective;
    int iterate = 0;
    watch.also = [&] {
      if (++iterate % 3 != 0) return;
      const auto& own = workspace.memoryOf<VariableMetricMemory>();
      const Eigen::MatrixXd H = own.metric.matrix(), A = own.activeSet.normals();
      const double size = H.cwiseAbs().maxCoeff();
      EXPECT_EQ((H - H.transpose()).cwiseAbs().maxCoeff(), 0.0);
      EXPECT_GT(test::eigenvaluesOf(H)[0], -1e-12 * size) << trial;
      if (A.cols() == 0) return;
      EXPECT_LT((H * A).cwiseAbs().maxCoeff(), 1e-9 * size) << trial;
      const Eigen::MatrixXd direct = (A.transpose() * A).inverse();
      EXPECT_LT((own.activeSet.inverse() - direct).cwiseAbs().maxCoeff(), 1e-9 * direct.cwiseAbs().maxCoeff()) << trial;
    };
    solve(objective, pose, workspace, &watch);
  }
}

TEST(VariableMetric, SlicesGiveTheSameBitsAsOneRunWithEveryKindOfLimit) {
  std::mt19937 random(64);
  for (int trial = 0; trial < 40; ++trial) {
    const Objective objective = makeLimited(trial, random);
    const OptionValues options = defaultOptions(variableMetric);
    Pose whole = restPose(objective.figure()), sliced = whole;
    const Summary once = solve(objective, whole);
    Workspace workspace;
    Summary summary;
    Start begin = Start::Here;
    do {
      summary = variableMetric.solve(objective, sliced, options, workspace, {2}, begin);
      begin = Start::Resume;
    } while (summary.status == SolveStatus::BudgetSpent);
    EXPECT_EQ(summary.status, once.status) << trial;
    EXPECT_EQ(summary.iterations(), once.iterations()) << trial;
    EXPECT_TRUE(sliced == whole) << trial;
  }
}

TEST(VariableMetric, AllocatesNothingWhenWarmWithEveryKindOfLimit) {
  std::mt19937 random(65);
  for (int trial = 0; trial < 20; ++trial) {
    const Objective objective = makeLimited(trial, random);
    const OptionValues options = defaultOptions(variableMetric);
    const Pose start = restPose(objective.figure());
    Workspace workspace;
    Pose pose = start;
    variableMetric.solve(objective, pose, options, workspace);
    pose = start;
    const std::size_t before = test::allocationCount();
    variableMetric.solve(objective, pose, options, workspace);
    EXPECT_EQ(test::allocationCount() - before, 0u) << trial;
  }
}

TEST(VariableMetric, FindsTheMinimumOfTheDefaultWhereThereIsOne) {
  // Out of reach and strongly pulled, a chain has one minimum in its neighbourhood; so has a short one near its goal.
  for (const auto& [n, target] : {std::pair{1, Eigen::Vector3d(0, 1, 0)}, std::pair{2, Eigen::Vector3d(1, 1, 0)},
                                  std::pair{4, Eigen::Vector3d(3, 1, 0)}, std::pair{10, Eigen::Vector3d(9, 9, 0)},
                                  std::pair{30, Eigen::Vector3d(20, 40, 0)}}) {
    const Objective objective = test::makeChainObjective(n, target);
    Pose a = restPose(objective.figure()), b = a;
    EXPECT_EQ(solve(objective, a).status, SolveStatus::Converged) << n;
    Workspace workspace;
    const Solver& newton = *findSolver("newton");
    newton.solve(objective, b, defaultOptions(newton), workspace);
    EXPECT_LT((a.coordinates - b.coordinates).cwiseAbs().maxCoeff(), 1e-5) << n;
  }
}

TEST(VariableMetric, StopsAtASaddleWhichTheDefaultLeaves) {
  const Objective objective = test::makeChainObjective(3, {1.5, 0, 0});  // straight, the goal on its axis: no gradient
  Pose pose = restPose(objective.figure());
  const Summary summary = solve(objective, pose);
  EXPECT_EQ(summary.status, SolveStatus::Converged);
  EXPECT_EQ(summary.objective, summary.objectiveBefore);
}

TEST(VariableMetric, ConvergesOnTheAwkwardFigureWithAndWithoutDfp) {
  std::mt19937 random(66);
  const auto figure = test::makeAwkwardFigure();
  for (const bool dfp : {true, false})
    for (int trial = 0; trial < 30; ++trial) {
      const Objective objective = test::makeRandomObjective(figure, test::kAwkwardTips, random);
      Pose pose = test::randomPose(*figure, random);
      Workspace workspace;
      const VariableMetricOptions options{.dfp = dfp};
      const Summary summary = options.solver().solve(objective, pose, options, workspace);
      EXPECT_EQ(summary.status, SolveStatus::Converged) << trial;
      EXPECT_LT(kuhnTuckerResidual(objective, pose), kKuhnTucker) << trial;
    }
}

}  // namespace
}  // namespace limber::variable_metric_test
