// SPDX-License-Identifier: MIT
// Two thousand random drags over every example, joints alike, and as many with the limb first (Natural): goals of every
// type with every kind of number that a user may give, and a hand of the figure pulled about. What must hold in each
// solve, for every solver that keeps limits exactly:
//
//   - every iterate is within limits, couplings and polygons to 1e-9 (rad, or metres)
//   - f never rises from one iterate to the next by more than its rounding; nothing is ever NaN
//   - a solve that says converged is a Kuhn-Tucker point; of the default solver's, at least 99 of 100 say so
//
// The default solver solves all drags, every other solver a tenth: they are slower, and the number that converge is
// printed, not required. The remaining solves of the default solver stop at the cap of 500 iterations or when rounding
// hides the rest, mostly with several contradictory goals.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "limber/posing/posed_problem.h"
#include "random_drags.h"
#include "support/repetitions.h"

namespace limber::drag_fuzz_test {
namespace {

const int kDrags = test::repetitions(2000, 80);
const double kLeastConverged = kDrags < 2000 ? 0.97 : 0.99;  // fewer leave more to chance
constexpr double kLeastConvergedInBalance = 0.9;
constexpr int kSeeds = 2;
constexpr double kMostViolation = 1e-9;
constexpr double kTolerance = 1e-12;  // of f: what it may still fall by in a solve that says converged; and
constexpr double kRoundings = 10.0;   // this many roundings of f, if f is only rounding

using test::Random, test::choose, test::Drag;

/// Looks at every iterate.
class Watch : public Observer {
 public:
  Watch(const Objective& objective, const Pose& start) : objective_(objective) {
    Pose pose = start;
    objective.feasibleSet().project(pose);
    last_ = objective.evaluate(pose, evaluation_);
  }
  bool onIteration(const IterationRecord& record, const Pose& pose) override {
    violation_ = std::max(violation_, objective_.feasibleSet().violation(pose));
    const double f = objective_.evaluate(pose, evaluation_);
    isFinite_ = isFinite_ && pose.coordinates.allFinite() && std::isfinite(f) && std::isfinite(record.objective);
    rise_ = std::max(rise_, (f - last_) / std::max(evaluation_.rounding, 1e-300));
    last_ = f;
    return true;
  }
  double violation() const { return violation_; }
  double rise() const { return rise_; }  ///< largest rise of f between iterates, in roundings of it
  bool isFinite() const { return isFinite_; }

 private:
  const Objective& objective_;
  Evaluation evaluation_;
  double last_ = 0.0, violation_ = 0.0, rise_ = 0.0;
  bool isFinite_ = true;
};

/// The possible decrease of f, |P g|^2 / 2 |H|, divided by the decrease that a converged solve may leave: at most 1.
double kuhnTuckerResidual(const Objective& objective, const Pose& pose) {
  Evaluation evaluation;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;
  const double f = objective.evaluate(pose, evaluation);
  objective.computeGradient(evaluation, gradient);
  objective.computeHessian(evaluation, hessian);
  if (gradient.size() == 0) return 0.0;
  FreeSpace space;
  objective.feasibleSet().findFreeSpace(pose, gradient, space);
  space.project(gradient);
  const double norm = hessian.cwiseAbs().rowwise().sum().maxCoeff();
  if (norm == 0.0) return gradient.isZero(0.0) ? 0.0 : 2.0;
  return 0.5 * gradient.squaredNorm() / norm / (kTolerance * f + kRoundings * evaluation.rounding);
}

struct Count {
  int solves = 0, converged = 0;
  int balanced = 0, balancedConverged = 0;  ///< of these, where balance is kept: rows that switch on and off
  std::array<int, 6> statuses{};
  double violation = 0.0, rise = 0.0, kuhnTucker = 0.0;
};

void check(const std::string& where, const Drag& drag, const Solver& solver, Workspace& workspace, Pose& pose,
           Count& count) {
  Kinematics kinematics;
  computeTransforms(*drag.document.figure, drag.document.pose, kinematics);
  const PosedProblem problem = makeProblem(drag.document, drag.request, chooseBranches(drag.document, kinematics, {}));
  if (!problem.objective) return;  // the problem has a fault
  const Objective& objective = *problem.objective;
  pose = drag.document.pose;
  Watch watch(objective, pose);
  const Summary summary = solver.solve(objective, pose, defaultOptions(solver), workspace, {}, Start::Here, &watch);
  ++count.solves;
  count.balanced += drag.document.keepsBalance;
  ASSERT_NE(summary.status, SolveStatus::BadInput) << where;
  ASSERT_TRUE(watch.isFinite() && pose.coordinates.allFinite() && std::isfinite(summary.objective)) << where;
  const double violation = std::max(watch.violation(), objective.feasibleSet().violation(pose));
  EXPECT_LT(violation, kMostViolation) << where;
  EXPECT_LE(watch.rise(), 1.0) << where << ": f rose";
  count.violation = std::max(count.violation, violation);
  count.rise = std::max(count.rise, watch.rise());
  ++count.statuses[static_cast<std::size_t>(summary.status)];
  if (summary.status != SolveStatus::Converged) return;
  ++count.converged;
  count.balancedConverged += drag.document.keepsBalance;
  const double kuhnTucker = kuhnTuckerResidual(objective, pose);
  EXPECT_LE(kuhnTucker, 1.0) << where << ": not a Kuhn-Tucker point";
  count.kuhnTucker = std::max(count.kuhnTucker, kuhnTucker);
}

bool isDefault(const std::string& solver) { return solver == allSolvers().front()->name(); }

class DragFuzz : public testing::TestWithParam<std::tuple<std::string, int, PosingChoice>> {};

TEST_P(DragFuzz, StaysWithinLimitsGoesDownAndConverges) {
  const auto& [name, seed, posing] = GetParam();
  const Solver& solver = *findSolver(name);
  Random random(static_cast<std::uint64_t>(seed));
  const auto all = test::examples();
  std::vector<Pose> poses;
  std::vector<FeasibleSet> sets;
  for (const auto& example : all) {
    poses.push_back(example.second.pose);
    sets.push_back(test::feasibleSetOf(example.second));
  }
  Workspace workspace;
  Count count;
  const int drags = isDefault(name) ? kDrags / kSeeds : kDrags / 10;
  for (int i = 0; i < drags && !HasFatalFailure(); ++i) {
    const std::size_t k = static_cast<std::size_t>(i) % all.size();
    if (choose(random, 10) == 0) test::scramble(sets[k], all[k].second, random, poses[k]);
    Drag drag = test::anyDrag(all[k].second, poses[k], random);
    drag.document.solver.posing = posing;
    if (posing != PosingChoice::Even) drag.document.solver.reference = RestReference::StartPose;
    check(all[k].first + ", drag " + std::to_string(i), drag, solver, workspace, poses[k], count);
  }
  if (isDefault(name)) {
    EXPECT_GE(count.converged - count.balancedConverged, kLeastConverged * (count.solves - count.balanced));
    EXPECT_GE(count.balancedConverged, kLeastConvergedInBalance * count.balanced);
  }
  std::printf(
      "%s, %s, seed %d: %d drags, %d converged, %d of %d in balance, %d at the cap, %d stalled, "
      "worst violation %.1e, rise %.2f roundings, Kuhn-Tucker %.1e\n",
      name.c_str(), std::string(posingName(posing)).c_str(), seed, count.solves, count.converged,
      count.balancedConverged, count.balanced, count.statuses[static_cast<std::size_t>(SolveStatus::IterationCap)],
      count.statuses[static_cast<std::size_t>(SolveStatus::Stalled)], count.violation, count.rise, count.kuhnTucker);
}

std::vector<std::tuple<std::string, int, PosingChoice>> runs() {
  std::vector<std::tuple<std::string, int, PosingChoice>> result;
  for (const std::string& name : test::exactSecondOrderSolvers())
    for (int seed = 0; seed < (isDefault(name) ? kSeeds : 1); ++seed) {
      result.emplace_back(name, seed, PosingChoice::Even);
      if (isDefault(name)) result.emplace_back(name, seed, PosingChoice::Natural);
    }
  return result;
}

INSTANTIATE_TEST_SUITE_P(, DragFuzz, testing::ValuesIn(runs()), [](const auto& run) {
  std::string name = std::get<0>(run.param) + "_" + std::to_string(std::get<1>(run.param));
  if (std::get<2>(run.param) != PosingChoice::Even) name += "_" + std::string(posingName(std::get<2>(run.param)));
  std::ranges::replace_if(
      name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
});

}  // namespace
}  // namespace limber::drag_fuzz_test
