// SPDX-License-Identifier: MIT
#include "experiments/local_methods.h"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "benchmark/thread_time.h"
#include "experiments/penalty_trust_region.h"
#include "experiments/starts.h"
#include "solvers/registry.h"

namespace limber::experiments {

namespace {

constexpr std::string_view kLocalMethods[] = {"gdls", "trust-region", "cg", "lbfgs"};
constexpr std::string_view kPaperMethod = "penalty_mm";
constexpr double kPaperLambda = 1e-4;  // 100 mm^2 a square radian
constexpr double kUncapped = 100000.0;

/// The cost over time of one run. Reading the clock and noting the cost are not counted.
class CostClock final : public Observer {
 public:
  /// lengthScale: cost = lengthScale * sqrt(2 f).
  CostClock(double lengthScale, double cap) : lengthScale_(lengthScale), cap_(cap), times_(curveTimes()) {}

  void begin(double cost) {
    cost_ = cost;
    start_ = bench::threadTime();
  }
  bool onIteration(const IterationRecord& record, const Pose&) override {
    return note(lengthScale_ * std::sqrt(2.0 * record.objective));
  }
  bool note(double cost) {
    const double now = elapsed();
    advanceTo(now);
    cost_ = cost;
    ++iterations_;
    isCapped_ = now > cap_;
    return !isCapped_;
  }
  void finish(double cost, LocalRun& run) {
    run.time = elapsed();
    advanceTo(run.time);
    cost_ = cost;
    advanceTo(std::max(run.time, times_.back()) * 2.0);
    run.cost = cost;
    run.iterations = iterations_;
    run.isCapped = isCapped_;
    run.curve = std::move(curve_);
  }

 private:
  double elapsed() const { return 1e-9 * (bench::threadTime() - start_); }
  /// Until then the cost was what it is.
  void advanceTo(double time) {
    while (curve_.size() < times_.size() && times_[curve_.size()] < time) curve_.push_back(cost_);
  }

  double lengthScale_, cap_;
  std::vector<double> times_, curve_;
  double cost_ = 0.0, start_ = 0.0;
  int iterations_ = 0;
  bool isCapped_ = false;
};

/// As many iterations as it lets itself be given; at their end it starts again from where it is. Time is the only cap.
OptionValues uncapped(const Solver& solver) {
  OptionValues values = defaultOptions(solver);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const OptionInfo& option = solver.options()[i];
    if (option.name == "maxIterations" || option.name == "gdlsIterationsPerCoordinate")
      values[i] = std::min(kUncapped, option.maximum);
  }
  return values;
}

LocalRun runLocal(std::string_view method, const test::ObservedFigure& problem, const Objective& objective, Pose pose,
                  double cap, Workspace& workspace) {
  LocalRun run;
  run.method = method;
  const double size = problem.figure->meanLinkLength() / std::sqrt(static_cast<double>(problem.points.size()));
  CostClock clock(size, cap);
  clock.begin(problem.cost(pose));
  if (method == kPaperMethod) {
    solveWithPenalty(objective, pose, {.lambda = kPaperLambda, .maxIterations = static_cast<int>(kUncapped)},
                     [&](const Pose& at) { return clock.note(problem.cost(at)); });
  } else {
    const Solver& solver = *findSolver(method);
    const OptionValues options = uncapped(solver);
    while (solver.solve(objective, pose, options, workspace, {}, Start::Here, &clock).status ==
           SolveStatus::IterationCap) {
    }
  }
  clock.finish(problem.cost(pose), run);
  return run;
}

}  // namespace

std::vector<double> curveTimes() {
  std::vector<double> times;
  for (int k = -50; k <= 14; ++k) times.push_back(std::pow(10.0, 0.1 * k));
  times.push_back(30.0);
  return times;
}

std::vector<LocalRun> runLocalMethods(const Case& problems, const LocalSettings& settings) {
  std::vector<std::string_view> methods(std::begin(kLocalMethods), std::end(kLocalMethods));
  methods.push_back(kPaperMethod);
  std::vector<LocalRun> runs;
  for (const std::string_view method : methods) {
    Workspace workspace;
    for (int i = 0; i < settings.problems; ++i) {
      const test::ObservedFigure& problem = problems.problems.at(static_cast<std::size_t>(i));
      const Objective objective = problem.objective();
      RandomStream random(settings.seed * 1000003u + static_cast<std::uint64_t>(i));
      const std::vector<Pose> starts = randomStarts(problem, objective, settings.starts, random);
      for (int s = 0; s < settings.starts; ++s) {
        runs.push_back(
            runLocal(method, problem, objective, starts[static_cast<std::size_t>(s)], settings.cap, workspace));
        runs.back().problem = i;
        runs.back().start = s;
      }
    }
  }
  return runs;
}

void writeLocalRuns(const std::vector<LocalRun>& runs, std::ostream& out) {
  out << "method,pose,start,cost_mm,time_s,iterations,capped\n";
  for (const LocalRun& r : runs)
    out << r.method << ',' << r.problem << ',' << r.start << ',' << 1e3 * r.cost << ',' << r.time << ','
        << r.iterations << ',' << r.isCapped << '\n';
}

void writeLocalCurves(const std::vector<LocalRun>& runs, std::ostream& out) {
  out << "method,pose,start,time_s,cost_mm\n";
  const std::vector<double> times = curveTimes();
  for (const LocalRun& r : runs)
    for (std::size_t k = 0; k < times.size(); ++k)
      out << r.method << ',' << r.problem << ',' << r.start << ',' << times[k] << ',' << 1e3 * r.curve[k] << '\n';
}

}  // namespace limber::experiments
