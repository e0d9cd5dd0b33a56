// SPDX-License-Identifier: MIT
#include "limber/posing/velocity_step.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "limber/posing/posed_problem.h"

namespace limber {

namespace {

constexpr double kDependent = 1e-9;   // part of a row's length that is left if it depends on earlier rows
constexpr double kStill = 1e-13;      // part of the largest velocity: no step
constexpr double kWrongSide = 1e-10;  // part of the largest gradient: a bound that pulls is released

const IkProblem& checked(const IkProblem& problem) {
  if (const std::string fault = findFault(problem); !fault.empty()) throw std::invalid_argument(fault);
  return problem;
}

IkProblem problemOfFigure(std::shared_ptr<const Figure> figure) {
  if (!figure) throw std::invalid_argument("there is no figure: the pointer is null");
  return makeIkProblem(std::move(figure));
}

/// Removes from a step its part along a unit row, both in the free coordinates alone (side 0).
template <typename Row, typename Sides>
void removeAlong(const Row& row, const Sides& side, Eigen::VectorXd& step) {
  double along = 0.0;
  for (std::size_t i = 0; i < side.size(); ++i)
    if (side[i] == 0) along += row[i] * step[i];
  for (std::size_t i = 0; i < side.size(); ++i)
    if (side[i] == 0) step[i] -= along * row[i];
}

}  // namespace

VelocityStep::VelocityStep(std::shared_ptr<const Figure> figure, Axes axes)
    : VelocityStep(problemOfFigure(std::move(figure)), axes) {}

VelocityStep::VelocityStep(const IkProblem& problem, Axes axes)
    : figure_(checked(problem).figure), axes_(axes), jacobians_(*figure_, activeCouplings(problem)) {
  for (int i = 0; i < figure_->linkCount(); ++i) {
    limits_.push_back(problem.joints[i].limits);
    velocityLimits_.push_back(figure_->joint(i).velocityLimit);
    const BallLimits& ball = problem.joints[i].ballLimits;
    if (figure_->joint(i).type == JointType::Ball && ball.isBounded()) balls_.push_back({i, BallRange(ball)});
  }
  findCoordinates(problem);
  loops_ = LoopProjection(figure_, FeasibleSet(*figure_, limitsOf(problem)), active_);
  loops_.jacobianAt(restPose(*figure_), loopLevel_.a);
}

void VelocityStep::findCoordinates(const IkProblem& problem) {
  const std::vector<char> usable = usableCoordinates(problem, false);
  activeOf_.assign(usable.size(), -1);
  jointOf_.assign(usable.size(), 0);
  for (int i = 0; i < figure_->linkCount(); ++i)
    for (int k = 0; k < stepSize(figure_->joint(i).type); ++k) jointOf_[figure_->joint(i).stepIndex + k] = i;
  for (int c = 0; c < static_cast<int>(usable.size()); ++c) {
    if (!usable[c] || jacobians_.couplings().isFollower(c)) continue;
    activeOf_[c] = static_cast<int>(active_.size());
    active_.push_back(c);
  }
}

int VelocityStep::add(const VelocityGoal& goal) {
  const std::string where = "goal \"" + goal.end + "\": ";
  if (!(goal.weight > 0.0) || !std::isfinite(goal.weight))
    throw std::invalid_argument(where + "the weight must be > 0");
  if (goal.priority < 1 || goal.priority > kLowestPriority)
    throw std::invalid_argument(where + "the priority is not in 1 to 9");
  if (!goal.moves && !goal.turns)
    throw std::invalid_argument(where + "neither its linear nor its angular velocity counts");
  goals_.push_back(
      {goal, endNamed(*figure_, goal.end), {.point = goal.point, .inEndAxes = goal.inEndAxes, .axes = axes_}, {}});
  isArranged_ = false;
  return goalCount() - 1;
}

void VelocityStep::setVelocityLimit(std::string_view joint, double limit) {
  const int index = jointNamed(*figure_, joint);
  if (!(limit > 0.0)) throw std::invalid_argument("joint \"" + std::string(joint) + "\": a velocity limit must be > 0");
  velocityLimits_[static_cast<std::size_t>(index)] = limit;
}

void VelocityStep::setHeight(Level& level, Eigen::Index height) const {
  const auto n = static_cast<Eigen::Index>(active_.size());
  level.a.setZero(height, n);
  level.projected.setZero(height, n);
  level.gram.setIdentity(height, height);
  for (Eigen::VectorXd* v : {&level.b, &level.residual, &level.factor}) v->setZero(height);
  level.solver = Eigen::LDLT<Eigen::MatrixXd>(height);
}

/// Gives all matrices their sizes.
void VelocityStep::arrange() {
  levels_.clear();
  setHeight(loopLevel_, loopLevel_.a.rows());
  Eigen::Index rows = loopLevel_.a.rows();
  const auto n = static_cast<Eigen::Index>(active_.size());
  for (int priority = 1; priority <= kLowestPriority; ++priority) {
    Level level{.priority = priority};
    Eigen::Index height = 0;
    for (int g = 0; g < goalCount(); ++g) {
      if (goals_[g].goal.priority != priority) continue;
      level.goals.push_back(g);
      height += 3 * (goals_[g].goal.moves + goals_[g].goal.turns);
    }
    if (height == 0) continue;
    setHeight(level, height);
    rows += height;
    levels_.push_back(std::move(level));
  }
  earlier_.setZero(rows, n);
  basis_.setZero(rows, n);
  multipliers_.setZero(rows);
  for (Eigen::VectorXd* v : {&x_, &start_, &lower_, &upper_, &step_, &gradient_}) v->setZero(n);
  side_.assign(active_.size(), 0);
  answer_.velocity.setZero(figure_->stepSize());
  answer_.missed.assign(goals_.size(), 0.0);
  answer_.isLimited.assign(static_cast<std::size_t>(figure_->stepSize()), 0);
  stepSeconds_.setZero(figure_->stepSize());
  isArranged_ = true;
}

Interval VelocityStep::boundsOf(int joint, double q, double seconds) const {
  const double fastest = velocityLimits_[joint];
  const Interval& limits = limits_[joint];
  return {std::clamp((limits.lower - q) / seconds, -fastest, fastest),
          std::clamp((limits.upper - q) / seconds, -fastest, fastest)};
}

void VelocityStep::setBounds(const Pose& pose, double seconds) {
  for (std::size_t i = 0; i < active_.size(); ++i) {
    const int joint = jointOf_[active_[i]];
    Interval bounds{-velocityLimits_[joint], velocityLimits_[joint]};
    const Joint& of = figure_->joint(joint);
    if (isScalar(of)) bounds = boundsOf(joint, pose.coordinates[of.poseIndex], seconds);
    lower_[i] = bounds.lower;
    upper_[i] = bounds.upper;
  }
  for (const Couplings::Follower& follower : jacobians_.couplings().followers())
    if (follower.isScalar)
      boundFollower(follower, boundsOf(jointOf_[follower.coordinate], pose.coordinates[follower.poseIndex], seconds));
}

/// Each driver gets an equal part of the follower's bounds, so that these hold whatever the drivers do.
void VelocityStep::boundFollower(const Couplings::Follower& follower, const Interval& bounds) {
  const auto terms = jacobians_.couplings().termsOf(follower);
  const double part = 1.0 / static_cast<double>(terms.size());
  const double lowest = part * std::min(bounds.lower, 0.0), highest = part * std::max(bounds.upper, 0.0);
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const double slope = jacobians_.slopes()[follower.firstTerm + t];
    const int i = activeOf_[terms[t].driver];
    if (i < 0 || slope == 0.0) continue;
    const double a = lowest / slope, b = highest / slope;
    lower_[i] = std::min(std::max(lower_[i], std::min(a, b)), upper_[i]);
    upper_[i] = std::max(std::min(upper_[i], std::max(a, b)), lower_[i]);
  }
}

/// A and b of a priority, with the square roots of the weights.
void VelocityStep::fillLevel(Level& level) {
  Eigen::Index row = 0;
  for (const int g : level.goals) {
    OwnGoal& own = goals_[g];
    jacobians_.compute(*figure_, own.end, own.of, own.jacobian);
    const double weight = std::sqrt(own.goal.weight);
    for (const int part : {0, 3}) {
      if (part == 0 ? !own.goal.moves : !own.goal.turns) continue;
      for (std::size_t i = 0; i < active_.size(); ++i)
        level.a.col(i).segment<3>(row) = weight * own.jacobian.col(active_[i]).segment<3>(part);
      level.b.segment<3>(row) = weight * own.goal.twist.segment<3>(part);
      row += 3;
    }
  }
}

const VelocityAnswer& VelocityStep::solve(const Pose& pose, double seconds) {
  expectPose(*figure_, pose);
  if (!(seconds > 0.0) || !std::isfinite(seconds)) throw std::invalid_argument("the period must be > 0 seconds");
  for (const OwnGoal& own : goals_)
    if (!own.goal.twist.allFinite())
      throw std::invalid_argument("goal \"" + own.goal.end + "\": its twist has a number that is not finite");
  if (!isArranged_) arrange();
  jacobians_.setPose(*figure_, pose);
  setBounds(pose, seconds);
  double largest = 0.0;
  for (Level& level : levels_) {
    fillLevel(level);
    largest = std::max(largest, level.a.rowwise().squaredNorm().maxCoeff());
  }
  x_ = lower_.cwiseMax(upper_.cwiseMin(0.0));
  earlierCount_ = 0;
  keepLoops(pose);
  for (Level& level : levels_) {
    minimise(level, kDamping * kDamping * largest);
    append(level);
  }
  answer_.velocity.setZero();
  for (std::size_t i = 0; i < active_.size(); ++i) answer_.velocity[active_[i]] = x_[i];
  jacobians_.addFollowers(answer_.velocity);
  stepSeconds_ = seconds * answer_.velocity;
  integrate(*figure_, pose, stepSeconds_, answer_.pose);
  keepBallLimits(pose, seconds);
  jacobians_.couplings().apply(answer_.pose);
  answer_.isClosed = loops_.close(answer_.pose);
  report();
  return answer_;
}

/// The rows of loops come before all priorities. x = 0 keeps them, unless a joint must return within its limits.
void VelocityStep::keepLoops(const Pose& pose) {
  if (loops_.isEmpty()) return;
  loops_.jacobianAt(pose, loopLevel_.a);
  if (!x_.isZero(0.0)) minimise(loopLevel_, kDamping * kDamping * loopLevel_.a.rowwise().squaredNorm().maxCoeff());
  append(loopLevel_);
}

/// Minimises |A x - b|^2 + damping |x - start|^2 within the bounds, where C x, of earlier priorities, stays.
void VelocityStep::minimise(Level& level, double damping) {
  start_ = x_;
  for (std::size_t i = 0; i < side_.size(); ++i) side_[i] = x_[i] <= lower_[i] ? -1 : x_[i] >= upper_[i] ? 1 : 0;
  const std::size_t most = 4 * side_.size() + 20;  // a bound that is released and held again ends here, within limits
  for (std::size_t iteration = 0; iteration < most; ++iteration) {
    orthogonalise();
    level.projected = level.a;
    for (std::size_t i = 0; i < side_.size(); ++i) {
      if (side_[i] != 0) level.projected.col(i).setZero();
      step_[i] = side_[i] != 0 ? 0.0 : x_[i] - start_[i];
    }
    for (Eigen::Index k = 0; k < basisCount_; ++k) {  // projects the rows, and the way so far, onto the free space
      const auto row = basis_.row(k);
      removeAlong(row, side_, step_);
      for (Eigen::Index r = 0; r < level.projected.rows(); ++r) {
        double part = 0.0;
        for (std::size_t i = 0; i < side_.size(); ++i)
          if (side_[i] == 0) part += row[i] * level.projected(r, i);
        for (std::size_t i = 0; i < side_.size(); ++i)
          if (side_[i] == 0) level.projected(r, i) -= part * row[i];
      }
    }
    // w = M' (M M' + damping 1)^-1 (b - A x + M d), and the step is w - d, with d the way so far.
    level.gram = level.projected.lazyProduct(level.projected.transpose());
    level.gram.diagonal().array() += damping;
    level.residual = level.b - level.a.lazyProduct(x_);
    level.residual += level.projected.lazyProduct(step_);
    level.solver.compute(level.gram);
    level.factor = level.residual;
    level.solver.solveInPlace(level.factor);
    step_ = level.projected.transpose().lazyProduct(level.factor) - step_;
    if (!loops_.isEmpty()) leaveEarlierRows();

    const double scale = std::max(x_.cwiseAbs().maxCoeff(), 1e-3);
    if (!(step_.cwiseAbs().maxCoeff() > kStill * scale)) {
      if (!release(level, damping)) return;
      continue;
    }
    double length = 1.0;
    std::size_t blocking = side_.size();
    for (std::size_t i = 0; i < side_.size(); ++i) {
      if (side_[i] != 0 || step_[i] == 0.0) continue;
      const double reach = ((step_[i] > 0.0 ? upper_[i] : lower_[i]) - x_[i]) / step_[i];
      if (reach >= length) continue;
      length = std::max(reach, 0.0);
      blocking = i;
    }
    x_ += length * step_;
    if (blocking == side_.size()) {
      if (!release(level, damping)) return;
      continue;
    }
    side_[blocking] = step_[blocking] > 0.0 ? 1 : -1;
    x_[blocking] = side_[blocking] > 0 ? upper_[blocking] : lower_[blocking];
  }
}

/// Removes what rounding has left of the step along earlier rows. Rows that a mechanism cannot move make the factor
/// large, and the rounding with it.
void VelocityStep::leaveEarlierRows() {
  for (Eigen::Index k = 0; k < basisCount_; ++k) {
    const auto row = basis_.row(k);
    removeAlong(row, side_, step_);
  }
}

/// Rows of earlier priorities, orthonormal in the free coordinates (Gram and Schmidt, twice for rounding). Coordinates
/// that are held take part in the sums, so that multipliers can be computed from the rows.
void VelocityStep::orthogonalise() {
  basisCount_ = 0;
  const auto freeDot = [&](Eigen::Index a, Eigen::Index b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < side_.size(); ++i)
      if (side_[i] == 0) sum += basis_(a, i) * basis_(b, i);
    return sum;
  };
  for (Eigen::Index row = 0; row < earlierCount_; ++row) {
    const Eigen::Index at = basisCount_;
    basis_.row(at) = earlier_.row(row);
    const double before = std::sqrt(freeDot(at, at));
    for (int pass = 0; pass < 2; ++pass)
      for (Eigen::Index k = 0; k < at; ++k) basis_.row(at) -= freeDot(k, at) * basis_.row(k);
    const double after = std::sqrt(freeDot(at, at));
    if (!(after > kDependent * before)) continue;
    basis_.row(at) /= after;
    ++basisCount_;
  }
}

/// Releases the bound that pulls most against the descent. False if there is none: x is the minimum.
bool VelocityStep::release(const Level& level, double damping) {
  gradient_ = damping * (x_ - start_);
  for (Eigen::Index r = 0; r < level.a.rows(); ++r)
    gradient_ += (level.a.row(r).dot(x_) - level.b[r]) * level.a.row(r).transpose();
  const double scale = gradient_.cwiseAbs().maxCoeff();
  for (Eigen::Index k = 0; k < basisCount_; ++k) {
    double along = 0.0;
    for (std::size_t i = 0; i < side_.size(); ++i)
      if (side_[i] == 0) along += basis_(k, i) * gradient_[i];
    gradient_ -= along * basis_.row(k).transpose();
  }
  double worst = kWrongSide * scale;
  std::size_t found = side_.size();
  for (std::size_t i = 0; i < side_.size(); ++i) {
    if (side_[i] == 0 || lower_[i] == upper_[i]) continue;
    const double pull = side_[i] > 0 ? gradient_[i] : -gradient_[i];  // > 0: f falls away from the bound
    if (!(pull > worst)) continue;
    worst = pull;
    found = i;
  }
  if (found == side_.size()) return false;
  side_[found] = 0;
  return true;
}

void VelocityStep::append(const Level& level) {
  earlier_.middleRows(earlierCount_, level.a.rows()) = level.a;
  earlierCount_ += level.a.rows();
}

/// Ends the turn of a ball joint at its limits.
void VelocityStep::keepBallLimits(const Pose& pose, double seconds) {
  for (const Ball& ball : balls_) {
    const Joint& joint = figure_->joint(ball.joint);
    const Eigen::Quaterniond after = rotationAt(answer_.pose, joint.poseIndex), kept = ball.range.clamp(after);
    if (kept.coeffs() == after.coeffs()) continue;
    answer_.pose.coordinates.segment<4>(joint.poseIndex) = kept.coeffs();
    if (jacobians_.couplings().isFollower(joint.stepIndex)) continue;
    answer_.velocity.segment<3>(joint.stepIndex) =
        logarithm(rotationAt(pose, joint.poseIndex).conjugate() * kept) / seconds;
  }
  if (!balls_.empty()) jacobians_.addFollowers(answer_.velocity);
}

void VelocityStep::report() {
  for (std::size_t c = 0; c < answer_.isLimited.size(); ++c) {
    const int i = activeOf_[c];
    answer_.isLimited[c] = i >= 0 && (x_[i] <= lower_[i] || x_[i] >= upper_[i]);
  }
  answer_.isReached = true;
  for (std::size_t g = 0; g < goals_.size(); ++g) {
    const VelocityGoal& goal = goals_[g].goal;
    Vector6d left = -goal.twist;
    for (const int c : active_) left += answer_.velocity[c] * goals_[g].jacobian.col(c);
    if (!goal.moves) left.head<3>().setZero();
    if (!goal.turns) left.tail<3>().setZero();
    answer_.missed[g] = left.norm();
    if (answer_.missed[g] > VelocityAnswer::kReached * (1.0 + goal.twist.norm())) answer_.isReached = false;
  }
}

}  // namespace limber
