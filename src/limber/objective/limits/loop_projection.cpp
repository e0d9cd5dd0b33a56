// SPDX-License-Identifier: MIT
#include "limber/objective/limits/loop_projection.h"

#include <algorithm>
#include <cmath>

#include <Eigen/QR>

namespace limber {

std::vector<int> independentCoordinates(const Figure& figure, const Couplings& couplings) {
  std::vector<int> coordinates;
  for (int c = 0; c < figure.stepSize(); ++c)
    if (!couplings.isFollower(c)) coordinates.push_back(c);
  return coordinates;
}

LoopProjection::LoopProjection(std::shared_ptr<const Figure> figure, FeasibleSet feasibleSet,
                               const std::vector<int>& active)
    : figure_(std::move(figure)), feasibleSet_(std::move(feasibleSet)), active_(active) {
  std::vector<char> moves(figure_->stepSize(), 0);
  for (const int c : active_) moves[c] = 1;
  for (const Couplings::Term& term : feasibleSet_.couplings().terms())
    if (moves[term.driver]) moves[term.follower] = 1;
  std::vector<int> loops;
  for (std::size_t i = 0; i < figure_->loops().size(); ++i)
    if (isMovedBy(*figure_, figure_->loops()[i], moves)) loops.push_back(static_cast<int>(i));
  if (loops.empty()) return;
  equations_ = LoopEquations(*figure_, std::move(loops));
  feasibleSet_.bind(*figure_, active_);
  units_.setOnes(static_cast<Eigen::Index>(active_.size()));
  for (int i = 0; i < figure_->linkCount(); ++i) {
    const Joint& joint = figure_->joint(i);
    const int lengths = joint.type == JointType::Prismatic ? 1 : joint.type == JointType::Free ? 3 : 0;
    for (int c = joint.stepIndex; c < joint.stepIndex + lengths; ++c)
      if (const auto at = std::ranges::lower_bound(active_, c); at != active_.end() && *at == c)
        units_[at - active_.begin()] = figure_->meanLinkLength();
  }
  step_.setZero(figure_->stepSize());
  row_.resize(units_.size());
}

/// |r|; the residual and the transforms are kept.
double LoopProjection::evaluate(const Pose& pose) {
  computeTransforms(*figure_, pose, kinematics_);
  equations_.computeResidual(kinematics_, residual_);
  return residual_.norm();
}

/// Computes the Jacobian by the active coordinates at the evaluated pose.
void LoopProjection::linearise(const Pose& pose) {
  computeTwists(*figure_, kinematics_);
  equations_.computeJacobian(kinematics_, jacobian_);
  const Couplings& couplings = feasibleSet_.couplings();
  couplings.differentiate(pose, slopes_, curvatures_, crossCurvatures_);
  for (std::size_t i = 0; i < slopes_.size(); ++i) {
    const Couplings::Term& term = couplings.terms()[i];
    jacobian_.col(term.driver) += slopes_[i] * jacobian_.col(term.follower);
  }
  whole_.resize(jacobian_.rows(), units_.size());
  for (Eigen::Index k = 0; k < units_.size(); ++k) whole_.col(k) = units_[k] * jacobian_.col(active_[k]);
}

/// Factors J P J' + damping from the Jacobian within the free space. False if the damping is too small.
bool LoopProjection::factor(double damping) {
  free_.resize(whole_.rows(), whole_.cols());
  for (Eigen::Index i = 0; i < whole_.rows(); ++i) {
    row_ = whole_.row(i);
    space_.project(row_);
    free_.row(i) = row_;
  }
  gram_.setZero(free_.rows(), free_.rows());  // its lower half is used
  gram_.selfadjointView<Eigen::Lower>().rankUpdate(free_);
  gram_.diagonal().array() += damping * std::max(gram_.diagonal().mean(), 1e-300);
  factors_.compute(gram_);
  return factors_.info() == Eigen::Success;
}

/// The step from the Jacobian within the free space. False if the damping is too small.
bool LoopProjection::findStep(const Pose& pose, double damping) {
  for (int round = 0; round < kMaxHolds; ++round) {
    if (!factor(damping)) return false;
    forces_ = residual_;
    factors_.solveInPlace(forces_);
    activeStep_.noalias() = -free_.transpose() * forces_;
    const double most = activeStep_.size() > 0 ? activeStep_.cwiseAbs().maxCoeff() : 0.0;
    if (!std::isfinite(most)) return false;
    if (most > kMostTurn) activeStep_ *= kMostTurn / most;
    activeStep_.array() *= units_.array();
    if (!holdBlocked(pose)) return true;
  }
  return true;
}

/// A step with the factors and the free space of the last one, which near a closed pose leaves a remainder of the order
/// of |r|^2, too. False, at the same pose, if it leaves more than a tenth.
bool LoopProjection::stepAgain(Pose& pose, double& size) {
  forces_ = residual_;
  factors_.solveInPlace(forces_);
  activeStep_.noalias() = -free_.transpose() * forces_;
  activeStep_.array() *= units_.array();
  if (holdBlocked(pose)) return false;
  integrateActive(pose, 1.0, trial_);
  residual_.swap(residualBefore_);
  const double now = evaluate(trial_);
  if (!(now < 0.1 * size)) {
    residual_.swap(residualBefore_);
    return false;
  }
  size = now;
  std::swap(pose.coordinates, trial_.coordinates);
  return true;
}

/// The part of toward_, the step to the wanted pose, that keeps the loops to first order. False if it is too short.
bool LoopProjection::findApproach(const Pose& pose) {
  for (int round = 0; round < kMaxHolds; ++round) {
    if (!factor(kFirstDamping * kFirstDamping)) return false;
    row_ = toward_;
    space_.project(row_);
    forces_.noalias() = free_ * row_;
    factors_.solveInPlace(forces_);
    activeStep_ = row_;
    activeStep_.noalias() -= free_.transpose() * forces_;
    const double most = activeStep_.size() > 0 ? activeStep_.cwiseAbs().maxCoeff() : 0.0;
    if (!(most > kStill)) return false;
    if (most > kMostTurn) activeStep_ *= kMostTurn / most;
    activeStep_.array() *= units_.array();
    if (!holdBlocked(pose)) return true;
  }
  return true;
}

/// The pose after a part of the active step, within the free space.
void LoopProjection::integrateActive(const Pose& pose, double part, Pose& out) {
  step_.setZero();
  for (std::size_t k = 0; k < active_.size(); ++k) step_[active_[k]] = part * activeStep_[k];
  integrate(*figure_, pose, step_, out);
  feasibleSet_.project(out, space_);
}

/// Takes coordinates out of the free space that are at a limit which the step would cross. True if there are any.
bool LoopProjection::holdBlocked(const Pose& pose) {
  bool isAny = false;
  for (Eigen::Index k = 0; k < activeStep_.size(); ++k) {
    if (!space_.free[k] || activeStep_[k] == 0.0) continue;
    if (feasibleSet_.room(pose, active_[k], activeStep_[k]) > kAtLimit) continue;
    if (std::abs(activeStep_[k]) <= kAtLimit) continue;
    space_.free[k] = 0;
    isAny = true;
  }
  return isAny;
}

bool LoopProjection::close(Pose& pose) {
  if (isEmpty()) return true;
  feasibleSet_.project(pose);
  double size = evaluate(pose), damping = kLeastDamping;
  for (int i = 0; i < kMaxSteps && size > kRounding && damping < kMostDamping; ++i) {
    linearise(pose);
    gradient_.noalias() = whole_.transpose() * residual_;
    gradient_.array() /= units_.array();
    bool isNearer = false;
    while (!isNearer && damping < kMostDamping) {
      feasibleSet_.findFreeSpace(pose, gradient_, space_);
      if (findStep(pose, damping)) {
        integrateActive(pose, 1.0, trial_);
        residual_.swap(residualBefore_);
        const double now = evaluate(trial_);
        isNearer = now < kHelps * size;
        if (isNearer) size = now;
        else residual_.swap(residualBefore_);
      }
      damping = isNearer ? std::max(0.01 * damping, kLeastDamping) : std::max(10.0 * damping, kFirstDamping);
      if (!isNearer && size < 1e-11) break;  // only rounding is left
    }
    if (!isNearer) break;
    std::swap(pose.coordinates, trial_.coordinates);
    if (size < kNear && size > kRounding && !stepAgain(pose, size)) evaluate(pose);
  }
  computeTransforms(*figure_, pose, kinematics_);
  const bool isClosed = std::ranges::all_of(
      equations_.loops(), [&](int loop) { return gapOf(figure_->loops()[loop], kinematics_).isClosed(); });
  return isClosed && feasibleSet_.violation(pose) <= kKept;
}

void LoopProjection::approach(const Pose& wanted, Pose& pose) {
  if (isEmpty()) return;
  toward_.resize(units_.size());
  const auto measure = [&](const Pose& from) {
    difference(*figure_, from, wanted, way_);
    for (Eigen::Index k = 0; k < units_.size(); ++k) toward_[k] = way_[active_[k]] / units_[k];
    return toward_.squaredNorm();
  };
  Pose next;
  for (int i = 0; i < kMaxApproaches; ++i) {
    evaluate(pose);
    linearise(pose);
    const double away = measure(pose);
    gradient_ = -toward_.cwiseQuotient(units_);
    feasibleSet_.findFreeSpace(pose, gradient_, space_);
    if (!findApproach(pose)) return;
    bool isNearer = false;
    const Eigen::VectorXd whole = activeStep_;
    const FreeSpace space = space_;
    for (double part = 1.0; part > 0.05 && !isNearer; part *= 0.5) {
      activeStep_ = whole;
      space_ = space;
      integrateActive(pose, part, next);
      isNearer = close(next) && measure(next) < away;
    }
    if (!isNearer) return;
    std::swap(pose.coordinates, next.coordinates);
  }
}

void LoopProjection::jacobianAt(const Pose& pose, Eigen::MatrixXd& jacobian) {
  if (isEmpty()) {
    jacobian.resize(0, static_cast<Eigen::Index>(active_.size()));
    return;
  }
  evaluate(pose);
  linearise(pose);
  jacobian.resize(whole_.rows(), whole_.cols());
  for (Eigen::Index k = 0; k < units_.size(); ++k) jacobian.col(k) = whole_.col(k) / units_[k];
}

int LoopProjection::rankAt(const Pose& pose) {
  if (isEmpty()) return 0;
  evaluate(pose);
  linearise(pose);
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(whole_.rows(), whole_.cols());
  factors.setThreshold(kRankThreshold);
  factors.compute(whole_);
  return static_cast<int>(factors.rank());
}

Freedom freedomOf(const std::shared_ptr<const Figure>& figure) {
  Limits limits = limitsOf(*figure);
  for (Interval& interval : limits.intervals) interval = {};
  for (BallLimits& ball : limits.balls) ball = {};
  std::fill(limits.linearLimitEnabled.begin(), limits.linearLimitEnabled.end(), char{0});
  FeasibleSet feasibleSet(*figure, limits);
  const std::vector<int> active = independentCoordinates(*figure, feasibleSet.couplings());
  Freedom freedom{.coordinates = static_cast<int>(active.size())};
  LoopProjection projection(figure, feasibleSet, active);
  if (projection.isEmpty()) return freedom;
  // The rest pose may be singular, such as a flat parallelogram, so that a pose near it counts.
  Pose pose = restPose(*figure);
  projection.close(pose);
  freedom.lost = projection.rankAt(pose);
  Eigen::VectorXd step = Eigen::VectorXd::Zero(figure->stepSize());
  constexpr double kAside = 0.03;
  for (const int c : active) step[c] = kAside * std::sin(1.0 + c);
  integrate(*figure, pose, step, pose);
  if (projection.close(pose)) freedom.lost = std::max(freedom.lost, projection.rankAt(pose));
  return freedom;
}

std::shared_ptr<const Figure> closedAtRest(const std::shared_ptr<const Figure>& figure) {
  Pose pose = restPose(*figure);
  if (figure->loops().empty() || largestGap(*figure, pose).isClosed()) return figure;
  FeasibleSet feasibleSet(*figure, limitsOf(*figure));
  const std::vector<int> active = independentCoordinates(*figure, feasibleSet.couplings());
  LoopProjection(figure, std::move(feasibleSet), active).close(pose);
  return figure->withRestPose(pose.coordinates);
}

}  // namespace limber
