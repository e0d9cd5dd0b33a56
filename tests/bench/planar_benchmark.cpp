// SPDX-License-Identifier: MIT
// Planar chains: the exact iteration, cold solves and drag frames beside their floor, a forward-kinematics pass of the
// same chain by the same code: joint angles in order, to the directions, sines and cosines of all segments and the tip.
//   build/release/bin/limber_benchmarks --benchmark_filter='planar/'
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <random>

#include "limber/kinematics/standard_figures.h"
#include "limber/objective/sweep/planar_system.h"
#include "limber/posing/posing.h"
#include "limber/solvers/registry.h"
#include "support/awkward_figure.h"

namespace limber::planar_benchmark {
namespace {

using Clock = std::chrono::steady_clock;

double nanosecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

void setTarget(Objective& objective, const Eigen::Vector2d& target) {
  Residual shift(3);
  shift << -target, 0.0;
  objective.setResidualShift(0, shift);
}

Eigen::Vector2d inDisc(double radius, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  const double r = radius * std::sqrt(uniform(random)), angle = 2.0 * std::numbers::pi * uniform(random);
  return {r * std::cos(angle), r * std::sin(angle)};
}

/// On a circle of 0.3 of the reach, one percent of the reach further at each event.
Eigen::Vector2d dragged(int links, int event) {
  const double angle = 0.01 / 0.3 * event;
  return links * Eigen::Vector2d(0.55 + 0.3 * std::cos(angle), 0.3 * std::sin(angle));
}

/// A chain of the assignment at the minimum for a target, and its system there.
struct Solved {
  explicit Solved(int links)
      : objective(test::makeChainObjective(links, {0, 0, 0})), pose(restPose(objective.figure())) {
    setTarget(objective, {0.3 * links, 0.4 * links});
    const Solver& newton = *findSolver("newton");
    newton.solve(objective, pose, defaultOptions(newton), workspace, {}, Start::Anywhere);
    chain.take(objective, pose);
    system.bind(chain);
    system.place(pose);
  }

  Objective objective;
  Pose pose;
  Workspace workspace;
  PlanarChain chain;
  PlanarSystem system;
};

void forwardKinematics(benchmark::State& state) {
  const int links = static_cast<int>(state.range(0));
  Solved solved(links);
  for (auto _ : state) {
    solved.system.place(solved.pose);
    benchmark::DoNotOptimize(solved.system.residuals().data());
  }
  state.counters["ns_per_link"] =
      benchmark::Counter(1e-9 * links, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Factors, step, and the chain evaluated where it leads.
void exactIteration(benchmark::State& state) {
  constexpr double kDamping = 1e3;  // rounding makes the Hessian of a hundred thousand links indefinite
  const int links = static_cast<int>(state.range(0));
  Solved solved(links);
  PlanarPulls multipliers;
  for (const Eigen::Vector2d& e : solved.system.residuals()) multipliers.push_back(solved.chain.goals()[0].weight * e);
  const PlanarPulls none(1, Eigen::Vector2d::Zero());
  for (auto _ : state) {
    if (!solved.system.factor(multipliers, kDamping)) state.SkipWithError("not positive definite");
    solved.system.step(none);
    benchmark::DoNotOptimize(solved.system.decrement());
  }
  state.counters["ns_per_link"] =
      benchmark::Counter(1e-9 * links, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// A mouse event for the solver: the target moves, and a warm solve runs to convergence.
void dragFrame(benchmark::State& state) {
  const int links = static_cast<int>(state.range(0));
  Solved solved(links);
  const Solver& newton = *findSolver("newton");
  const OptionValues options = defaultOptions(newton);
  int event = 0;
  double iterations = 0.0, converged = 0.0;
  for (auto _ : state) {
    setTarget(solved.objective, dragged(links, event++));
    const Summary summary = newton.solve(solved.objective, solved.pose, options, solved.workspace, {}, Start::Warm);
    iterations += summary.iterations();
    converged += summary.status == SolveStatus::Converged;
  }
  const double frames = static_cast<double>(state.iterations());
  state.counters["iterations"] = iterations / frames;
  state.counters["converged"] = converged / frames;
}

/// From rest, any minimum will do: targets uniform in the disc.
void coldSolve(benchmark::State& state) {
  const int links = static_cast<int>(state.range(0));
  Objective objective = test::makeChainObjective(links, {0, 0, 0});
  const Solver& newton = *findSolver("newton");
  const OptionValues options = defaultOptions(newton);
  const Pose rest = restPose(objective.figure());
  Workspace workspace;
  std::mt19937 random(1);
  std::vector<double> times, iterations;
  double converged = 0.0;
  for (auto _ : state) {
    setTarget(objective, inDisc(links, random));
    Pose pose = rest;
    const auto start = Clock::now();
    const Summary summary = newton.solve(objective, pose, options, workspace, {}, Start::Anywhere);
    const double time = nanosecondsSince(start);
    state.SetIterationTime(1e-9 * time);
    times.push_back(1e-3 * time);
    iterations.push_back(summary.iterations());
    converged += summary.status == SolveStatus::Converged;
  }
  const auto at = [](std::vector<double>& values, double share) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  state.counters["median_us"] = at(times, 0.5);
  state.counters["p95_us"] = at(times, 0.95);
  state.counters["median_iterations"] = at(iterations, 0.5);
  state.counters["p95_iterations"] = at(iterations, 0.95);
  state.counters["converged"] = converged / static_cast<double>(state.iterations());
}

/// How often a method ends at the best minimum known: that of its own answer, the default's from anywhere, and of 40
/// solves of the default from random poses. The assignment's own method starts at zero, as it says.
void bestKnown(benchmark::State& state, const char* name, Start start) {
  const int links = static_cast<int>(state.range(0));
  Objective objective = test::makeChainObjective(links, {0, 0, 0});
  const Solver &newton = *findSolver("newton"), &solver = *findSolver(name);
  const OptionValues options = defaultOptions(newton), own = defaultOptions(solver);
  const Pose rest = restPose(objective.figure());
  Workspace workspace, ownWorkspace;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> angle(-1.0, 1.0);
  constexpr int kGoals = 100, kStarts = 40;
  double found = 0.0;
  for (auto _ : state) {
    found = 0.0;
    for (int k = 0; k < kGoals; ++k) {
      setTarget(objective, inDisc(links, random));
      Pose pose = rest;
      const double f = solver.solve(objective, pose, own, ownWorkspace, {}, start).objective;
      Pose other = rest;
      double best = std::min(f, newton.solve(objective, other, options, workspace, {}, Start::Anywhere).objective);
      for (int i = 0; i < kStarts; ++i) {
        const double spread = links == 1 ? 3.0 : 6.0 / links, bend = spread * angle(random);
        for (double& q : other.coordinates) q = bend + (i % 2 == 0 ? 0.0 : spread * angle(random));
        best = std::min(best, newton.solve(objective, other, options, workspace).objective);
      }
      found += f <= best * (1.0 + 1e-6);
    }
  }
  state.counters["best_known"] = found / kGoals;
}

BENCHMARK(forwardKinematics)->Name("planar/forward kinematics")->ArgsProduct({{10, 30, 100, 300, 1000, 10000, 100000}});
BENCHMARK(exactIteration)->Name("planar/exact iteration")->ArgsProduct({{10, 30, 100, 300, 1000, 10000, 100000}});
BENCHMARK(dragFrame)->Name("planar/drag frame")->ArgsProduct({{10, 100, 1000, 10000}})->Unit(benchmark::kMicrosecond);
BENCHMARK(coldSolve)
    ->Name("planar/cold solve")
    ->ArgsProduct({{10, 100, 1000, 10000}})
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(bestKnown, newton, "newton", Start::Anywhere)
    ->Name("planar/best-known minimum, newton")
    ->ArgsProduct({{1, 2, 4, 10, 30, 100}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bestKnown, hybrid, "gdls+nm", Start::Here)
    ->Name("planar/best-known minimum, gdls+nm")
    ->ArgsProduct({{1, 2, 4, 10, 30, 100}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace limber::planar_benchmark
