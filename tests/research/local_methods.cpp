// SPDX-License-Identifier: MIT
#include "research/local_methods.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <ostream>

#include "bench/thread_time.h"
#include "limber/solvers/registry.h"
#include "research/limit_goal.h"
#include "research/starts.h"

namespace limber::experiments {

namespace {

constexpr LimitTreatment kLimitTreatments[] = {{"penalty_mm", 1e-4}, {"penalty_m", 100.0}, {"kept", 0.0}};
constexpr std::string_view kLocalMethods[] = {"gdls", "trust-region", "cg", "lbfgs"};
constexpr double kFlatGradient = 1e-6;  // Manopt's default
constexpr double kUncapped = 100000.0;

/// Follows one run and ends it. The time spent here does not count as the run's.
class RunClock final : public Observer {
 public:
  RunClock(const test::ObservedFigure& problem, const Objective& objective, const Workspace& workspace, double cap)
      : problem_(problem), objective_(objective), workspace_(workspace), cap_(cap), times_(curveTimes()),
        marks_(curveIterations()) {}

  void begin(const Pose& pose) {
    pose_ = pose;
    start_ = bench::threadTime();
  }
  bool onIteration(const IterationRecord&, const Pose& pose) override {
    const double now = bench::threadTime();
    time_ = 1e-9 * (now - start_);
    fillTimes(time_);
    pose_.coordinates = pose.coordinates;
    isCostKnown_ = false;
    ++iterations_;
    fillIterations(iterations_);
    isFlat_ = gradientNorm() <= kFlatGradient;
    isCapped_ = time_ > cap_;
    start_ += bench::threadTime() - now;
    return !isFlat_ && !isCapped_;
  }
  void finish(LocalRun& run) {
    run.time = 1e-9 * (bench::threadTime() - start_);
    fillTimes(run.time);
    pose_ = run.pose;
    isCostKnown_ = false;
    fillTimes(2.0 * std::max(run.time, times_.back()));
    fillIterations(std::max(iterations_, marks_.back()));
    run.cost = cost();
    run.iterations = iterations_;
    run.end = isFlat_ ? LocalEnd::Flat : isCapped_ ? LocalEnd::Capped : LocalEnd::Stalled;
    run.costAtTime = std::move(costAtTime_);
    run.costAtIteration = std::move(costAtIteration_);
  }

 private:
  /// Cost of the last iterate, computed when a curve needs it.
  double cost() {
    if (!isCostKnown_) cost_ = problem_.cost(pose_);
    isCostKnown_ = true;
    return cost_;
  }
  /// Until then the run stood at the iterate seen last.
  void fillTimes(double until) {
    while (costAtTime_.size() < times_.size() && times_[costAtTime_.size()] < until) costAtTime_.push_back(cost());
  }
  void fillIterations(int until) {
    while (costAtIteration_.size() < marks_.size() && marks_[costAtIteration_.size()] <= until)
      costAtIteration_.push_back(cost());
  }

  /// Norm of the gradient within the free space, as in the record; in radians and mean link lengths.
  double gradientNorm() const {
    double squared = 0.0;
    for (int k = 0; k < objective_.activeCount(); ++k) {
      const double entry = workspace_.projected[k];
      squared += entry * entry / objective_.metric()[objective_.active()[static_cast<std::size_t>(k)]];
    }
    return std::sqrt(squared);
  }

  const test::ObservedFigure& problem_;
  const Objective& objective_;
  const Workspace& workspace_;
  double cap_;
  std::vector<double> times_, costAtTime_, costAtIteration_;
  std::vector<int> marks_;
  Pose pose_;
  double cost_ = 0.0, start_ = 0.0, time_ = 0.0;
  int iterations_ = 0;
  bool isCostKnown_ = false, isFlat_ = false, isCapped_ = false;
};

/// The method never ends by a tolerance of its own, and after as many iterations as it lets itself be given it starts
/// again from where it is: the observer alone ends a run, or the method that makes no more headway.
OptionValues optionsWithoutEnd(const Solver& solver) {
  OptionValues values = defaultOptions(solver);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const OptionInfo& option = solver.options()[i];
    if (option.name == "maxIterations" || option.name == "gdlsIterationsPerCoordinate")
      values[i] = std::min(kUncapped, option.maximum);
    else if (option.name == "tolerance" || option.name == "gdlsTol") values[i] = 0.0;
  }
  return values;
}

LocalRun runLocal(const Solver& solver, const test::ObservedFigure& problem, const Objective& objective,
                  const Pose& start, double cap, Workspace& workspace) {
  LocalRun run;
  run.pose = start;
  const OptionValues options = optionsWithoutEnd(solver);
  RunClock clock(problem, objective, workspace, cap);
  clock.begin(start);
  while (solver.solve(objective, run.pose, options, workspace, {}, Start::Here, &clock).status ==
         SolveStatus::IterationCap) {
  }
  clock.finish(run);
  return run;
}

std::string_view nameOf(LocalEnd end) {
  return end == LocalEnd::Flat ? "flat" : end == LocalEnd::Stalled ? "stalled" : "capped";
}

}  // namespace

std::span<const LimitTreatment> limitTreatments() { return kLimitTreatments; }
std::span<const std::string_view> localMethods() { return kLocalMethods; }

std::vector<double> curveTimes() {
  std::vector<double> times;
  for (int k = -50; k <= 14; ++k) times.push_back(std::pow(10.0, 0.1 * k));
  times.push_back(30.0);
  return times;
}

std::vector<int> curveIterations() {
  std::vector<int> marks;
  for (int k = 0; k <= 60; ++k) {
    const int mark = static_cast<int>(std::lround(std::pow(10.0, 0.1 * k)));
    if (marks.empty() || mark > marks.back()) marks.push_back(mark);
  }
  return marks;
}

std::vector<LocalRun> runLocalMethods(const Case& problems, const LocalSettings& settings) {
  std::vector<LocalRun> runs;
  for (int i = 0; i < settings.problems; ++i) {
    const test::ObservedFigure& problem = problems.problems.at(static_cast<std::size_t>(i));
    const Objective limited = problem.objective();
    RandomStream random(settings.seed * 1000003u + static_cast<std::uint64_t>(i));
    const std::vector<Pose> starts = randomStarts(problem, limited, settings.starts, random);
    for (const LimitTreatment& treatment : kLimitTreatments) {
      const Objective objective =
          treatment.lambda > 0.0 ? penalisedObjective(problem, treatment.lambda) : problem.objective();
      for (const std::string_view method : kLocalMethods) {
        Workspace workspace;
        for (int s = 0; s < settings.starts; ++s) {
          LocalRun run = runLocal(*findSolver(method), problem, objective, starts[static_cast<std::size_t>(s)],
                                  settings.cap, workspace);
          run.method = method;
          run.limits = treatment.name;
          run.problem = i;
          run.start = s;
          run.overstep = limited.feasibleSet().violation(run.pose);
          runs.push_back(std::move(run));
        }
      }
    }
  }
  return runs;
}

void writeLocalRuns(const std::vector<LocalRun>& runs, std::ostream& out) {
  out << "limits,method,pose,start,cost_mm,overstep_deg,time_s,iterations,end\n";
  for (const LocalRun& r : runs)
    out << r.limits << ',' << r.method << ',' << r.problem << ',' << r.start << ',' << 1e3 * r.cost << ','
        << r.overstep * 180.0 / std::numbers::pi << ',' << r.time << ',' << r.iterations << ',' << nameOf(r.end)
        << '\n';
}

void writeLocalCurves(const std::vector<LocalRun>& runs, std::ostream& out) {
  out << "limits,method,pose,start,axis,at,cost_mm\n";
  const std::vector<double> times = curveTimes();
  const std::vector<int> marks = curveIterations();
  for (const LocalRun& r : runs) {
    const auto writePoint = [&](std::string_view axis, double at, double cost) {
      out << r.limits << ',' << r.method << ',' << r.problem << ',' << r.start << ',' << axis << ',' << at << ','
          << 1e3 * cost << '\n';
    };
    for (std::size_t k = 0; k < times.size(); ++k) writePoint("time_s", times[k], r.costAtTime[k]);
    for (std::size_t k = 0; k < marks.size(); ++k) writePoint("iterations", marks[k], r.costAtIteration[k]);
  }
}

}  // namespace limber::experiments
