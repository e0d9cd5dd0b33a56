// SPDX-License-Identifier: MIT
// The method "global" and the certificate of its result, on hand and body observed in random poses.
//
// Counters: "median" and "p95" of the search (ms), "certificate" and "certificate p95" (ms), "success" (the part within
// 1e-3 of 100 mm for the hand, 800 mm for the body, of the lowest cost known: its own, SDP-IK's alone, or that of the
// default solver from the observed pose and from twenty random ones), "alone" (the same of SDP-IK alone), "certified"
// (part), "gap" (mm, median).
#include <benchmark/benchmark.h>

#include <algorithm>

#include "bench/thread_time.h"
#include "limber/io/figure_source.h"
#include "limber/solvers/convex/certificate.h"
#include "limber/solvers/convex/global_pose.h"
#include "limber/solvers/registry.h"
#include "limber/solvers/steps/random_pose.h"
#include "locations.h"
#include "support/key_points.h"
#include "support/observed_figure.h"

namespace limber::global_search_benchmark {
namespace {

constexpr int kPoses = 100;
constexpr int kOthers = 20;
constexpr double kSuccess = 1e-3;  // of the figure's size

struct Task {
  const char* figure;
  double size;   ///< L, metres
  double noise;  ///< metres
  bool ends;     ///< end effectors and the root alone
};

/// The least f of the default solver from the observed pose and from random ones.
double lowestOfOthers(const test::ObservedFigure& observed, const Objective& objective) {
  const Solver& newton = *allSolvers().front();
  std::vector<PointGoal> points;
  collectSeenPoints(objective, points);
  FreeSpace space;
  objective.feasibleSet().findFreeSpace(observed.pose, Eigen::VectorXd::Zero(objective.activeCount()), space);
  RandomStream random(5);
  Kinematics kinematics;
  std::vector<PointPair> pairs;
  Workspace workspace;
  double lowest = std::numeric_limits<double>::infinity();
  for (int k = 0; k <= kOthers; ++k) {
    Pose pose = observed.pose;
    if (k > 0) randomizePose(objective, space, observed.pose, random, pose);
    layRootsOnto(objective, points, kinematics, pairs, pose);
    newton.solve(objective, pose, defaultOptions(newton), workspace);
    lowest = std::min(lowest, observed.cost(pose));
  }
  return lowest;
}

double at(std::vector<double>& values, double part) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

void searchGlobally(benchmark::State& state, Task task) {
  const auto source = io::openFigureSource(task.figure, LIMBER_SOURCE_DIR "/resources/figures");
  if (!source) return state.SkipWithError(source.error().message().c_str());
  const std::shared_ptr<const Figure> figure = source->figure;
  const std::vector<Relaxation::Point> points = test::keyPoints(*figure, task.ends);
  const Solver& global = *findSolver("global");
  std::mt19937 random(77);
  std::vector<double> searches, certificates, gaps;
  int success = 0, alone = 0, certified = 0;
  for (auto _ : state) {
    const test::ObservedFigure observed = test::observe(figure, points, task.noise, random);
    const Objective objective = observed.objective();
    Pose pose = restPose(*figure), other = pose;
    Workspace workspace;
    double start = bench::threadTime();
    global.solve(objective, pose, defaultOptions(global), workspace);
    searches.push_back(1e-6 * (bench::threadTime() - start));
    state.SetIterationTime(1e-3 * searches.back());
    start = bench::threadTime();
    const Certificate certificate = certify(objective, limitsOf(*figure), pose);
    certificates.push_back(1e-6 * (bench::threadTime() - start));
    gaps.push_back(1e3 * certificate.gap());
    certified += certificate.isCertified;
    GlobalMethod(objective, limitsOf(*figure), restPose(*figure)).solve(objective, other);
    const double cost = observed.cost(pose), costAlone = observed.cost(other);
    const double lowest = std::min({cost, costAlone, lowestOfOthers(observed, objective)});
    success += cost <= lowest + kSuccess * task.size;
    alone += costAlone <= lowest + kSuccess * task.size;
  }
  const auto count = static_cast<double>(searches.size());
  state.counters["median"] = at(searches, 0.5);
  state.counters["p95"] = at(searches, 0.95);
  state.counters["certificate"] = at(certificates, 0.5);
  state.counters["certificate p95"] = at(certificates, 0.95);
  state.counters["success"] = success / count;
  state.counters["alone"] = alone / count;
  state.counters["certified"] = certified / count;
  state.counters["gap"] = at(gaps, 0.5);
}

#define LIMBER_SEARCH(label, figure, size, noise, ends)                     \
  BENCHMARK_CAPTURE(searchGlobally, label, Task{figure, size, noise, ends}) \
      ->Name("global search/" #label)                                       \
      ->UseManualTime()                                                     \
      ->Unit(benchmark::kMillisecond)                                       \
      ->Iterations(kPoses)
LIMBER_SEARCH(hand all noisy, "hand.json", 0.1, 0.01, false);
LIMBER_SEARCH(hand ends noisy, "hand.json", 0.1, 0.01, true);
LIMBER_SEARCH(body all clean, "body.json", 0.8, 0.0, false);
LIMBER_SEARCH(body all noisy, "body.json", 0.8, 0.1, false);
LIMBER_SEARCH(body ends noisy, "body.json", 0.8, 0.1, true);

}  // namespace
}  // namespace limber::global_search_benchmark
