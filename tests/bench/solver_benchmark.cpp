// SPDX-License-Identifier: MIT
// The cost of a mouse event, relative to its floor: one forward-kinematics pass of the same figure in the same run.
//   build/release/bin/limber_benchmarks
#include <benchmark/benchmark.h>

#include <cmath>

#include "limber/io/json/figure_json.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/objective/sweep/tree_sweep.h"
#include "limber/posing/posed_problem.h"
#include "limber/posing/posing.h"
#include "limber/solvers/registry.h"
#include "locations.h"
#include "support/awkward_figure.h"

namespace limber::solver_benchmark {
namespace {

void forwardKinematics(benchmark::State& state) {
  const auto figure = makePlanarChain(static_cast<int>(state.range(0)));
  Pose pose = restPose(*figure);
  pose.coordinates.setConstant(0.3 / static_cast<double>(state.range(0)));
  Kinematics kinematics;
  for (auto _ : state) {
    computeTransforms(*figure, pose, kinematics);
    benchmark::DoNotOptimize(kinematics.worldFromLink.back());
  }
}
BENCHMARK(forwardKinematics)->Name("planar chain/forward kinematics")->ArgsProduct({{10, 100, 1000}});

void gradient(benchmark::State& state) {
  const Objective objective = test::makeChainObjective(static_cast<int>(state.range(0)), {1, 1, 0});
  Pose pose = restPose(objective.figure());
  pose.coordinates.setConstant(0.3 / static_cast<double>(state.range(0)));
  Evaluation evaluation;
  Eigen::VectorXd g;
  for (auto _ : state) {
    objective.evaluate(pose, evaluation);
    objective.computeGradient(evaluation, g);
    benchmark::DoNotOptimize(g.data());
  }
}
BENCHMARK(gradient)->Name("planar chain/f and gradient")->ArgsProduct({{10, 100, 1000}});

void exactStep(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const Objective objective = test::makeChainObjective(n, {0.3 * n, 0.4 * n, 0});
  Pose pose = restPose(objective.figure());
  const Solver& newton = *findSolver("newton");
  Workspace workspace;
  newton.solve(objective, pose, defaultOptions(newton), workspace);  // at a minimum H is positive definite
  Evaluation evaluation;
  Eigen::VectorXd g, step;
  TreeSweep sweep;
  std::vector<Residual> multipliers;
  FreeSpace space;
  space.free.assign(static_cast<std::size_t>(n), 1);
  const Eigen::VectorXd metric = Eigen::VectorXd::Ones(n);
  for (auto _ : state) {
    objective.evaluate(pose, evaluation);
    objective.computeGradient(evaluation, g);
    exactMultipliers(objective, evaluation, multipliers);
    sweep.assemble(objective, evaluation, multipliers);
    if (!sweep.factor(1.0, space, metric)) state.SkipWithError("not positive definite");
    sweep.solve(step);
    benchmark::DoNotOptimize(step.data());
  }
}
BENCHMARK(exactStep)->Name("planar chain/exact Newton iteration")->ArgsProduct({{10, 100, 1000}});

/// A target on a circle of half the reach, 1 % of the reach further at each event, as a drag sees it.
void dragChain(benchmark::State& state, const char* solver) {
  const int n = static_cast<int>(state.range(0));
  Document document = makeDocument(makePlanarChain(n));
  document.solver.solver = solver;
  document.goals[0].target = {0.5 * n, 0.1 * n, 0.0};
  Posing posing;
  solveToEnd(posing, document);
  int event = 0;
  double iterations = 0.0;
  for (auto _ : state) {
    const double angle = 0.02 * ++event;
    document.goals[0].target = {0.5 * n * std::cos(angle), 0.1 * n + 0.5 * n * std::sin(angle), 0.0};
    solveToEnd(posing, document);
    iterations += posing.report().summary.iterations();
  }
  state.counters["iterations"] = iterations / static_cast<double>(state.iterations());
}
BENCHMARK_CAPTURE(dragChain, newton, "newton")
    ->Name("planar chain/mouse event, newton")
    ->ArgsProduct({{4, 10, 100, 1000, 10000}})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(dragChain, hybrid, "gdls+nm")
    ->Name("planar chain/mouse event, gdls+nm")
    ->ArgsProduct({{4, 10}})
    ->Unit(benchmark::kMicrosecond);

void coldChain(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  Posing posing;
  double iterations = 0.0;
  for (auto _ : state) {
    Document document = makeDocument(makePlanarChain(n));
    document.goals[0].target = {0.3 * n, 0.4 * n, 0.0};
    solveToEnd(posing, document);
    iterations += posing.report().summary.iterations();
  }
  state.counters["iterations"] = iterations / static_cast<double>(state.iterations());
}
BENCHMARK(coldChain)
    ->Name("planar chain/cold solve from straight, newton")
    ->ArgsProduct({{10, 100, 1000}})
    ->Unit(benchmark::kMicrosecond);

/// The application's humanoid with targets on both hands and the head.
Document humanoidWithThreeTargets(benchmark::State& state) {
  const auto figure = io::readFigure(LIMBER_SOURCE_DIR "/resources/figures/humanoid.json");
  if (!figure) {
    state.SkipWithError(figure.error().message().c_str());
    return makeDocument(makePlanarChain(1));
  }
  Document document = makeDocument(*figure);
  for (const char* name : {"left_palm", "right_palm", "head_top"}) {
    const Site& site = document.figure->sites()[static_cast<std::size_t>(document.figure->findSite(name))];
    addGoal(document, site.link, site.linkFromSite.translation);
  }
  return document;
}

void humanoidKinematics(benchmark::State& state) {
  const Document document = humanoidWithThreeTargets(state);
  Kinematics kinematics;
  for (auto _ : state) {
    computeTransforms(*document.figure, document.pose, kinematics);
    benchmark::DoNotOptimize(kinematics.worldFromLink.back());
  }
}
BENCHMARK(humanoidKinematics)->Name("humanoid/forward kinematics");

/// All three targets move by millimetres at each event, up to half a metre from where they began.
void dragHumanoid(benchmark::State& state) {
  Document document = humanoidWithThreeTargets(state);
  const Document start = document;
  PosingRequest request;
  request.startPose = document.pose;
  request.followsLast = true;
  Posing posing;
  double iterations = 0.0, reached = 0.0;
  int event = 0;
  for (auto _ : state) {
    const double t = 0.01 * ++event;
    const Eigen::Vector3d moves[] = {{0.15 * std::sin(t), 0.3 * (1 - std::cos(t)), 0.3 * std::sin(0.7 * t)},
                                     {-0.1 * std::sin(2 * t), 0.35 * (1 - std::cos(0.8 * t)), 0.25 * (1 - std::cos(t))},
                                     {0.05 * std::sin(t), -0.03 * (1 - std::cos(t)), 0.1 * std::sin(t)}};
    for (std::size_t k = 0; k < document.goals.size(); ++k) document.goals[k].target = start.goals[k].target + moves[k];
    const PosingReport report = solveToEnd(posing, document, request);
    iterations += report.summary.iterations();
    reached += report.outcome == Outcome::Reached;
  }
  const double events = static_cast<double>(state.iterations());
  state.counters["iterations"] = iterations / events;
  state.counters["reached"] = reached / events;
}
BENCHMARK(dragHumanoid)->Name("humanoid/mouse event, three targets, newton")->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace limber::solver_benchmark
