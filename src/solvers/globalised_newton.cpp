// SPDX-License-Identifier: MIT
#include "solvers/globalised_newton.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

constexpr std::string_view kPhases[] = {"newton"};
constexpr OptionInfo kOptions[] = {
    {"maxIterations", "Iteration cap", "", 1, 100000, 500, "Stop after this many iterations.",
     OptionInfo::Kind::Integer},
    {"tolerance", "Tolerance", "of f", 0.0, 1.0, 1e-12,
     "Converged when a full step promises less than this part of f.", OptionInfo::Kind::LogarithmicReal},
};

constexpr double kSufficientDecrease = 1e-4;  // of what the slope promises
constexpr double kMaxStep = 1.0;              // radians or mean link lengths: beyond, the quadratic model means little
constexpr int kMaxAttempts = 80;              // lambda grows at least fourfold each time: 4^80 exceeds any double
constexpr int kMaxHalvings = 30;

class Run {
 public:
  Run(const Objective& objective, Pose& pose, const GlobalisedNewtonOptions& options, Workspace& workspace,
      SolveLoop& loop)
      : objective_(objective), pose_(pose), options_(options), workspace_(workspace), loop_(loop),
        lambda_(workspace.progress.damping) {}

  SolveStatus iterate() {
    while (loop_.iterationsOfPhase() < options_.maxIterations) {
      findFreeCoordinates();
      triedUndamped_ = false;
      workspace_.sweep.assemble(objective_, workspace_.current);
      const Move move = findMove();
      if (move != Move::Accepted) return move == Move::Converged ? SolveStatus::Converged : SolveStatus::Stalled;
      const double step = stepNorm(objective_, workspace_.direction);
      const bool mayGoOn = loop_.endIteration(step, lambda_);
      if (converging_) return SolveStatus::Converged;
      if (!mayGoOn) return loop_.status();
    }
    return SolveStatus::IterationCap;
  }

 private:
  enum class Move { Accepted, Converged, Stalled };

  void findFreeCoordinates() {
    workspace_.free.resize(static_cast<std::size_t>(objective_.activeCount()));
    for (int k = 0; k < objective_.activeCount(); ++k)
      workspace_.free[static_cast<std::size_t>(k)] = !objective_.feasibleSet().isHeld(
          pose_, objective_.active()[static_cast<std::size_t>(k)], workspace_.gradient[k]);
  }

  double squaredNorm(const Eigen::VectorXd& v) const {
    double sum = 0.0;
    for (int k = 0; k < objective_.activeCount(); ++k)
      sum += objective_.metric()[objective_.active()[static_cast<std::size_t>(k)]] * v[k] * v[k];
    return sum;
  }

  /// Raises lambda until H + lambda M is positive definite. False when no finite lambda does it.
  bool factor() {
    for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
      if (workspace_.sweep.factor(lambda_, workspace_.free)) return true;
      // v'(H + lambda M)v = c <= 0 says that lambda must grow by more than -c / |v|^2.
      const double c = workspace_.sweep.curvatureDirection(workspace_.direction);
      const double missing = -c / squaredNorm(workspace_.direction);
      if (!std::isfinite(missing)) return false;
      lambda_ = std::max(2.0 * lambda_, lambda_ + 1.5 * missing + loop_.rounding());
    }
    return false;
  }

  /// One accepted step, or why there is none.
  Move findMove() {
    for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
      if (!factor()) return Move::Stalled;
      Eigen::VectorXd& s = workspace_.direction;
      workspace_.sweep.solve(s);
      const double decrement = -workspace_.gradient.dot(s);
      if (!std::isfinite(decrement)) return Move::Stalled;
      if (decrement <= options_.tolerance * loop_.objective() + loop_.rounding()) return settle();
      const double size = squaredNorm(s);
      if (stepNorm(objective_, s) > kMaxStep) {
        lambda_ = std::max(4.0 * lambda_, 0.25 * decrement / size);
        continue;
      }
      objective_.move(pose_, s, workspace_.step, workspace_.trialPose);
      const double slope = slopeOfTrial();
      const double before = loop_.objective();
      const double after = loop_.evaluateTrial();
      if (slope < 0.0 && after <= before + kSufficientDecrease * slope) {
        const double promised = 0.5 * (decrement + lambda_ * size);
        adaptLambda((before - after) / promised, decrement / size);
        loop_.acceptTrial();
        return Move::Accepted;
      }
      lambda_ = std::max(4.0 * lambda_, 0.1 * decrement / size);
    }
    return Move::Stalled;
  }

  /// Gradient times the step that was really taken: the limits may have cut some coordinates of it.
  double slopeOfTrial() const {
    const Figure& figure = objective_.figure();
    double slope = workspace_.gradient.dot(workspace_.direction);
    for (const Joint& joint : figure.joints()) {
      if (joint.type != JointType::Revolute && joint.type != JointType::Prismatic) continue;
      const int k = objective_.activeIndex(joint.stepIndex);
      if (k < 0) continue;
      const double taken = workspace_.trialPose.coordinates[joint.poseIndex] - pose_.coordinates[joint.poseIndex];
      const double asked = workspace_.direction[k];
      if (std::abs(taken - asked) > 1e-9 * std::abs(asked)) slope += workspace_.gradient[k] * (taken - asked);
    }
    return slope;
  }

  void adaptLambda(double ratio, double curvature) {
    if (ratio > 0.75) lambda_ *= 0.1;
    else if (ratio < 0.25) lambda_ *= 2.0;
    if (lambda_ < 1e-6 * curvature) lambda_ = 0.0;
  }

  /// The step promises nothing any more. A minimum when H itself is positive definite: one last full step polishes
  /// it. Else a saddle: leave it.
  Move settle() {
    if (lambda_ > 0.0) {
      if (triedUndamped_) return Move::Stalled;  // without damping f does not fall, with it nothing is left to gain
      triedUndamped_ = true;
      lambda_ = 0.0;
      if (!workspace_.sweep.factor(0.0, workspace_.free)) return leaveSaddle();
      workspace_.sweep.solve(workspace_.direction);
      const double decrement = -workspace_.gradient.dot(workspace_.direction);
      if (decrement > options_.tolerance * loop_.objective() + loop_.rounding()) return findMove();
    }
    converging_ = true;
    if (workspace_.direction.isZero(0.0) || stepNorm(objective_, workspace_.direction) > kMaxStep) return Move::Converged;
    objective_.move(pose_, workspace_.direction, workspace_.step, workspace_.trialPose);
    if (!(loop_.evaluateTrial() <= loop_.objective())) return Move::Converged;
    loop_.acceptTrial();
    return Move::Accepted;
  }

  Move leaveSaddle() {
    const double curvature = workspace_.sweep.curvatureDirection(workspace_.direction);
    Eigen::VectorXd& v = workspace_.direction;
    v /= std::max(stepNorm(objective_, v), 1e-300);
    // Fixed sign: the first coordinate that matters grows.
    Eigen::Index first = 0;
    while (first + 1 < v.size() && std::abs(v[first]) < 1e-3) ++first;
    if (v.size() > 0 && v[first] < 0.0) v = -v;
    if (curvature < 0.0)
      for (const double sign : {1.0, -1.0})
        if (searchAlong(sign)) return Move::Accepted;
    converging_ = true;  // flat to within rounding: as good as a minimum
    return Move::Converged;
  }

  /// The longest of kMaxStep / 2^k along +-direction that lowers f by more than rounding.
  bool searchAlong(double sign) {
    workspace_.direction *= sign;
    double factorSoFar = 1.0;
    for (int halvings = 0; halvings < kMaxHalvings; ++halvings) {
      objective_.move(pose_, workspace_.direction, workspace_.step, workspace_.trialPose);
      if (loop_.evaluateTrial() < loop_.objective() - loop_.rounding()) {
        loop_.acceptTrial();
        return true;
      }
      workspace_.direction *= 0.5;
      factorSoFar *= 0.5;
    }
    workspace_.direction /= factorSoFar * sign;
    return false;
  }

  const Objective& objective_;
  Pose& pose_;
  const GlobalisedNewtonOptions& options_;
  Workspace& workspace_;
  SolveLoop& loop_;
  double& lambda_;
  bool triedUndamped_ = false;  ///< in this iteration
  bool converging_ = false;     ///< the last step is on its way
};

}  // namespace

std::span<const OptionInfo> GlobalisedNewton::options() const { return kOptions; }

Summary GlobalisedNewton::solve(const Objective& objective, Pose& pose, const OptionValues& options,
                                Workspace& workspace, const Budget& budget, bool resume, Observer* observer) const {
  SolveLoop loop(objective, pose, workspace, budget, resume, observer, kPhases);
  if (!loop.isSound() || !validate(*this, options).empty()) return loop.finish(SolveStatus::BadInput);
  const GlobalisedNewtonOptions parsed{options[0], options[1]};
  return loop.finish(Run(objective, pose, parsed, workspace, loop).iterate());
}

}  // namespace limber
