// SPDX-License-Identifier: MIT
// The planar rows of the table that scripts/bench makes: the default solver on the chain, called as any program calls
// it, beside a forward-kinematics pass of the same chain in the same run.
//
// Counters: "floor" (ns of a pass), "ratio" (of a solve to it), "iterations" (a solve), "iteration" (the ratio of one),
// "success" (part of the solves). tests/benchmark/table.py reads them.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "benchmark/thread_time.h"
#include "kinematics/standard_figures.h"
#include "solvers/registry.h"
#include "support/awkward_figure.h"

namespace limber {
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

struct Chain {
  explicit Chain(int links) : n(links), figure(makePlanarChain(links)) {}

  Objective objectiveAt(double radius, double angle) const {
    return test::makeChainObjective(n, {radius * std::cos(angle), radius * std::sin(angle), 0.0});
  }

  /// Nanoseconds of a pass, short enough to stand between two solves.
  double floorAt(const Pose& pose) {
    const int passes = std::max(1, 2000 / n);
    return timeOf([&] {
             for (int i = 0; i < passes; ++i) computeTransforms(*figure, pose, kinematics);
             benchmark::DoNotOptimize(kinematics.worldFromLink.back());
           }) / passes;
  }

  Summary solve(const Objective& objective, Pose& pose, Start start) {
    return solver.solve(objective, pose, options, workspace, {}, start);
  }

  int n;
  std::shared_ptr<const Figure> figure;
  Kinematics kinematics;
  const Solver& solver = *allSolvers().front();
  OptionValues options = defaultOptions(*allSolvers().front());
  Workspace workspace;
};

/// What each of many solves took, beside its floor.
struct Record {
  std::vector<double> floors, ratios, iterations;
  double solved = 0.0;

  void add(double floor, double time, const Summary& summary) {
    floors.push_back(floor);
    ratios.push_back(time / floor);
    iterations.push_back(summary.iterations());
    solved += summary.status == SolveStatus::Converged;
  }

  void count(benchmark::State& state) const {
    double sum = 0.0;
    for (const double i : iterations) sum += i;
    const double mean = sum / static_cast<double>(iterations.size());
    state.counters["floor"] = median(floors);
    state.counters["ratio"] = median(ratios);
    state.counters["iterations"] = median(iterations);
    state.counters["iteration"] = mean > 0.0 ? median(ratios) / mean : 0.0;
    state.counters["success"] = solved / static_cast<double>(iterations.size());
  }
};

/// A target on a circle, 1 % of the reach further at each frame, solved to convergence from the last frame's pose.
void dragFrame(benchmark::State& state) {
  constexpr int kFrames = 64;
  Chain chain(static_cast<int>(state.range(0)));
  std::vector<std::unique_ptr<Objective>> objectives;
  for (int i = 0; i < kFrames; ++i)  // there and back: no leap where the circle begins anew
    objectives.push_back(std::make_unique<Objective>(
        chain.objectiveAt(0.5 * chain.n, 0.3 + 0.02 * (i < kFrames / 2 ? i : kFrames - i))));
  Pose pose = restPose(*chain.figure);
  for (int i = 0; i < kFrames; ++i)
    chain.solve(*objectives[static_cast<std::size_t>(i)], pose, i == 0 ? Start::Here : Start::Warm);
  Record record;
  int frame = 0;
  for (auto _ : state) {
    const double before = chain.floorAt(pose);
    const Objective& objective = *objectives[static_cast<std::size_t>(frame++ % kFrames)];
    Summary summary;
    const double time = timeOf([&] { summary = chain.solve(objective, pose, Start::Warm); });
    record.add(0.5 * (before + chain.floorAt(pose)), time, summary);
    state.SetIterationTime(1e-9 * time);
  }
  record.count(state);
}
BENCHMARK(dragFrame)->Name("table/planar drag frame")->Arg(10)->Arg(100)->Arg(1000)->Arg(10000)
    ->UseManualTime()->Unit(benchmark::kMicrosecond);

/// From the straight chain to a random goal in the disc; any good minimum will do.
void coldSolve(benchmark::State& state) {
  Chain chain(static_cast<int>(state.range(0)));
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  Record record;
  for (auto _ : state) {
    const double radius = chain.n * std::sqrt(unit(random)), angle = 2.0 * std::numbers::pi * unit(random);
    const Objective objective = chain.objectiveAt(radius, angle);
    Pose pose = restPose(*chain.figure);
    const double before = chain.floorAt(pose);
    Summary summary;
    const double time = timeOf([&] { summary = chain.solve(objective, pose, Start::Anywhere); });
    record.add(before, time, summary);
    state.SetIterationTime(1e-9 * time);
  }
  record.count(state);
}
BENCHMARK(coldSolve)->Name("table/planar cold solve")->Arg(10)->Arg(100)->Arg(1000)
    ->UseManualTime()->Unit(benchmark::kMicrosecond);

/// The least f of many solves from random bends, each angle within what bends the whole chain by a turn.
double leastOfMany(Chain& chain, const Objective& objective, std::mt19937& random, int starts) {
  const double bend = 2.0 * std::numbers::pi / std::sqrt(static_cast<double>(chain.n));
  std::uniform_real_distribution<double> angle(-0.5 * bend, 0.5 * bend);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < starts; ++i) {
    Pose pose = restPose(*chain.figure);
    for (double& q : pose.coordinates) q = angle(random);
    least = std::min(least, chain.solve(objective, pose, Start::Here).objective);
  }
  return least;
}

/// Random goals in the disc: the part that ends at the best minimum that is known, by many random starts or by this
/// solve. Goals beyond every angle's half turn do not exist here.
void randomGoals(benchmark::State& state) {
  constexpr int kStarts = 24;
  constexpr double kSame = 1e-6;
  Chain chain(static_cast<int>(state.range(0)));
  std::mt19937 random(6);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  double best = 0.0, goals = 0.0;
  for (auto _ : state) {
    const double radius = chain.n * std::sqrt(unit(random)), angle = 2.0 * std::numbers::pi * unit(random);
    const Objective objective = chain.objectiveAt(radius, angle);
    Pose pose = restPose(*chain.figure);
    double f = 0.0;
    state.SetIterationTime(1e-9 * timeOf([&] { f = chain.solve(objective, pose, Start::Anywhere).objective; }));
    best += f <= leastOfMany(chain, objective, random, kStarts) * (1.0 + kSame) + kSame;
    ++goals;
  }
  state.counters["success"] = best / goals;
  state.counters["goals"] = goals;
}
BENCHMARK(randomGoals)->Name("table/planar random goals")->Arg(1)->Arg(2)->Arg(4)->Arg(10)->Arg(30)->Arg(100)
    ->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace limber
