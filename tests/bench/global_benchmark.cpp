// SPDX-License-Identifier: MIT
// Hand and body posed from their key points, without a start: the relaxation, its rounding, the refinement (SDP-IK),
// one new pose each time. Everything is built once; what is timed sets the targets and solves.
//
// Counters: "median" and "p95" (us), of them "relaxation" and "refinement" (us, mean), "iterations" (of the
// interior-point method), "success" (the part within 1e-3 of 100 mm for the hand, 800 mm for the body, of the lower of
// this end and that of the same refinement from the pose that was observed).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

#include "bench/thread_time.h"
#include "limber/io/figure_source.h"
#include "limber/scene/document.h"
#include "limber/solvers/convex/global_pose.h"
#include "limber/solvers/registry.h"
#include "locations.h"
#include "support/key_points.h"
#include "support/observed_figure.h"

namespace limber::global_benchmark {
namespace {

constexpr int kPoses = 50;

struct Task {
  const char* figure;
  double size;   ///< L, metres
  double noise;  ///< metres
  bool ends;     ///< end effectors and the root alone
};

double costFromTruth(const test::ObservedFigure& observed) {
  const Solver& solver = *findSolver("lm");
  Workspace workspace;
  Pose pose = observed.pose;
  solver.solve(observed.objective(), pose, defaultOptions(solver), workspace);
  return observed.cost(pose);
}

void poseGlobally(benchmark::State& state, Task task) {
  const auto source = io::openFigureSource(task.figure, LIMBER_SOURCE_DIR "/resources/figures");
  if (!source) return state.SkipWithError(source.error().message().c_str());
  const std::shared_ptr<const Figure> figure = source->figure;
  std::mt19937 random(4);
  std::vector<test::ObservedFigure> poses;
  const std::vector<Relaxation::Point> points = test::keyPoints(*figure, task.ends);
  for (int i = 0; i < kPoses; ++i) poses.push_back(test::observe(figure, points, task.noise, random));
  const Objective first = poses[0].objective();
  GlobalMethod method(first, limitsOf(*figure), restPose(*figure));
  if (!method.fault().empty()) return state.SkipWithError(method.fault().c_str());
  InteriorPoint relaxed(method.relaxation());
  Relaxation relaxation = method.relaxation();
  std::vector<double> best;
  for (const test::ObservedFigure& p : poses) best.push_back(costFromTruth(p));
  double iterations = 0.0, success = 0.0, relaxing = 0.0, all = 0.0;
  std::vector<double> times;
  for (auto _ : state) {
    const std::size_t k = times.size() % kPoses;
    const Objective objective = poses[k].objective();
    Pose pose = restPose(*figure);
    const double start = bench::threadTime();
    const GlobalSummary summary = method.solve(objective, pose);
    times.push_back(bench::threadTime() - start);
    state.SetIterationTime(1e-9 * times.back());
    const double again = bench::threadTime();
    relaxation.setTargets(poses[k].targets);
    relaxed.solve(relaxation);
    relaxing += bench::threadTime() - again;
    all += times.back();
    const double cost = poses[k].cost(pose);
    iterations += summary.relaxation.iterations;
    success += cost <= std::min(best[k], cost) + 1e-3 * task.size;
  }
  const auto count = static_cast<double>(times.size());
  std::ranges::sort(times);
  state.counters["median"] = 1e-3 * times[times.size() / 2];
  state.counters["p95"] = 1e-3 * times[times.size() * 95 / 100];
  state.counters["relaxation"] = 1e-3 * relaxing / count;
  state.counters["refinement"] = 1e-3 * (all - relaxing) / count;
  state.counters["iterations"] = iterations / count;
  state.counters["success"] = success / count;
}

/// The certificate: the hull form to 1e-7, nothing to break ties. "certified" is the fraction of poses for which the
/// best pose of the method global, or of the refinement from the observed pose, is proved to be within 1 % of f or 1e-6
/// L^2.
void certifyGlobally(benchmark::State& state, Task task) {
  const auto source = io::openFigureSource(task.figure, LIMBER_SOURCE_DIR "/resources/figures");
  if (!source) return state.SkipWithError(source.error().message().c_str());
  const std::shared_ptr<const Figure> figure = source->figure;
  std::mt19937 random(4);
  const std::vector<Relaxation::Point> points = test::keyPoints(*figure, task.ends);
  const std::vector<char> all(static_cast<std::size_t>(figure->stepSize()), 1);
  Relaxation relaxation(*figure, limitsOf(*figure), all, restPose(*figure), points, RelaxationForm::Hull);
  InteriorPoint method(relaxation);
  const Solver& global = *findSolver("global");
  double iterations = 0.0, certified = 0.0;
  std::vector<double> times;
  for (auto _ : state) {
    const test::ObservedFigure observed = test::observe(figure, points, task.noise, random);
    Pose pose = restPose(*figure);
    Workspace workspace;
    global.solve(observed.objective(), pose, defaultOptions(global), workspace);
    const double cost = std::min(costFromTruth(observed), observed.cost(pose)), value = cost * cost;
    const double start = bench::threadTime();
    relaxation.setTargets(observed.targets);
    const InteriorPointSummary summary =
        method.solve(relaxation, {.tolerance = 1e-7, .tieBreak = 0.0, .maxIterations = 60});
    times.push_back(bench::threadTime() - start);
    state.SetIterationTime(1e-9 * times.back());
    iterations += summary.iterations;
    certified += value - summary.lowerBound <= std::max(0.01 * value, 1e-6 * task.size * task.size);
  }
  const auto count = static_cast<double>(times.size());
  std::ranges::sort(times);
  state.counters["median"] = 1e-3 * times[times.size() / 2];
  state.counters["p95"] = 1e-3 * times[times.size() * 95 / 100];
  state.counters["iterations"] = iterations / count;
  state.counters["certified"] = certified / count;
}

/// The solver sdp-ik of the registry. "found" counts the poses that end as low as the refinement from what was
/// observed, within 1e-3 of the size; "tight" those that it proves; "rank" and "rank_most" are the extremes.
void poseBySdpIk(benchmark::State& state, Task task) {
  const auto source = io::openFigureSource(task.figure, LIMBER_SOURCE_DIR "/resources/figures");
  if (!source) return state.SkipWithError(source.error().message().c_str());
  std::mt19937 random(4);
  const std::vector<Relaxation::Point> points = test::keyPoints(*source->figure, task.ends);
  const Solver& solver = *findSolver("sdp-ik");
  double found = 0.0, tight = 0.0;
  int least = 4, most = 0;
  std::vector<double> times;
  for (auto _ : state) {
    const test::ObservedFigure observed = test::observe(source->figure, points, task.noise, random);
    const Objective objective = observed.objective();
    Pose pose = restPose(*source->figure);
    Workspace workspace;
    const double start = bench::threadTime();
    const Summary summary = solver.solve(objective, pose, defaultOptions(solver), workspace);
    times.push_back(bench::threadTime() - start);
    state.SetIterationTime(1e-9 * times.back());
    found += observed.cost(pose) <= costFromTruth(observed) + 1e-3 * task.size;
    tight += summary.relaxation.isTight;
    least = std::min(least, summary.relaxation.rank);
    most = std::max(most, summary.relaxation.rank);
  }
  std::ranges::sort(times);
  state.counters["median"] = 1e-3 * times[times.size() / 2];
  state.counters["p95"] = 1e-3 * times[times.size() * 95 / 100];
  state.counters["found"] = found;
  state.counters["tight"] = tight;
  state.counters["rank"] = least;
  state.counters["rank_most"] = most;
}

struct NamedTask {
  const char* name;
  Task task;
};
constexpr NamedTask kTasks[] = {
    {"hand all clean", {"hand.json", 0.1, 0.0, false}},  {"hand ends clean", {"hand.json", 0.1, 0.0, true}},
    {"hand all noisy", {"hand.json", 0.1, 0.01, false}}, {"hand ends noisy", {"hand.json", 0.1, 0.01, true}},
    {"body all clean", {"body.json", 0.8, 0.0, false}},  {"body ends clean", {"body.json", 0.8, 0.0, true}},
    {"body all noisy", {"body.json", 0.8, 0.1, false}},  {"body ends noisy", {"body.json", 0.8, 0.1, true}}};

void registerAs(const std::string& name, void (*run)(benchmark::State&, Task), Task task) {
  benchmark::RegisterBenchmark(name.c_str(), run, task)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond)
      ->Iterations(kPoses);
}

const bool kIsRegistered = [] {
  for (const NamedTask& each : {kTasks[2], kTasks[6]})
    registerAs(std::string("certificate/") + each.name, certifyGlobally, each.task);
  for (const auto& [name, task] : kTasks) registerAs(std::string("global/") + name, poseGlobally, task);
  for (const auto& [name, task] : kTasks) registerAs(std::string("sdp-ik/") + name, poseBySdpIk, task);
  return true;
}();

}  // namespace
}  // namespace limber::global_benchmark
