// SPDX-License-Identifier: MIT
#include "limber/posing/race_lane.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string_view>

#include "limber/problem/decimal.h"
#include "limber/solvers/registry.h"

namespace limber {

namespace {

using Clock = std::chrono::steady_clock;

/// Keeps a bounded number of iterates: when there are too many, every second one is removed, and later ones are thinned
/// alike.
class IterateLog : public Observer {
 public:
  IterateLog(LaneResult& result, const RaceLane::KeepGoing& keepGoing, int poseSize)
      : result_(result), keepGoing_(keepGoing),
        capacity_(std::clamp<std::size_t>(kIterateBytes / (sizeof(double) * static_cast<std::size_t>(poseSize) + 1), 8,
                                          kHistoryCapacity)) {}

  void startClock() { last_ = Clock::now(); }
  void stopClock() { result_.timeMs += std::chrono::duration<double, std::milli>(Clock::now() - last_).count(); }
  void startRun() { ++run_; }

  bool onIteration(const IterationRecord& record, const Pose& pose) override {
    stopClock();
    ++result_.iterations;
    latest_ = {result_.iterations, run_, record, result_.timeMs, {}};
    if (result_.iterations % stride_ == 0) keep(pose);
    const bool goesOn = !keepGoing_ || keepGoing_(result_, latest_, pose);
    startClock();
    return goesOn;
  }

  /// Adds the start, which is known only after the solver has returned.
  void keepStart(const Pose& pose, const IterationRecord& record) {
    result_.iterates.insert(result_.iterates.begin(), RaceIterate{0, 0, record, 0.0, pose});
  }

  /// Keeps the last iterate, whatever the stride, with the pose of the result.
  void keepEnd(const Pose& pose) {
    std::vector<RaceIterate>& iterates = result_.iterates;
    if (iterates.empty()) return;
    if (iterates.back().iteration != result_.iterations) iterates.push_back(latest_);
    iterates.back().pose = pose;
  }

 private:
  void keep(const Pose& pose) {
    std::vector<RaceIterate>& iterates = result_.iterates;
    if (iterates.size() >= capacity_) thin(iterates);
    if (result_.iterations % stride_ != 0) return;
    iterates.push_back(latest_);
    iterates.back().pose = pose;
  }

  void thin(std::vector<RaceIterate>& iterates) {
    stride_ *= 2;
    std::erase_if(iterates, [&](const RaceIterate& iterate) { return iterate.iteration % stride_ != 0; });
  }

  LaneResult& result_;
  const RaceLane::KeepGoing& keepGoing_;
  std::size_t capacity_;
  int stride_ = 1;
  int run_ = 0;
  RaceIterate latest_;
  Clock::time_point last_ = Clock::now();
};

/// The record of the start. The gradient is unknown if the solver does not record it.
IterationRecord firstRecord(const Posing& posing) {
  const double objective = posing.report().summary.objectiveBefore;
  const std::vector<IterationRecord>& history = posing.history();
  if (!history.empty() && history.front().objective == objective) return history.front();
  return {0, objective, std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0};
}

constexpr std::string_view kCsvHeader =
    "solver,run,iteration,phase,f [1],gradient norm [1/rad],step norm [rad],damping [1],time [ms]\r\n";

void addNumber(double value, std::string& text) {
  text += ',';
  if (std::isfinite(value)) appendDecimal(value, text);
}

std::string_view phaseName(const Summary& summary, int phase) {
  return phase >= 0 && phase < summary.phaseCount ? summary.phases[phase].phase : std::string_view();
}

}  // namespace

void RaceLane::restart(const Pose& pose) {
  posing_ = std::make_unique<Posing>();
  pose_ = pose;
}

LaneResult RaceLane::solve(const IkProblem& problem, const PosingRequest& request, const KeepGoing& keepGoing,
                           int maxDense) {
  IkProblem own = problem;
  own.solver.solver = solver_;
  if (pose_.coordinates.size() == problem.pose.coordinates.size()) own.pose = pose_;
  LaneResult result{.solver = solver_, .isEnded = true, .pose = own.pose};
  const bool isStarted = posing_->start(own, request);
  result.report = posing_->report();
  if (!isStarted) return result;
  if (findSolver(solver_)->needsDenseHessian() && posing_->activeCount() > maxDense) {
    result.report.outcome = Outcome::BadInput;
    result.report.sentence =
        "a dense Hessian of " + std::to_string(posing_->activeCount()) + " coordinates is too slow for a race";
    return result;
  }
  result.isEnded = false;
  IterateLog log(result, keepGoing, problem.figure->poseSize());
  posing_->observe(&log);
  const Pose first = own.pose;
  for (bool isFirst = true, isDone = false; !isDone; isFirst = false) {
    log.startClock();
    isDone = posing_->advance(own, std::numeric_limits<int>::max());
    log.stopClock();
    if (isFirst) log.keepStart(first, firstRecord(*posing_));
    log.startRun();
  }
  posing_->observe(nullptr);
  pose_ = own.pose;
  log.keepEnd(own.pose);
  result.isEnded = true;
  result.report = posing_->report();
  result.pose = own.pose;
  return result;
}

double lowestObjective(const std::vector<const LaneResult*>& results) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const LaneResult* result : results)
    for (const RaceIterate& iterate : result->iterates)
      if (std::isfinite(iterate.record.objective)) lowest = std::min(lowest, iterate.record.objective);
  return lowest;
}

std::string raceCsv(const std::vector<const LaneResult*>& results) {
  std::string text(kCsvHeader);
  for (const LaneResult* result : results)
    for (const RaceIterate& iterate : result->iterates) {
      const IterationRecord& record = iterate.record;
      text += result->solver;
      text += ',' + std::to_string(iterate.run) + ',' + std::to_string(iterate.iteration) + ',';
      text += phaseName(result->report.summary, record.phase);
      for (const double number :
           {record.objective, record.gradientNorm, record.stepNorm, record.damping, iterate.timeMs})
        addNumber(number, text);
      text += "\r\n";
    }
  return text;
}

}  // namespace limber
