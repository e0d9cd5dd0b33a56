// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/variable_metric.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/solvers/option_table.h"
#include "limber/solvers/steps/boundary.h"
#include "limber/solvers/steps/line_search.h"

namespace limber {

namespace {

constexpr OptionInfo kVariableMetricOptions[] = {
    kIterationCap<&VariableMetricOptions::maxIterations>,
    option<&VariableMetricOptions::tolerance>(
        "tolerance", "Tolerance", "of f", 0.0, 1.0,
        "Converged when the metric predicts that f can fall by at most this fraction of it.", kLogarithmic),
    option<&VariableMetricOptions::dfp>(
        "dfp", "Switch to DFP", "", 0, 1,
        "On: DFP where sigma'y < y'Hy, as in the paper. Off: BFGS always, which often needs fewer iterations."),
};
constexpr SolverInfo kVariableMetricInfo{
    .name = "variable-metric",
    .title = "Variable metric, active set (Zhao and Badler 1994)",
    .description =
        "The solver of the 1994 paper: BFGS and DFP steps projected onto the active limits, which are "
        "dropped and added one at a time. Estimates curvature from gradients alone.",
    .limits = LimitHandling::Exact,
    .options = kVariableMetricOptions,
    .needsDenseHessian = true,
};

constexpr double kMetricMaxStep = 1.0;     // radians or mean link lengths: the cubic model is poor beyond
constexpr double kMetricRoundings = 10.0;  // if f is only rounding, it cannot fall below a few roundings
constexpr int kMetricMaxIdle = 10;         // iterations in a row in which f falls by at most rounding

/// The first regulariser's weight on an angle of rigidity zero, the smallest among the active coordinates by their
/// metric; infinite if none is active.
double softestWeight(const Objective& objective) {
  const Eigen::VectorXd& weights = objective.regularisers().front().weights();
  double softest = std::numeric_limits<double>::infinity();
  for (const int c : objective.active()) softest = std::min(softest, weights[c] / objective.metric()[c]);
  return softest;
}

/// Rigidities as a scaling of the variables (section 11 of the paper). scale (active x 1): c_k = 1 - rigidity for
/// angles, (1 - rigidity) L for lengths, up to a common factor. From the first regulariser, whose weights are
/// softest * metric_k / (1 - rigidity_k)^2; without weights all rigidities are 0.
void computeScale(const Objective& objective, Eigen::VectorXd& scale) {
  const Eigen::VectorXd& weights = objective.regularisers().front().weights();
  const double softest = softestWeight(objective);
  scale.resize(objective.activeCount());
  for (int k = 0; k < objective.activeCount(); ++k) {
    const int c = objective.active()[k];
    scale[k] = softest > 0.0 ? std::sqrt(softest / weights[c]) : 1.0 / std::sqrt(objective.metric()[c]);
  }
}

class VariableMetricRun : public SolverRun<VariableMetricOptions> {
 public:
  using SolverRun::SolverRun;

  SolveStatus iterate() {
    if (objective_.activeCount() == 0) return SolveStatus::Converged;  // all joints are locked
    if (loop_.iterationsOfPhase() == 0) start();
    while (loop_.iterationsOfPhase() < options_.maxIterations) {
      const Next next = findDirection();
      if (next == Next::Stop) return SolveStatus::Converged;
      if (next == Next::Fail || !advance()) {
        if (own_.isFresh) return SolveStatus::Stalled;
        resetMetric();
        continue;
      }
      if (!loop_.endIteration(moved_, gamma_)) return loop_.status();
      if (own_.idle == kMetricMaxIdle) resetMetric();  // H may be the cause
      if (own_.idle == 2 * kMetricMaxIdle) return SolveStatus::Stalled;
    }
    return SolveStatus::IterationCap;
  }

 private:
  enum class Next { Advance, Stop, Fail };

  // Step 1.

  void start() {
    const int n = objective_.activeCount();
    own_.activeSet.reset(n);
    own_.idle = 0;
    own_.isImplied.assign(boundary_.count(), 0);
    own_.held.reserve(boundary_.count());
    sizeLike(workspace_.current, own_.spare);
    for (Evaluation* evaluation : {&workspace_.current, &workspace_.trial, &own_.spare})  // they are swapped
      evaluation->motions.resize(objective_.figure().linkCount());
    computeScale(objective_, own_.scale);
    addTouching(true);  // equalities first: they are never dropped, and limits that they imply need not be held
    addTouching(false);
    resetMetric();
  }

  void addTouching(bool equalities) {
    for (int j = 0; j < boundary_.count(); ++j) {
      if (boundary_.isEquality(j) != equalities || !(equalities || boundary_.touches(pose_, j))) continue;
      boundary_.normal(pose_, j, own_.normal);
      own_.activeSet.add(j, own_.normal);
    }
  }

  /// Sets H = P, in a unit of f that makes it the inverse Hessian of the regulariser; without one, a Cauchy step.
  void resetMetric() {
    own_.metric.reset(objective_.activeCount());
    for (int i = 0; i < own_.activeSet.size(); ++i) {
      own_.normal = own_.activeSet.normals().col(i);
      own_.metric.add(own_.normal);
    }
    own_.isFresh = true;
    own_.unit = 1.0;
    takeGradient();
    own_.free = own_.gradient;
    own_.activeSet.project(own_.free);
    const double size = own_.free.squaredNorm();
    if (const double softest = softestWeight(objective_); softest > 0.0) own_.unit = softest;
    else if (const double curvature = curvatureOf(own_.free); curvature > 0.0) own_.unit = curvature / size;
    takeGradient();
  }

  /// The Gauss-Newton curvature of f, in its unit, along a direction of the solver's variables: s'(J'wJ + R)s.
  double curvatureOf(const Eigen::VectorXd& direction) {
    const Evaluation& current = workspace_.current;
    own_.along = direction.cwiseProduct(own_.scale);
    objective_.applyJacobian(workspace_.current, own_.along, own_.residuals);
    double curvature = 0.0;
    for (std::size_t k = 0; k < own_.residuals.size(); ++k)
      curvature += current.weights[k] * own_.residuals[k].squaredNorm();
    Matrix6d inertia;
    for (std::size_t i = 0; i < objective_.stay().bodies().size(); ++i) {
      const StayTerm::Body& body = objective_.stay().bodies()[i];
      const Vector6d& motion = current.motions[body.link];
      StayTerm::computeInertia(body, current.stays[i], Curvature::GaussNewton, inertia);
      curvature += motion.dot(inertia * motion);
    }
    for (int k = 0; k < objective_.activeCount(); ++k)
      curvature += objective_.regulariserWeight(objective_.active()[k]) * own_.along[k] * own_.along[k];
    return curvature / own_.unit;
  }

  void takeGradient() { own_.gradient = workspace_.gradient.cwiseProduct(own_.scale) / own_.unit; }

  // Steps 2 and 3.

  Next findDirection() {
    takeGradient();
    std::fill(own_.isImplied.begin(), own_.isImplied.end(), char{0});
    const int mostChanges = 2 * (objective_.activeCount() + boundary_.count());
    for (int changes = 0; changes <= mostChanges; ++changes) {
      const int worst = computeDirection();
      if (isKuhnTucker(worst)) return Next::Stop;
      if (worst >= 0 && own_.direction.norm() <= 0.5 * pull(worst)) drop(worst);
      else if (!isDescent()) return Next::Fail;
      else if (!addBlocking()) return Next::Advance;
    }
    return leaveCorner();
  }

  /// Computes s = -H g and alpha. Returns the column of the inequality with the largest pull, -1 if none has any.
  int computeDirection() {
    own_.metric.apply(own_.gradient, own_.direction);
    own_.direction = -own_.direction;
    own_.activeSet.project(own_.direction);
    own_.activeSet.computeMultipliers(own_.gradient, own_.alpha);
    int worst = -1;
    for (int i = 0; i < own_.activeSet.size(); ++i)
      if (!boundary_.isEquality(own_.activeSet.limit(i)) && pull(i) > (worst < 0 ? 0.0 : pull(worst))) worst = i;
    return worst;
  }

  bool isDescent() const { return own_.gradient.dot(own_.direction) < 0.0; }

  /// More limits meet here than there are directions, and dropping and adding them one by one would cycle. The
  /// projection of -g onto the tangent cone shows which of them are active; scaled variables would not.
  Next leaveCorner() {
    boundary_.findLeaning(pose_, workspace_.gradient, own_.held);
    own_.scale.setOnes();
    own_.activeSet.reset(objective_.activeCount());
    addTouching(true);
    for (const int limit : own_.held) {
      boundary_.normal(pose_, limit, own_.normal);
      own_.activeSet.add(limit, own_.normal);
    }
    resetMetric();
    if (isKuhnTucker(computeDirection())) return Next::Stop;
    return isDescent() && !addBlocking() ? Next::Advance : Next::Fail;
  }

  /// alpha_q alpha_qq^(-1/2): the amount by which P g would grow without that limit.
  double pull(int column) const { return own_.alpha[column] / std::sqrt(own_.activeSet.inverse()(column, column)); }

  /// The largest predicted decrease of f: along H g by H, along P g and with the worst limit dropped by the curvature
  /// there.
  bool isKuhnTucker(int worst) {
    const double allowed = (options_.tolerance * loop_.objective() + kMetricRoundings * loop_.rounding()) / own_.unit;
    if (-own_.gradient.dot(own_.direction) > allowed) return false;
    own_.free = own_.gradient;
    own_.activeSet.project(own_.free);
    const double size = own_.free.squaredNorm();
    if (size > 0.0 && size * size > allowed * curvatureOf(own_.free)) return false;
    if (worst < 0) return true;
    own_.free.noalias() = own_.activeSet.normals() * own_.activeSet.inverse().col(worst);
    const double freed = own_.activeSet.inverse()(worst, worst);
    return pull(worst) * pull(worst) * freed <= allowed * curvatureOf(own_.free);
  }

  void drop(int column) {
    own_.normal = own_.activeSet.normals().col(column);
    own_.activeSet.drop(column);
    own_.free = own_.normal;
    own_.activeSet.project(own_.free);
    own_.metric.drop(own_.free);
  }

  bool add(int limit) {
    boundary_.normal(pose_, limit, own_.normal);
    if (!own_.activeSet.add(limit, own_.normal)) return false;
    own_.metric.add(own_.normal);
    return true;
  }

  // Step 4.

  /// Finds the longest step along the direction. True if it is zero and a new direction is needed: the blocking limit
  /// has been added, or left out as implied.
  bool addBlocking() {
    workspace_.direction = own_.direction.cwiseProduct(own_.scale);
    const double size = stepNorm(objective_, workspace_.direction);
    longest_ = std::min(1.0, kMetricMaxStep / size);
    while (true) {
      longest_ = boundary_.longestStep(pose_, workspace_.direction, longest_, blocking_);
      if (blocking_ < 0 || longest_ * size > Boundary::kTouching) return false;
      if (add(blocking_)) return true;
      own_.isImplied[blocking_] = 1;
      longest_ = std::min(1.0, kMetricMaxStep / size);
    }
  }

  LineTrial evaluate(double gamma) {
    own_.along = gamma * workspace_.direction;
    objective_.move(pose_, own_.along, workspace_.step, workspace_.trialPose);
    boundary_.hold(gamma == longest_ ? blocking_ : -1, workspace_.step, workspace_.trialPose);
    const double f = loop_.evaluateTrial();
    if (!std::isfinite(f)) return {gamma, std::numeric_limits<double>::infinity(), f};
    objective_.computeGradient(workspace_.trial, own_.trialGradient);
    own_.along = own_.trialGradient;
    boundary_.relieve(workspace_.trialPose, own_.along);
    return {gamma, f, own_.along.dot(workspace_.direction)};
  }

  void swapKept() {
    std::swap(workspace_.trial, own_.spare);
    std::swap(workspace_.trialPose, own_.sparePose);
    own_.trialGradient.swap(own_.keptGradient);
  }

  // Steps 4 to 6: one line search and the update of H. False if no step lowers f.
  bool advance() {
    const double before = loop_.objective();
    const LineTrial here{0.0, before, own_.unit * own_.gradient.dot(own_.direction)};
    LineTrial found;
    const auto tryStep = [&](double gamma) { return evaluate(gamma); };
    const auto swap = [&] { swapKept(); };
    if (searchLine(here, longest_, tryStep, swap, found) == LineOutcome::None) return false;
    gamma_ = found.step;
    moved_ = gamma_ * stepNorm(objective_, workspace_.direction);
    own_.idle = before - found.value > loop_.rounding() ? 0 : own_.idle + 1;
    own_.change = own_.gradient;
    relieveByAlpha(own_.change);
    loop_.acceptTrial(own_.trialGradient);
    turnNormals();
    if (gamma_ == longest_ && blocking_ >= 0) add(blocking_);
    else learn();
    return true;
  }

  void learn() {
    takeGradient();
    own_.sigma = gamma_ * own_.direction;
    if (hasTurned_) own_.activeSet.project(own_.sigma);
    own_.activeSet.computeMultipliers(own_.gradient, own_.alpha);
    own_.free = own_.gradient;
    relieveByAlpha(own_.free);
    own_.change = own_.free - own_.change;
    if (own_.metric.update(own_.sigma, own_.change, options_.dfp)) own_.isFresh = false;
  }

  /// g minus the forces of the curved limits: the gradient of f + multipliers * limits, whose change contains their
  /// curvature.
  void relieveByAlpha(Eigen::VectorXd& gradient) const {
    for (int i = 0; i < own_.activeSet.size(); ++i)
      if (boundary_.isCurved(own_.activeSet.limit(i))) gradient -= own_.alpha[i] * own_.activeSet.normals().col(i);
  }

  /// Drops each curved limit with its old normal and adds it with the normal at the new pose. An equality that the
  /// others implied may now be independent.
  void turnNormals() {
    hasTurned_ = false;
    for (int limit = 0; limit < boundary_.count(); ++limit) {
      if (!boundary_.isCurved(limit)) continue;
      const int column = own_.activeSet.find(limit);
      if (column < 0 && !boundary_.isEquality(limit)) continue;
      boundary_.normal(pose_, limit, own_.normal);
      if (column >= 0 && own_.normal == own_.activeSet.normals().col(column)) continue;
      if (column >= 0) drop(column);
      if (add(limit) || column >= 0) hasTurned_ = true;
    }
  }

  VariableMetricMemory& own_ = workspace_.memoryOf<VariableMetricMemory>();
  Boundary boundary_{objective_, own_};
  double longest_ = 0.0;  ///< the line search's longest gamma
  int blocking_ = -1;     ///< the limit that blocks the line search, -1 for none
  double gamma_ = 0.0;
  double moved_ = 0.0;      ///< max-norm of the step
  bool hasTurned_ = false;  ///< the normal of a curved limit has turned in this iteration
};

}  // namespace

const TypedSolver<VariableMetricOptions>& VariableMetricOptions::solver() {
  static const TypedSolver solver(kVariableMetricInfo, iterate<VariableMetricRun>);
  return solver;
}

}  // namespace limber
