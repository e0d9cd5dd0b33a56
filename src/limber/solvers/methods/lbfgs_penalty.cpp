// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/lbfgs_penalty.h"

#include <algorithm>
#include <cmath>

#include "limber/solvers/option_table.h"
#include "limber/solvers/steps/bounded_step.h"
#include "limber/solvers/steps/limit_penalty.h"
#include "limber/solvers/steps/limited_memory.h"
#include "limber/solvers/steps/line_search.h"

namespace limber {

namespace {

constexpr OptionInfo kLbfgsPenaltyOptions[] = {
    kLocalIterations<&LbfgsPenaltyOptions::maxIterations>,
    kGradientTolerance<&LbfgsPenaltyOptions::tolerance>,
    kMemory<&LbfgsPenaltyOptions::memory>,
    option<&LbfgsPenaltyOptions::lambda>(
        "lambda", "Stiffness of limits", "of a goal", 1e-3, 1e6,
        "Weight of a squared radian outside a limit, relative to the squared distance of a goal (paper: 100).",
        kLogarithmic),
};
constexpr SolverInfo kLbfgsPenaltyInfo{
    .name = "lbfgs-penalty",
    .title = "L-BFGS, limits as springs",
    .description =
        "L-BFGS with joint limits as springs beside the goals, as Yenamandra et al. compare it (2019). The "
        "end is brought inside the limits.",
    .limits = LimitHandling::Penalty,
    .options = kLbfgsPenaltyOptions,
};

constexpr double kPenaltyMaxStep = 1.0;     // radians or mean link lengths: beyond, curvature here means little
constexpr double kPenaltyRoundings = 10.0;  // where F is nothing but rounding, it cannot be brought below a few of them
constexpr double kPenaltyPart = 1e-12;      // of F: what a converged solve may leave
constexpr int kPenaltyMaxIdle = 10;         // iterations in a row in which F falls by no more than rounding

struct LbfgsPenaltyMemory final : SolverMemory {
  LimitedMemory pairs;
  HessianProduct product;
  Eigen::VectorXd metric;                 ///< (active x 1), diagonal of M
  Eigen::VectorXd trialGradient;          ///< (active x 1), of F at the trial; then that of the iterate before
  Eigen::VectorXd trial, change, normal;  ///< (active x 1), gamma d; y; scratch
  Pose start, iterate;                    ///< where the solve began; where it stands, outside limits perhaps
  bool isFresh = true;                    ///< the next direction is -M^-1 g
  int idle = 0;
};

class LbfgsPenaltyRun : public SolverRun<LbfgsPenaltyOptions> {
 public:
  LbfgsPenaltyRun(const Objective& objective, Pose& pose, const LbfgsPenaltyOptions& options, Workspace& workspace,
                  SolveLoop& loop)
      : SolverRun(objective, pose, options, workspace, loop) {
    if (loop_.iterationsOfPhase() == 0) begin(options.memory);
    releaseLimits();
    workspace_.trialPose.coordinates = own_.iterate.coordinates;
    evaluateTrial();
    acceptTrial();
    if (loop_.iterationsOfPhase() == 0) workspace_.history.back().gradientNorm = loop_.projectedGradientNorm();
  }

  SolveStatus iterate() { return finish(descend()); }

 private:
  SolveStatus descend() {
    while (loop_.iterationsOfPhase() < options_.maxIterations) {
      computeStepMetric(objective_, workspace_.current, workspace_.freeSpace, own_.metric);
      if (gradientSize() <= options_.tolerance && isFlat()) return SolveStatus::Converged;
      if (own_.idle == kPenaltyMaxIdle) own_.isFresh = true;
      if (own_.idle == 2 * kPenaltyMaxIdle) return isFlat() ? SolveStatus::Converged : SolveStatus::Stalled;
      const double first = findDirection();
      if (!advance(first)) {
        if (own_.isFresh) return isFlat() ? SolveStatus::Converged : SolveStatus::Stalled;
        own_.isFresh = true;
        continue;
      }
      if (!loop_.endIteration(moved_, gamma_)) return loop_.status();
    }
    return SolveStatus::IterationCap;
  }

  /// Brings the pose inside the limits; f and its gradient are then those of it.
  SolveStatus finish(SolveStatus status) {
    loop_.summary().overstep = objective_.feasibleSet().violation(pose_);
    own_.iterate.coordinates = pose_.coordinates;
    show(own_.iterate);
    if (loop_.objective() > workspace_.progress.objectiveBefore) {
      show(own_.start);
      if (status == SolveStatus::Converged) status = SolveStatus::Stalled;
    }
    return status;
  }

  void begin(int capacity) {
    own_.pairs.reset(objective_.activeCount(), capacity);
    own_.isFresh = true;
    own_.idle = 0;
    own_.start.coordinates = own_.iterate.coordinates = pose_.coordinates;
  }

  /// To this solver no limit holds anything.
  void releaseLimits() {
    FreeSpace& space = workspace_.freeSpace;
    std::fill(space.free.begin(), space.free.end(), char{1});
    for (FreeSpace::Block& block : space.blocks) block.held = 0;
    space.limits.clear();
  }

  void show(const Pose& pose) {
    workspace_.trialPose.coordinates = pose.coordinates;
    objective_.feasibleSet().project(workspace_.trialPose);
    loop_.evaluateTrial();
    loop_.acceptTrial();
  }

  double evaluateTrial() {
    loop_.evaluateTrial();
    const double spring = penalty_.value(workspace_.trialPose);
    workspace_.trial.objective += spring;
    workspace_.trial.rounding += 4.0 * std::numeric_limits<double>::epsilon() * spring;
    return workspace_.trial.objective;
  }

  void acceptTrial() {
    objective_.computeGradient(workspace_.trial, own_.trialGradient);
    penalty_.addGradient(workspace_.trialPose, own_.trialGradient, own_.normal);
    workspace_.gradient.resize(own_.trialGradient.size());
    loop_.acceptTrial(own_.trialGradient);
  }

  double gradientSize() const {
    return std::sqrt(workspace_.gradient.cwiseProduct(workspace_.gradient).cwiseQuotient(own_.metric).sum());
  }

  /// Returns the first step to try along it.
  double findDirection() {
    Eigen::VectorXd& d = workspace_.direction;
    if (!own_.isFresh) {
      own_.isFresh = !own_.pairs.apply(workspace_.freeSpace, own_.metric, workspace_.gradient, d);
      d = -d;
      if (!(d.dot(workspace_.gradient) < 0.0)) own_.isFresh = true;
    }
    if (!own_.isFresh) return std::min(1.0, kPenaltyMaxStep / stepNorm(objective_, d));
    own_.pairs.clear();
    const double curvature = curvatureDown(), squared = -d.dot(workspace_.gradient);
    const double longest = kPenaltyMaxStep / stepNorm(objective_, d);
    return curvature > 0.0 ? std::min(longest, squared / curvature) : longest;
  }

  /// d = -M^-1 g; returns the curvature of f along it, springs left out.
  double curvatureDown() {
    Eigen::VectorXd& d = workspace_.direction;
    d = -workspace_.gradient.cwiseQuotient(own_.metric);
    own_.product.prepare(objective_, workspace_.current);
    own_.product.apply(d, own_.trial);
    return d.dot(own_.trial);
  }

  /// One line search, and what it teaches. False when no step lowers F.
  bool advance(double firstStep) {
    const double before = loop_.objective(), rounding = loop_.rounding();
    const double slope = workspace_.direction.dot(workspace_.gradient);
    gamma_ = searchArc(before, firstStep, [&](double gamma) {
      own_.trial = gamma * workspace_.direction;
      moveFreely(own_.trial);
      return ArcTrial{evaluateTrial(), gamma * slope};
    });
    if (gamma_ == 0.0) return false;
    moved_ = stepNorm(objective_, own_.trial);
    acceptTrial();
    own_.change = workspace_.gradient - own_.trialGradient;
    own_.pairs.add(own_.trial, own_.change);
    own_.idle = before - loop_.objective() > rounding ? 0 : own_.idle + 1;
    own_.isFresh = false;
    return true;
  }

  void moveFreely(const Eigen::VectorXd& step) {
    workspace_.step.setZero(objective_.figure().stepSize());
    for (int k = 0; k < objective_.activeCount(); ++k) workspace_.step[objective_.active()[k]] = step[k];
    integrate(objective_.figure(), pose_, workspace_.step, workspace_.trialPose);
    objective_.feasibleSet().couplings().apply(workspace_.trialPose);
  }

  /// What the parabola along -M^-1 g promises is as good as nothing.
  bool isFlat() {
    const double curvature = curvatureDown(), squared = -workspace_.direction.dot(workspace_.gradient);
    const double left = kPenaltyPart * loop_.objective() + kPenaltyRoundings * loop_.rounding();
    return squared == 0.0 || (curvature > 0.0 && 0.5 * squared * squared <= left * curvature);
  }

  LbfgsPenaltyMemory& own_ = workspace_.memoryOf<LbfgsPenaltyMemory>();
  LimitPenalty penalty_{objective_, springStiffness(objective_, options_.lambda)};
  double gamma_ = 0.0, moved_ = 0.0;
};

}  // namespace

const TypedSolver<LbfgsPenaltyOptions>& LbfgsPenaltyOptions::solver() {
  static const TypedSolver solver(kLbfgsPenaltyInfo, iterate<LbfgsPenaltyRun>);
  return solver;
}

}  // namespace limber
