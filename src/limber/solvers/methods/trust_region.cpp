// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/trust_region.h"

#include <algorithm>
#include <cmath>

#include "limber/solvers/option_table.h"
#include "limber/solvers/steps/bounded_step.h"
#include "limber/solvers/steps/flatness.h"

namespace limber {

namespace {

constexpr OptionInfo kTrustRegionOptions[] = {
    kLocalIterations<&TrustRegionOptions::maxIterations>,
    kGradientTolerance<&TrustRegionOptions::tolerance>,
    kFirstRadius<&TrustRegionOptions::firstRadius>,
    kLargestRadius<&TrustRegionOptions::largestRadius>,
};
constexpr SolverInfo kTrustRegionInfo{
    .name = "trust-region",
    .title = "Trust region (Newton-CG)",
    .description =
        "Newton steps by conjugate gradients within a trust region, with exact products by the Hessian; "
        "the local method that Yenamandra et al. chose in 2019. Uses negative curvature, leaves saddles, "
        "never raises f.",
    .limits = LimitHandling::Exact,
    .options = kTrustRegionOptions,
};

constexpr double kKappa = 0.1;  // the inner gradient falls at least to this part of the outer one
constexpr double kAcceptedRatio = 0.1;
constexpr double kPoorRatio = 0.25, kRegionGoodRatio = 0.75;
constexpr double kAtRadius = 0.99;           // of the radius: a longer step was stopped by it
constexpr double kRegionBlockedShare = 0.1;  // of its step: a coordinate that a limit stops before this is blocked
constexpr double kRegionBlockedGain = 1e-3;  // of the free step's decrease: with less, blocked coordinates move
constexpr int kRegionBlockedRounds = 20;
constexpr double kCut = 1e-6;          // of its length: a step that is shortened by more was cut by limits
constexpr int kRegionAttempts = 100;   // the radius falls fourfold each time
constexpr int kMaxProbes = 50;         // products spent on the search for negative curvature at a saddle
constexpr double kProbed = 1e-6;       // of its right-hand side: a smaller residual ends the search
constexpr double kRegionFlat = 1e-10;  // of the largest curvature found: less is rounding
constexpr int kRegionHalvings = 30;

struct TrustRegionMemory final : SolverMemory {
  HessianProduct product;
  FlatnessMemory flatness;
  Eigen::VectorXd metric;    ///< (active x 1), diagonal of M
  Eigen::VectorXd residual;  ///< (active x 1), r: the residual of the model's gradient
  Eigen::VectorXd scaled;    ///< (active x 1), z = P M^-1 r
  Eigen::VectorXd search;    ///< (active x 1), p
  Eigen::VectorXd image;     ///< (active x 1), P (H + C) p
  Eigen::VectorXd taken;     ///< (active x 1), the step as cut by limits
  std::vector<char> free;    ///< (active), the free coordinates, while blocked ones are held
  Eigen::VectorXd freeStep;  ///< (active x 1), before blocked coordinates were held
};

class TrustRegionRun : public SolverRun<TrustRegionOptions> {
 public:
  using SolverRun::SolverRun;

  SolveStatus iterate() {
    if (loop_.iterationsOfPhase() == 0)
      radius_ = std::min(options_.firstRadius * std::sqrt(objective_.activeCount()), largestRadius_);
    while (loop_.iterationsOfPhase() < options_.maxIterations) {
      own_.product.prepare(objective_, workspace_.current);
      computeStepMetric(objective_, workspace_.current, workspace_.freeSpace, own_.metric);
      const Move move = findMove();
      if (move != Move::Accepted) return move == Move::Converged ? SolveStatus::Converged : SolveStatus::Stalled;
      if (!loop_.endIteration(moved_, radius_)) return loop_.status();
    }
    return SolveStatus::IterationCap;
  }

 private:
  enum class Move { Accepted, Converged, Stalled };

  double metricNorm(const Eigen::VectorXd& v) const { return std::sqrt(own_.metric.dot(v.cwiseProduct(v))); }

  /// Takes one step, or returns why no step is possible.
  Move findMove() {
    if (gradientSize() <= options_.tolerance && isAtMinimum()) return settle();
    own_.free = workspace_.freeSpace.free;
    hasFailedByCuts_ = false;
    for (int attempt = 0; attempt < kRegionAttempts; ++attempt) {
      workspace_.freeSpace.free = own_.free;
      const double promised = solveModel(workspace_.direction);
      if (!std::isfinite(promised)) return Move::Stalled;
      if (promised <= loop_.rounding()) return isAtMinimum() ? settle() : Move::Stalled;
      own_.freeStep = workspace_.direction;
      findUnblocked(promised);
      if (tryStep()) return Move::Accepted;
    }
    workspace_.freeSpace.free = own_.free;
    return Move::Stalled;
  }

  /// Returns |P g| in the norm that belongs to M.
  double gradientSize() {
    own_.residual = workspace_.gradient;
    workspace_.freeSpace.project(own_.residual);
    applyInverseMetric(workspace_.freeSpace, own_.metric, own_.residual, own_.scaled);
    return own_.residual.size() > 0 ? std::sqrt(own_.residual.dot(own_.scaled)) : 0.0;
  }

  bool isAtMinimum() { return isFlat(objective_, workspace_, own_.flatness); }

  /// Computes the model's step s within the radius by conjugate gradients; returns its predicted decrease.
  double solveModel(Eigen::VectorXd& s) {
    const FreeSpace& space = workspace_.freeSpace;
    s.setZero(objective_.activeCount());
    const double first = gradientSize();
    const double enough = first * std::min(first, kKappa);
    own_.search = -own_.scaled;
    double squared = first * first, promised = 0.0;
    for (int inner = 0; inner < objective_.activeCount() && squared > 0.0; ++inner) {
      applyWithin(own_.product, workspace_, own_.search, own_.image);
      const double curvature = own_.search.dot(own_.image);
      const double step = squared / curvature;
      const double toRadius = distanceToRadius(s);
      if (!(curvature > 0.0) || step >= toRadius) {
        s += toRadius * own_.search;
        return promised + toRadius * (squared - 0.5 * toRadius * curvature);
      }
      s += step * own_.search;
      promised += 0.5 * step * squared;
      own_.residual += step * own_.image;
      applyInverseMetric(space, own_.metric, own_.residual, own_.scaled);
      const double next = own_.residual.dot(own_.scaled);
      if (!(std::sqrt(next) > enough)) break;
      own_.search = next / squared * own_.search - own_.scaled;
      squared = next;
    }
    return promised;
  }

  /// tau >= 0 with |s + tau p|_M = radius.
  double distanceToRadius(const Eigen::VectorXd& s) const {
    const double pp = own_.metric.dot(own_.search.cwiseProduct(own_.search));
    const double sp = own_.metric.dot(own_.search.cwiseProduct(s));
    const double room = std::max(radius_ * radius_ - own_.metric.dot(s.cwiseProduct(s)), 0.0);
    return room / (sp + std::sqrt(sp * sp + pp * room));
  }

  /// Holds coordinates that the step would push out of their limits and solves again, as long as this keeps a fair part
  /// of the free step's predicted decrease.
  void findUnblocked(double promised) {
    std::vector<char>& free = workspace_.freeSpace.free;
    for (int round = 0; round < kRegionBlockedRounds; ++round) {
      if (!takeBlocked(objective_, pose_, workspace_, workspace_.direction, kRegionBlockedShare, free)) return;
      if (solveModel(workspace_.direction) >= kRegionBlockedGain * promised) continue;
      free = own_.free;
      workspace_.direction = own_.freeStep;
      return;
    }
  }

  /// Takes the step and adapts the radius. If limits cut the step and the rest is not good enough, takes the part up to
  /// the first limit. Such limits are no evidence against the model, so the radius that they shortened is restored
  /// afterwards.
  bool tryStep() {
    const double size = metricNorm(workspace_.direction);
    const Trial whole = evaluate();
    if (whole.isBetter) {
      if (hasFailedByCuts_) radius_ = uncutRadius_;
      else if (whole.ratio < kPoorRatio) radius_ = 0.25 * std::min(radius_, size);
      else if (whole.ratio > kRegionGoodRatio && size >= kAtRadius * radius_)
        radius_ = std::min(2.0 * radius_, largestRadius_);
      return take();
    }
    int blocking = -1;
    const double share = objective_.feasibleSet().maxStep(pose_, workspace_.direction, 1.0, blocking);
    if (whole.isCut && share > 0.0 && share < 1.0) {
      workspace_.direction *= share;
      if (evaluate().isBetter) {
        if (hasFailedByCuts_) radius_ = uncutRadius_;
        return take();
      }
    }
    if (whole.isCut && !hasFailedByCuts_) uncutRadius_ = radius_;
    hasFailedByCuts_ = whole.isCut;
    radius_ = 0.25 * std::min(radius_, size);
    return false;
  }

  struct Trial {
    bool isBetter = false;  ///< f falls by a fair part of the predicted decrease of the step as cut by limits
    bool isCut = false;     ///< limits shortened the step
    double ratio = 0.0;
  };

  Trial evaluate() {
    const Eigen::VectorXd& s = workspace_.direction;
    moveWithin(objective_, pose_, s, workspace_);
    findTakenStep(objective_, workspace_.freeSpace, pose_, workspace_.trialPose, workspace_.step, own_.taken);
    applyWithin(own_.product, workspace_, own_.taken, own_.image);
    const double promised = -own_.taken.dot(workspace_.gradient) - 0.5 * own_.taken.dot(own_.image);
    const double gained = loop_.objective() - loop_.evaluateTrial();
    Trial trial;
    trial.ratio = (gained + loop_.rounding()) / (promised + loop_.rounding());
    trial.isBetter = promised > loop_.rounding() && gained >= 0.0 && trial.ratio > kAcceptedRatio;
    trial.isCut = (own_.taken - s).squaredNorm() > kCut * kCut * s.squaredNorm();
    return trial;
  }

  bool take() {
    moved_ = stepNorm(objective_, own_.taken);
    loop_.acceptTrial();
    return true;
  }

  /// The gradient predicts no further decrease: the solve ends unless f curves down in another direction.
  Move settle() {
    if (!findNegativeCurvature()) return Move::Converged;
    Eigen::VectorXd& v = workspace_.direction;
    v /= stepNorm(objective_, v);
    fixSign(v);
    for (const double sign : {1.0, -1.0})
      if (searchAlong(sign)) return Move::Accepted;
    return Move::Converged;  // limits block the direction
  }

  /// Writes a direction of negative curvature to `direction`, by conjugate gradients for a pseudo-random right-hand
  /// side.
  bool findNegativeCurvature() {
    const FreeSpace& space = workspace_.freeSpace;
    own_.residual.resize(objective_.activeCount());
    std::uint32_t state = 1;
    for (double& entry : own_.residual) {
      state = 1664525u * state + 1013904223u;  // Numerical Recipes' generator
      entry = 0.5 + static_cast<double>(state >> 8) / (1u << 24);
    }
    own_.residual = own_.residual.cwiseProduct(own_.metric.cwiseSqrt());
    space.project(own_.residual);
    applyInverseMetric(space, own_.metric, own_.residual, own_.scaled);
    own_.search = own_.scaled;
    double squared = own_.residual.size() > 0 ? own_.residual.dot(own_.scaled) : 0.0, largest = 0.0;
    const double enough = kProbed * kProbed * squared;
    const int most = std::min(kMaxProbes, objective_.activeCount());
    for (int probe = 0; probe < most && squared > enough; ++probe) {
      applyWithin(own_.product, workspace_, own_.search, own_.image);
      const double size = metricNorm(own_.search);
      const double curvature = own_.search.dot(own_.image) / (size * size);
      largest = std::max(largest, std::abs(curvature));
      if (curvature < -kRegionFlat * largest) {
        workspace_.direction = own_.search;
        return true;
      }
      if (!(curvature > kRegionFlat * largest)) return false;
      const double step = squared / (curvature * size * size);
      own_.residual -= step * own_.image;
      applyInverseMetric(space, own_.metric, own_.residual, own_.scaled);
      const double next = own_.residual.dot(own_.scaled);
      own_.search = own_.scaled + next / squared * own_.search;
      squared = next;
    }
    return false;
  }

  /// Takes the longest of +-direction / 2^k that lowers f by more than rounding.
  bool searchAlong(double sign) {
    double part = sign;
    for (int halvings = 0; halvings < kRegionHalvings; ++halvings, part *= 0.5) {
      own_.taken = part * workspace_.direction;
      moveWithin(objective_, pose_, own_.taken, workspace_);
      if (!(loop_.evaluateTrial() < loop_.objective() - loop_.rounding())) continue;
      moved_ = loop_.trialDistance();
      radius_ = std::min(std::max(radius_, metricNorm(own_.taken)), largestRadius_);
      loop_.acceptTrial();
      return true;
    }
    return false;
  }

  const double largestRadius_ = options_.largestRadius * std::sqrt(objective_.activeCount());
  TrustRegionMemory& own_ = workspace_.memoryOf<TrustRegionMemory>();
  double& radius_ = workspace_.progress.damping;
  bool hasFailedByCuts_ = false;  ///< in this iteration, the last failed steps were cut by limits
  double uncutRadius_ = 0.0;      ///< the radius before those
  double moved_ = 0.0;            ///< max-norm of the last step
};

}  // namespace

SolveStatus descendInTrustRegion(const Objective& objective, Pose& pose, const TrustRegionOptions& options,
                                 Workspace& workspace, SolveLoop& loop) {
  return iterate<TrustRegionRun>(objective, pose, options, workspace, loop);
}

const TypedSolver<TrustRegionOptions>& TrustRegionOptions::solver() {
  static const TypedSolver solver(kTrustRegionInfo, descendInTrustRegion);
  return solver;
}

}  // namespace limber
