// SPDX-License-Identifier: MIT
#include "research/penalty_trust_region.h"

#include "limber/solvers/methods/penalty_methods.h"

namespace limber::experiments {

namespace {

/// Keeps the last iterate, before it is projected into the limits.
class LastIterate final : public Observer {
 public:
  explicit LastIterate(Pose& pose) : pose_(pose) {}
  bool onIteration(const IterationRecord&, const Pose& pose) override {
    pose_ = pose;
    return true;
  }

 private:
  Pose& pose_;
};

}  // namespace

PenaltySummary solveWithPenalty(const Objective& objective, Pose& pose, double lambda) {
  const double unit = objective.figure().meanLinkLength();
  Pose solved = pose;
  LastIterate last(pose);
  Workspace workspace;
  const Summary summary = TrustRegionPenaltyOptions::solver().solve(
      objective, solved, TrustRegionPenaltyOptions{.lambda = lambda / (unit * unit)}, workspace, {}, Start::Here,
      &last);
  return {summary.status == SolveStatus::Converged, summary.iterations()};
}

}  // namespace limber::experiments
