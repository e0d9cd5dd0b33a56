// SPDX-License-Identifier: MIT
// The arm of seven joints: full poses that it reaches, from random starts within its limits. One by one by "find any
// pose", and a batch of them on one core. The floor is a pass of kinematics and twists of that figure in the same run.
//
// Counters: "success" (part that forward kinematics calls solved), "median" and "p95" (us a problem), "floor" (ns of a
// pass), "rate" (problems a second). tests/bench/table.py reads those of table/.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include "bench/thread_time.h"
#include "limber/solvers/batch/batch.h"
#include "limber/solvers/methods/multi_start.h"
#include "support/reachable_arm.h"

namespace limber::arm_benchmark {
namespace {

using bench::threadTime;

constexpr int kSingleProblems = 1000, kBatchProblems = 20000;

std::vector<test::ArmProblem> makeProblems(int count) {
  const auto arm = makeArm();
  RandomStream random(2026);
  std::vector<test::ArmProblem> problems;
  for (int i = 0; i < count; ++i) problems.push_back(test::makeArmProblem(arm, random));
  return problems;
}

/// Nanoseconds of a pass.
double passTime(const test::ArmProblem& problem) {
  constexpr int kPasses = 20000;
  Kinematics kinematics;
  computeKinematics(*problem.figure, problem.start, kinematics);
  const double start = threadTime();
  for (int i = 0; i < kPasses; ++i) {
    computeKinematics(*problem.figure, problem.start, kinematics);
    benchmark::DoNotOptimize(kinematics.twists.data());
  }
  return (threadTime() - start) / kPasses;
}

/// Every problem by multi-start, to the tolerance of *solved*; the objectives are made beforehand.
void solveOneByOne(benchmark::State& state, double metres, double radians, double tolerance) {
  const auto problems = makeProblems(kSingleProblems);
  std::vector<Objective> objectives;
  for (const test::ArmProblem& problem : problems) objectives.push_back(test::makeObjective(problem));
  const MultiStartOptions options{.answers = 1, .tolerance = tolerance};  // any pose will do
  Workspace workspace;
  std::vector<double> times;
  double solved = 0.0;
  const double cost = bench::threadTimeCost();
  for (auto _ : state) {
    double sum = 0.0;
    for (std::size_t i = 0; i < problems.size(); ++i) {
      Pose pose = problems[i].start;
      const double start = threadTime();
      options.solver().solve(objectives[i], pose, options, workspace);
      times.push_back(threadTime() - start - cost);
      sum += times.back();
      const test::ArmError error = test::errorOf(problems[i], pose);
      solved += error.position <= metres && error.angle <= radians;
    }
    state.SetIterationTime(1e-9 * sum);
  }
  const double count = static_cast<double>(times.size());
  std::sort(times.begin(), times.end());
  double sum = 0.0;
  for (const double time : times) sum += time;
  state.counters["success"] = solved / count;
  state.counters["median"] = 1e-3 * times[times.size() / 2];
  state.counters["p95"] = 1e-3 * times[times.size() * 95 / 100];
  state.counters["floor"] = passTime(problems.front());
  state.counters["rate"] = 1e9 * count / sum;
}

void solveBatch(benchmark::State& state, const BatchOptions& options) {
  const auto problems = makeProblems(kBatchProblems);
  const Figure& arm = *problems.front().figure;
  const Site& tool = arm.sites()[static_cast<std::size_t>(arm.findSite("tool"))];
  const BatchSolver solver(problems.front().figure, {{tool.link, tool.linkFromSite}});
  BatchProblems batch;
  batch.starts.resize(arm.poseSize(), kBatchProblems);
  for (int i = 0; i < kBatchProblems; ++i) {
    batch.starts.col(i) = problems[static_cast<std::size_t>(i)].start.coordinates;
    batch.targets.push_back(problems[static_cast<std::size_t>(i)].target);
  }
  BatchAnswers answers;
  double nanoseconds = 0.0;
  for (auto _ : state) {
    const double start = threadTime();
    solver.solve(batch, options, answers);
    nanoseconds += threadTime() - start;
    state.SetIterationTime(1e-9 * (threadTime() - start));
  }
  double solved = 0.0, turns = 0.0;
  for (const BatchAnswer& answer : answers.answers) {
    solved += answer.reached;
    turns += answer.iterations;
  }
  const double runs = static_cast<double>(state.iterations());
  state.counters["success"] = solved / kBatchProblems;
  state.counters["iterations"] = turns / kBatchProblems;
  state.counters["floor"] = passTime(problems.front());
  state.counters["rate"] = 1e9 * runs * kBatchProblems / nanoseconds;
}

// To 1e-5 metres and radians, as the peers are asked; then to 0.1 mm and a milliradian, as the batch is.
BENCHMARK_CAPTURE(solveOneByOne, fine, 1e-5, 1e-5, 5e-6)->Name("arm/find any pose, to 1e-5")->UseManualTime();
BENCHMARK_CAPTURE(solveOneByOne, coarse, 1e-4, 1e-3, 3e-4)->Name("table/arm one by one")->UseManualTime();
BENCHMARK_CAPTURE(solveBatch, single, BatchOptions{})->Name("table/arm batch")->UseManualTime();
BENCHMARK_CAPTURE(solveBatch, fine, BatchOptions{.doublePrecision = true})->Name("arm/batch, double")->UseManualTime();
BENCHMARK_CAPTURE(solveBatch, polished, BatchOptions{.polish = true})->Name("arm/batch, polished")->UseManualTime();

}  // namespace
}  // namespace limber::arm_benchmark
