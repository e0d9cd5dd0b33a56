// SPDX-License-Identifier: MIT
#include "limber/proof/global_search.h"

#include <chrono>
#include <cmath>

#include "limber/posing/posed_problem.h"

namespace limber {

namespace {

constexpr const char* kGlobalSolver = "global";

/// Reports the search's iterations, and assigns parts of the progress to its phases.
class SearchWatch final : public Observer {
 public:
  SearchWatch(const IkProblem& problem, const PosingRequest& request, const GlobalObserver& observer,
              GlobalAnswer& answer)
      : problem_(makeProblem(problem, request)), observer_(observer), answer_(answer) {
    if (problem_.objective) points_ = boundedPoints(problem_);
  }

  const GlobalProgress& progress() const { return progress_; }

  bool onIteration(const IterationRecord& record, const Pose& pose) override {
    const bool isRelaxation = record.phase == 0;
    takeTime(isRelaxation ? answer_.relaxationMs : answer_.refinementMs);
    ++progress_.iterations;
    if (!observer_) return true;
    progress_.phase = isRelaxation ? GlobalProgress::Phase::Relaxation : GlobalProgress::Phase::Refinement;
    const double cost = std::sqrt(meanSquareOf(problem_.objective->figure(), pose, points_));
    if (!(progress_.cost <= cost)) progress_.cost = cost;
    return observer_(progress_);
  }

  void takeTime(double& milliseconds) {
    const auto now = std::chrono::steady_clock::now();
    milliseconds += std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
  }

 private:
  PosedProblem problem_;
  const GlobalObserver& observer_;
  GlobalAnswer& answer_;
  std::vector<PointGoal> points_;
  GlobalProgress progress_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

GlobalAnswer searchGlobally(const IkProblem& problem, const PosingRequest& request, const CertificateOptions& options,
                            const GlobalObserver& observer) {
  GlobalAnswer answer;
  IkProblem own = problem;
  PosingRequest asked = request;
  asked.solver = own.solver.solver = kGlobalSolver;
  if (!asked.startPose) asked.startPose = problem.pose;
  SearchWatch watch(own, asked, observer, answer);
  Posing posing;
  posing.observe(&watch);
  answer.report = solveToEnd(posing, own, asked);
  watch.takeTime(answer.refinementMs);
  answer.pose = own.pose;
  answer.isCancelled = answer.report.outcome == Outcome::Cancelled;
  if (answer.report.outcome == Outcome::BadInput) answer.fault = answer.report.sentence;
  if (answer.isCancelled || answer.report.outcome == Outcome::BadInput) return answer;
  answer.isCertificateSought = true;
  GlobalProgress progress = watch.progress();
  progress.phase = GlobalProgress::Phase::Certificate;
  answer.result = certifyPose(own, asked, options, [&](const InteriorPointSummary& summary) {
    ++progress.iterations;
    progress.leastCost = std::sqrt(std::max(0.0, summary.lowerBound));
    return !observer || observer(progress);
  });
  answer.isCancelled = answer.result.certificate.isCancelled;
  return answer;
}

}  // namespace limber
