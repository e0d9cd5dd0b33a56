// SPDX-License-Identifier: MIT
#include "research/penalty_trust_region.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/solvers/steps/limit_penalty.h"

namespace limber::experiments {

namespace {

constexpr double kTheta = 1.0, kKappa = 0.1;                                // of the inner iteration's end
constexpr double kTaken = 0.1;                                              // rho of a step that is taken
constexpr double kRounding = 1e3 * std::numeric_limits<double>::epsilon();  // of f: what rho does not believe
constexpr double kLeastRadius = 1e-12;                                      // of the largest

class PenaltyTrustRegion {
 public:
  PenaltyTrustRegion(const Objective& objective, const PenaltyOptions& options)
      : objective_(objective), options_(options),
        stiffness_(springStiffness(objective, options.lambda / squareOf(objective.figure().meanLinkLength()))),
        penalty_(objective, stiffness_), unit_(objective.activeCount()) {
    for (int k = 0; k < objective.activeCount(); ++k)
      unit_[k] = 1.0 / std::sqrt(objective.metric()[objective.active()[static_cast<std::size_t>(k)]]);
  }

  PenaltySummary solve(Pose& pose, const PenaltyObserver& observer) {
    PenaltySummary summary;
    const double largest = std::sqrt(objective_.activeCount());
    double radius = largest / 8.0;
    value_ = evaluate(pose);
    linearise(pose);
    while (!(summary.isConverged = gradient_.norm() <= options_.tolerance)) {
      if (summary.iterations == options_.maxIterations || !(radius > kLeastRadius * largest)) break;
      ++summary.iterations;
      const bool isCut = findStep(radius);
      move(pose, trial_);
      const double trialValue = evaluate(trial_);
      const double doubt = kRounding * std::max(1.0, std::abs(value_));
      const double promised = -gradient_.dot(step_) - 0.5 * step_.dot(hessian_ * step_);
      const double rho = (value_ - trialValue + doubt) / (promised + doubt);
      if (!(rho >= 0.25)) radius *= 0.25;
      else if (rho > 0.75 && isCut) radius = std::min(2.0 * radius, largest);
      if (rho > kTaken) {
        pose = trial_;
        value_ = trialValue;
        linearise(pose);
      }
      if (observer && !observer(pose)) break;
    }
    return summary;
  }

 private:
  static double squareOf(double x) { return x * x; }

  /// (16) / (2 L^2).
  double evaluate(const Pose& pose) { return objective_.evaluate(pose, evaluation_) + penalty_.value(pose); }

  /// Gradient and Hessian at the pose evaluated last, in radians and mean link lengths.
  void linearise(const Pose& pose) {
    objective_.computeGradient(evaluation_, gradient_);
    objective_.computeHessian(evaluation_, hessian_);
    penalty_.addGradient(pose, gradient_, normal_);
    const FeasibleSet& limits = objective_.feasibleSet();
    for (int j = 0; j < limits.constraintCount(); ++j) {
      if (limits.slack(pose, j) >= 0.0) continue;
      const int k = objective_.activeIndex(objective_.figure().joint(limits.index(j)).stepIndex);
      hessian_(k, k) += 2.0 * stiffness_ / squareOf(unit_[k]);
    }
    gradient_ = gradient_.cwiseProduct(unit_);
    hessian_ = unit_.asDiagonal() * hessian_ * unit_.asDiagonal();
  }

  /// The model's minimum within the radius, by truncated conjugate gradients. True when the radius ended it.
  bool findStep(double radius) {
    step_.setZero(gradient_.size());
    residual_ = gradient_;
    search_ = -residual_;
    double squared = residual_.squaredNorm();
    const double first = std::sqrt(squared), enough = first * std::min(std::pow(first, kTheta), kKappa);
    for (Eigen::Index inner = 0; inner < gradient_.size(); ++inner) {
      image_.noalias() = hessian_ * search_;
      const double curvature = search_.dot(image_), length = squared / curvature;
      if (!(curvature > 0.0) || (step_ + length * search_).norm() >= radius) {
        step_ += toRadius(radius) * search_;
        return true;
      }
      step_ += length * search_;
      residual_ += length * image_;
      const double next = residual_.squaredNorm();
      if (std::sqrt(next) <= enough) return false;
      search_ = next / squared * search_ - residual_;
      squared = next;
    }
    return false;
  }

  /// tau >= 0 with |step + tau search| = radius.
  double toRadius(double radius) const {
    const double sp = step_.dot(search_), pp = search_.squaredNorm();
    const double room = std::max(0.0, squareOf(radius) - step_.squaredNorm());
    return room / (sp + std::sqrt(sp * sp + pp * room));
  }

  void move(const Pose& pose, Pose& out) {
    fullStep_.setZero(objective_.figure().stepSize());
    for (int k = 0; k < objective_.activeCount(); ++k)
      fullStep_[objective_.active()[static_cast<std::size_t>(k)]] = step_[k] * unit_[k];
    integrate(objective_.figure(), pose, fullStep_, out);
  }

  const Objective& objective_;
  const PenaltyOptions& options_;
  double stiffness_;
  LimitPenalty penalty_;
  Eigen::VectorXd unit_;  ///< of a scaled step in coordinates: 1, for lengths L
  Evaluation evaluation_;
  double value_ = 0.0;
  Eigen::VectorXd gradient_, step_, residual_, search_, image_, fullStep_, normal_;
  Eigen::MatrixXd hessian_;
  Pose trial_;
};

}  // namespace

PenaltySummary solveWithPenalty(const Objective& objective, Pose& pose, const PenaltyOptions& options,
                                const PenaltyObserver& observer) {
  return PenaltyTrustRegion(objective, options).solve(pose, observer);
}

}  // namespace limber::experiments
