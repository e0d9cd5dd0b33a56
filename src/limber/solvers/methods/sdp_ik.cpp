// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/sdp_ik.h"

#include <algorithm>
#include <optional>

#include "limber/solvers/convex/best_pose.h"
#include "limber/solvers/convex/certificate.h"
#include "limber/solvers/convex/global_pose.h"
#include "limber/solvers/methods/trust_region.h"
#include "limber/solvers/option_table.h"

namespace limber {

namespace {

constexpr std::string_view kSdpIkPhases[] = {"relaxation", "refinement"};
constexpr OptionInfo kSdpIkOptions[] = {
    option<&SdpIkOptions::tightens>(
        "tightens", "Tighten if not certified", "", 0, 1,
        "Where the paper's relaxation leaves the pose open, solves a tighter one, which takes some ten times as long."),
    option<&SdpIkOptions::maxIterations>(
        "maxIterations", "Iteration cap of a refinement", "", 1, 100000,
        "Each reading of the angles is refined by the trust-region method for at most this many iterations."),
};
constexpr SolverInfo kSdpIkInfo{
    .name = "sdp-ik",
    .title = "SDP-IK (convex relaxation alone)",
    .description =
        "Independent of the start: a semidefinite relaxation, whose angles are refined by the trust-region "
        "method. Reports the rank of the relaxation and whether it is tight (Yenamandra and others 2019).",
    .limits = LimitHandling::Exact,
    .options = kSdpIkOptions,
    .phases = kSdpIkPhases,
    .isMonotone = false,  // f may rise at the start of each refinement
    .seesOneSidedGoals = false,
    .refusal = [](const Objective& objective) { return refuseForRelaxation(objective, "SDP-IK"); },
};

/// Relaxation, Projected and FromRoot occur twice if the first bound does not prove the pose to be the best.
enum class SdpStage { Relaxation, Projected, FromRoot, Unrelaxed, Done };

struct SdpIkMemory final : SolverMemory {
  std::optional<GlobalMethod> method;  ///< relaxation of this solve
  Workspace run;
  Kinematics kinematics;
  std::vector<PointPair> pairs;
  std::vector<PointGoal> points;
  Pose neutral;
  Pose pose;           ///< the iterate of the current refinement
  BestPose best;       ///< the answer so far
  double bound = 0.0;  ///< of the mean square distance, square metres
  RelaxationSummary said;
  SdpStage stage = SdpStage::Relaxation;
  bool isSecond = false;   ///< this is the second relaxation
  bool isRunning = false;  ///< a refinement waits to be resumed
};

class SdpIkRun final : public SolverRun<SdpIkOptions>, public Observer {
 public:
  using SolverRun::SolverRun;

  SolveStatus iterate() {
    if (!loop_.isResumed()) begin(pose_);
    const SolveStatus status = go();
    if (memory_.stage == SdpStage::Done) loop_.summary().relaxation = memory_.said;
    memory_.best.show(pose_, workspace_, loop_);
    return status;
  }

  bool onIteration(const IterationRecord& record, const Pose& pose) override {
    IterationRecord own = record;
    own.phase = 1;
    return loop_.note(own, pose) || loop_.status() == SolveStatus::BudgetSpent;
  }

 private:
  void begin(const Pose& start) {
    memory_.best.begin(start, loop_);
    memory_.bound = 0.0;
    memory_.said = {};
    memory_.stage = SdpStage::Relaxation;
    memory_.isSecond = memory_.isRunning = false;
    memory_.method.reset();
    if (objective_.activeCount() == 0) {
      memory_.best.status = SolveStatus::Converged;
      memory_.stage = SdpStage::Done;
      return;
    }
    collectSeenPoints(objective_, memory_.points);
    memory_.neutral = start;
    toNeutral(objective_, memory_.points, memory_.kinematics, memory_.pairs, memory_.neutral);
    memory_.method.emplace(objective_, intervalsOf(objective_, memory_.neutral), memory_.neutral);
  }

  /// Runs until the budget is spent, the observer cancels, or all stages are done.
  SolveStatus go() {
    while (memory_.stage != SdpStage::Done) {
      if (loop_.iterationsLeft() <= 0) return SolveStatus::BudgetSpent;
      if (memory_.stage == SdpStage::Relaxation ? !relax() : !refine()) return loop_.status();
    }
    return memory_.best.status;
  }

  /// A relaxation always runs to its end, even if that exceeds the budget. False if the observer cancels.
  bool relax() {
    loop_.startPhase(0);
    IterationRecord record = memory_.best.record;
    record.phase = 0;
    const InteriorPointSummary summary = memory_.method->relax(
        objective_, CertificateOptions{}.relaxation,
        [&](const InteriorPointSummary&) {
          return loop_.note(record, memory_.best.pose) || loop_.status() == SolveStatus::BudgetSpent;
        },
        memory_.isSecond ? RelaxationForm::Hull : RelaxationForm::Compact);
    if (loop_.status() == SolveStatus::Cancelled) return stop();
    if (summary.status == InteriorPointStatus::BadInput) {
      memory_.stage = SdpStage::Unrelaxed;
      return true;
    }
    memory_.bound = std::max(memory_.bound, summary.lowerBound);
    memory_.said.rank = memory_.method->rank();
    memory_.stage = SdpStage::Projected;
    return true;
  }

  /// False if the solve must pause or end in the middle of a refinement.
  bool refine() {
    const Start begin = memory_.isRunning ? Start::Resume : Start::Here;
    if (!memory_.isRunning) placeStart();
    loop_.startPhase(1);
    const TrustRegionOptions trustRegion{.maxIterations = options_.maxIterations};
    const Summary summary = trustRegion.solver().solve(objective_, memory_.pose, trustRegion, memory_.run,
                                                       {loop_.iterationsLeft()}, begin, this);
    memory_.isRunning = summary.status == SolveStatus::BudgetSpent;
    if (memory_.isRunning) return false;
    workspace_.progress.evaluations += summary.evaluations;
    memory_.best.take(memory_.pose, summary);
    if (loop_.status() == SolveStatus::Cancelled) return stop();
    nextStage();
    return true;
  }

  /// Returns the best pose before the observer cancelled; it is not known whether the relaxation is tight.
  bool stop() {
    memory_.said = {};
    memory_.stage = SdpStage::Done;
    return false;
  }

  void placeStart() {
    if (memory_.stage == SdpStage::Unrelaxed) memory_.pose = memory_.best.pose;
    else memory_.method->round(objective_, memory_.stage == SdpStage::FromRoot, memory_.pose);
  }

  void nextStage() {
    if (memory_.stage == SdpStage::Projected) {
      memory_.stage = SdpStage::FromRoot;
      return;
    }
    const bool isRelaxed = memory_.stage == SdpStage::FromRoot;
    if (isRelaxed) judge();
    const bool mayTighten = isRelaxed && !memory_.isSecond && options_.tightens;
    const bool isOpen = mayTighten && !memory_.said.isTight;
    memory_.isSecond = isOpen;
    memory_.stage = isOpen ? SdpStage::Relaxation : SdpStage::Done;
  }

  /// Rates the best pose by the bound.
  void judge() {
    Certificate known;
    known.bound = memory_.bound;
    known.length = memory_.method->relaxation().length();
    known = judgeAnother(known, meanSquareOf(objective_.figure(), memory_.best.pose, memory_.points));
    memory_.said.cost = known.cost();
    memory_.said.leastCost = known.leastCost();
    memory_.said.isTight = known.isCertified;
  }

  SdpIkMemory& memory_ = workspace_.memoryOf<SdpIkMemory>();
};

}  // namespace

const TypedSolver<SdpIkOptions>& SdpIkOptions::solver() {
  static const TypedSolver solver(kSdpIkInfo, iterate<SdpIkRun>);
  return solver;
}

}  // namespace limber
