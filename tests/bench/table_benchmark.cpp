// SPDX-License-Identifier: MIT
// The planar rows of the table that scripts/bench makes: the default solver on the chain, called as any program calls
// it, beside a forward-kinematics pass of the same chain in the same run.
//
// Counters: "floor" (ns of a pass), "ratio" (to it, the median), "iterations" (of a solve, the median), "success" (the
// part of the solves that converged). tests/bench/table.py reads them.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "bench/thread_time.h"
#include "limber/objective/sweep/planar_system.h"
#include "limber/solvers/registry.h"
#include "support/awkward_figure.h"

namespace limber::table_benchmark {
namespace {

using bench::threadTime;

/// Nanoseconds that f takes.
template <class F>
double timeOf(F&& f) {
  static const double cost = bench::threadTimeCost();
  const double start = threadTime();
  f();
  return std::max(1.0, threadTime() - start - cost);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// A chain, and the floor: sines, cosines and places of all its segments at a pose, by the planar solver's own code,
/// which is several times faster than the general forward kinematics.
struct Chain {
  explicit Chain(int links)
      : n(links), objective(test::makeChainObjective(links, {0.3 * links, 0.4 * links, 0.0})),
        rest(restPose(objective.figure())) {
    chain.take(objective, rest);
    system.bind(chain);
  }

  void setTarget(double radius, double angle) {
    Residual shift(3);
    shift << 0.3 * n - radius * std::cos(angle), 0.4 * n - radius * std::sin(angle), 0.0;
    objective.setResidualShift(0, shift);
  }

  /// Nanoseconds of a pass, few enough of them to stand between two solves.
  double floorAt(const Pose& pose) {
    const int passes = std::max(1, 5000 / n);
    return timeOf([&] {
             for (int i = 0; i < passes; ++i) system.place(pose);
             benchmark::DoNotOptimize(system.residuals().data());
           }) /
           passes;
  }

  Summary solve(Pose& pose, Start start) { return solver.solve(objective, pose, options, workspace, {}, start); }

  int n;
  Objective objective;
  Pose rest;
  PlanarChain chain;
  PlanarSystem system;
  const Solver& solver = *allSolvers().front();
  OptionValues options = defaultOptions(*allSolvers().front());
  Workspace workspace;
};

/// What each of many turns took, beside its floor; of solves also how they went.
struct Record {
  std::vector<double> floors, ratios, iterations;
  double solved = 0.0;

  void add(double floor, double time) {
    floors.push_back(floor);
    ratios.push_back(time / floor);
  }

  void add(double floor, double time, const Summary& summary) {
    add(floor, time);
    iterations.push_back(summary.iterations());
    solved += summary.status == SolveStatus::Converged;
  }

  void count(benchmark::State& state) const {
    state.counters["floor"] = median(floors);
    state.counters["ratio"] = median(ratios);
    if (iterations.empty()) return;
    state.counters["iterations"] = median(iterations);
    state.counters["success"] = solved / static_cast<double>(iterations.size());
  }
};

/// Factors, step, and the chain evaluated where it leads, at a minimum.
void exactIteration(benchmark::State& state) {
  Chain chain(static_cast<int>(state.range(0)));
  Pose pose = chain.rest;
  chain.solve(pose, Start::Anywhere);
  chain.system.place(pose);
  const PlanarPulls multipliers(1, chain.objective.goals()[0]->weight() * chain.system.residuals()[0]);
  const PlanarPulls none(1, Eigen::Vector2d::Zero());
  bool isDefinite = true;
  const auto iterate = [&] {
    isDefinite = chain.system.factor(multipliers, 0.0) && isDefinite;
    chain.system.step(none);
    benchmark::DoNotOptimize(chain.system.decrement());
  };
  Record record;
  const int times = std::max(1, 5000 / chain.n);
  for (auto _ : state) {
    const double floor = chain.floorAt(pose);
    const double time = timeOf([&] {
                          for (int i = 0; i < times; ++i) iterate();
                        }) /
                        times;
    record.add(floor, time);
    state.SetIterationTime(1e-9 * time * times);
  }
  if (!isDefinite) state.SkipWithError("not positive definite");
  record.count(state);
}
BENCHMARK(exactIteration)
    ->Name("table/planar exact iteration")
    ->ArgsProduct({{10, 100, 1000, 10000}})
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

/// A target on a circle, 1 % of the reach further at each frame, there and back again, solved to convergence from the
/// last frame's pose.
void dragFrame(benchmark::State& state) {
  constexpr int kFrames = 64;
  Chain chain(static_cast<int>(state.range(0)));
  Pose pose = chain.rest;
  int frame = 0;
  const auto moveTarget = [&] {
    const int turn = frame++ % kFrames;
    chain.setTarget(0.5 * chain.n, 0.3 + 0.02 * (turn < kFrames / 2 ? turn : kFrames - turn));
  };
  moveTarget();
  chain.solve(pose, Start::Here);
  for (int i = 0; i < kFrames; ++i) {
    moveTarget();
    chain.solve(pose, Start::Warm);
  }
  Record record;
  for (auto _ : state) {
    moveTarget();
    const double before = chain.floorAt(pose);
    Summary summary;
    const double time = timeOf([&] { summary = chain.solve(pose, Start::Warm); });
    record.add(0.5 * (before + chain.floorAt(pose)), time, summary);
    state.SetIterationTime(1e-9 * time);
  }
  record.count(state);
}
BENCHMARK(dragFrame)
    ->Name("table/planar drag frame")
    ->ArgsProduct({{10, 100, 1000, 10000}})
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

/// From the straight chain to a random goal in the disc; any good minimum will do.
void coldSolve(benchmark::State& state) {
  Chain chain(static_cast<int>(state.range(0)));
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  Record record;
  for (auto _ : state) {
    const double radius = chain.n * std::sqrt(unit(random));
    chain.setTarget(radius, 2.0 * std::numbers::pi * unit(random));
    Pose pose = chain.rest;
    const double before = chain.floorAt(pose);
    Summary summary;
    const double time = timeOf([&] { summary = chain.solve(pose, Start::Anywhere); });
    record.add(0.5 * (before + chain.floorAt(pose)), time, summary);
    state.SetIterationTime(1e-9 * time);
  }
  record.count(state);
}
BENCHMARK(coldSolve)
    ->Name("table/planar cold solve")
    ->ArgsProduct({{10, 100, 1000, 10000}})
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace limber::table_benchmark
