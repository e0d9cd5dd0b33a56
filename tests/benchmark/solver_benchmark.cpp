// SPDX-License-Identifier: MIT
// What a mouse event costs, beside its floor: one forward-kinematics pass of the same figure in the same run.
//   build/release/bin/limber_benchmarks
#include <benchmark/benchmark.h>

#include <cmath>

#include "kinematics/standard_figures.h"
#include "posing/posing.h"
#include "posing/problem.h"
#include "solvers/registry.h"
#include "support/awkward_figure.h"

namespace limber {
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
BENCHMARK(forwardKinematics)->Name("planar chain/forward kinematics")->Arg(10)->Arg(100)->Arg(1000);

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
BENCHMARK(gradient)->Name("planar chain/f and gradient")->Arg(10)->Arg(100)->Arg(1000);

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
  const std::vector<char> free(static_cast<std::size_t>(n), 1);
  for (auto _ : state) {
    objective.evaluate(pose, evaluation);
    objective.computeGradient(evaluation, g);
    exactMultipliers(objective, evaluation, multipliers);
    sweep.assemble(objective, evaluation, multipliers);
    if (!sweep.factor(1.0, free)) state.SkipWithError("not positive definite");
    sweep.solve(step);
    benchmark::DoNotOptimize(step.data());
  }
}
BENCHMARK(exactStep)->Name("planar chain/exact Newton iteration")->Arg(10)->Arg(100)->Arg(1000);

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
BENCHMARK_CAPTURE(dragChain, newton, "newton")->Name("planar chain/mouse event, newton")
    ->Arg(4)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(dragChain, hybrid, "gdls+nm")->Name("planar chain/mouse event, gdls+nm")
    ->Arg(4)->Arg(10)->Unit(benchmark::kMicrosecond);

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
BENCHMARK(coldChain)->Name("planar chain/cold solve from straight, newton")
    ->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace limber
