// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/fixed_step_descent.h"

#include <algorithm>
#include <cmath>

#include "limber/solvers/option_table.h"

namespace limber {

namespace {

constexpr OptionInfo kFixedStepDescentOptions[] = {
    option<&FixedStepDescentOptions::alpha>(
        "alpha", "Step length", "", 1e-12, 1e3,
        "alpha in q - alpha d. Relative: at 0.5 the stiffest direction is met in one step, from 1 on steps overshoot.",
        kLogarithmic),
    option<&FixedStepDescentOptions::relative>(
        "relative", "Relative step length", "", 0, 1,
        "On: alpha is in units of 1 / |J|^2 at the start of the solve. Off: alpha is absolute, as in the lecture."),
    option<&FixedStepDescentOptions::finiteDifference>("finiteDifference", "Gradient by differences", "", 0, 1,
                                                       "On: (f(q + h) - f(q)) / h for each coordinate. Off: 2 J'C."),
    option<&FixedStepDescentOptions::differenceStep>("differenceStep", "Difference", "rad", 1e-12, 0.1,
                                                     "h of the gradient by differences.", kLogarithmic),
    option<&FixedStepDescentOptions::epsilon>(
        "epsilon", "Tolerance", "links^2", 0.0, 1.0,
        "Stops when |C|^2, the squared distances weighed by w / w_max, is no more than this.", kLogarithmic),
    kIterationCap<&FixedStepDescentOptions::maxIterations, 1000000>,
};
constexpr SolverInfo kFixedStepDescentInfo{
    .name = "gd",
    .title = "Gradient descent, fixed step",
    .description =
        "The simplest solver, from C. Karen Liu's lecture: steps down the gradient 2 J'C, analytic or by "
        "differences, with a constant factor, until the goals are met. Many cheap steps.",
    .limits = LimitHandling::Exact,
    .options = kFixedStepDescentOptions,
};

constexpr int kPowerIterations = 12;

struct FixedStepDescentMemory final : SolverMemory {
  std::vector<Residual> residuals;  ///< per goal: J v
};

class FixedStepDescentRun : public SolverRun<FixedStepDescentOptions> {
 public:
  FixedStepDescentRun(const Objective& objective, Pose& pose, const FixedStepDescentOptions& options,
                      Workspace& workspace, SolveLoop& loop)
      : SolverRun(objective, pose, options, workspace, loop) {
    for (const auto& goal : objective.goals()) largestWeight_ = std::max(largestWeight_, goal->weight());
    for (const int c : objective.active())
      largestPull_ = std::max(largestPull_, objective.regulariserWeight(c) / metric(c));
    scale_ = 2.0 / (largestWeight_ > 0.0 ? largestWeight_ : largestPull_ > 0.0 ? largestPull_ : 1.0);
  }

  SolveStatus iterate() {
    if (loop_.iterationsOfPhase() == 0) step_ = options_.relative ? options_.alpha / curvature() : options_.alpha;
    while (!areGoalsMet() && loop_.projectedGradientNorm() > 0.0) {
      if (loop_.iterationsOfPhase() >= options_.maxIterations) return SolveStatus::IterationCap;
      findDirection();
      objective_.move(pose_, workspace_.direction, workspace_.step, workspace_.trialPose);
      const double before = loop_.objective(), rounding = loop_.rounding();
      if (!(loop_.evaluateTrial() <= before)) return SolveStatus::Stalled;
      const double moved = loop_.trialDistance();
      loop_.acceptTrial();
      const bool mayGoOn = loop_.endIteration(moved, step_);
      if (before - loop_.objective() <= rounding && !areGoalsMet()) return SolveStatus::Stalled;
      if (!mayGoOn) return loop_.status();
    }
    return SolveStatus::Converged;
  }

 private:
  double metric(int coordinate) const { return objective_.metric()[coordinate]; }

  /// |C|^2 <= epsilon. If no goal has a weight, only the pull counts, down to its minimum.
  bool areGoalsMet() const {
    double squared = 0.0;
    for (std::size_t k = 0; k < objective_.goals().size(); ++k)
      squared += workspace_.current.weights[k] * workspace_.current.residuals[k].squaredNorm();
    return largestWeight_ > 0.0 && squared <= options_.epsilon * largestWeight_;
  }

  /// |J|^2 of C with respect to coordinates in radians and mean links, by power iteration, plus the curvature of the
  /// pull. > 0.
  double curvature() {
    auto& residuals = workspace_.memoryOf<FixedStepDescentMemory>().residuals;
    Eigen::VectorXd& v = workspace_.direction;
    v.setOnes(objective_.activeCount());
    double largest = 0.0;
    for (int i = 0; i < kPowerIterations && largestWeight_ > 0.0 && v.size() > 0; ++i) {
      v /= v.norm();
      byRootOfMetric(v);
      objective_.applyJacobian(workspace_.current, v, residuals);
      for (std::size_t k = 0; k < residuals.size(); ++k)
        residuals[k] *= objective_.goals()[k]->weight() / largestWeight_;
      objective_.applyTransposedJacobian(workspace_.current, residuals, v);
      byRootOfMetric(v);
      largest = v.norm();
      if (!(largest > 0.0)) break;
    }
    largest += 0.5 * scale_ * (largestPull_ + stayCurvature());
    return largest > 0.0 ? largest : 1.0;
  }

  /// An upper bound of the largest curvature of the stay term: the sum over the coordinates.
  double stayCurvature() const {
    const auto& bodies = objective_.stay().bodies();
    double sum = 0.0;
    Matrix6d inertia;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      StayTerm::computeInertia(bodies[i], workspace_.current.stays[i], Curvature::GaussNewton, inertia);
      for (const int c : objective_.moving())
        if (objective_.figure().isAncestorOrSelf(objective_.linkOf(c), bodies[i].link)) {
          const Vector6d twist = workspace_.current.kinematics.twists.col(c);
          sum += twist.dot(inertia * twist) / metric(c);
        }
    }
    return sum;
  }

  void byRootOfMetric(Eigen::VectorXd& v) const {
    for (int k = 0; k < objective_.activeCount(); ++k) v[k] /= std::sqrt(metric(objective_.active()[k]));
  }

  /// direction = -alpha d, back in metres.
  void findDirection() {
    if (options_.finiteDifference) takeDifferences(workspace_.direction);
    else workspace_.direction = workspace_.gradient;
    for (int k = 0; k < objective_.activeCount(); ++k)
      workspace_.direction[k] *= -step_ * scale_ / metric(objective_.active()[k]);
  }

  void takeDifferences(Eigen::VectorXd& gradient) {
    const Figure& figure = objective_.figure();
    gradient.resize(objective_.activeCount());
    workspace_.step.setZero(figure.stepSize());
    for (int k = 0; k < objective_.activeCount(); ++k) {
      const int c = objective_.active()[k];
      const double h = options_.differenceStep / std::sqrt(metric(c));
      workspace_.step[c] = h;
      integrate(figure, pose_, workspace_.step, workspace_.trialPose);
      workspace_.step[c] = 0.0;
      objective_.feasibleSet().couplings().apply(workspace_.trialPose);
      gradient[k] = (loop_.evaluateTrial() - loop_.objective()) / h;
    }
  }

  double& step_ = workspace_.progress.damping;  ///< alpha, constant during a solve
  double largestWeight_ = 0.0, largestPull_ = 0.0;
  double scale_ = 2.0;  ///< d = scale * gradient of f
};

}  // namespace

const TypedSolver<FixedStepDescentOptions>& FixedStepDescentOptions::solver() {
  static const TypedSolver solver(kFixedStepDescentInfo, iterate<FixedStepDescentRun>);
  return solver;
}

}  // namespace limber
