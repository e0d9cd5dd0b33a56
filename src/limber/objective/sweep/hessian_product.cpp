// SPDX-License-Identifier: MIT
#include "limber/objective/sweep/hessian_product.h"

namespace limber {

namespace {

/// First coordinate of the joint's rotation; past its last where it has none.
int rotationOf(const Joint& joint) {
  if (joint.type == JointType::Free) return joint.stepIndex + 3;
  return hasRotation(joint) ? joint.stepIndex : joint.stepIndex + stepSize(joint.type);
}

}  // namespace

void HessianProduct::prepare(const Objective& objective, const Evaluation& evaluation) {
  objective_ = &objective;
  evaluation_ = &evaluation;
  const auto links = static_cast<std::size_t>(objective.figure().linkCount());
  motions_.resize(links);
  forces_.resize(links);
  full_.resize(objective.figure().stepSize());
  product_.resize(objective.figure().stepSize());
  prepareGoals();
  stays_.resize(objective.stay().bodies().size());
  for (std::size_t i = 0; i < stays_.size(); ++i)
    StayTerm::computeInertia(objective.stay().bodies()[i], evaluation.stays[i], Curvature::Exact, stays_[i]);
  rotations_.clear();
  rotations_.reserve(links);
  for (const Joint& joint : objective.figure().joints())
    if (hasRotation(joint)) rotations_.push_back(objective.regulariserHessian(evaluation, rotationOf(joint)));
}

void HessianProduct::prepareGoals() {
  const auto& goals = objective_->goals();
  changes_.resize(goals.size());
  parts_.clear();
  crosses_.clear();
  for (std::size_t k = 0; k < goals.size(); ++k) {
    const Goal& goal = *goals[k];
    const Residual& multipliers = evaluation_->forces[k];
    for (int which = 0; which < goal.linkCount(); ++which) {
      Part& part = parts_.emplace_back();
      part.goal = static_cast<int>(k);
      part.which = which;
      part.link = goal.link(which);
      part.jacobian = evaluation_->jacobians[k][static_cast<std::size_t>(which)];
      goal.computeCurvature(evaluation_->kinematics, multipliers, which, part.curvature);
    }
    if (goal.linkCount() == 1 || !goal.crossesLinks()) continue;
    for (int a = 0; a < goal.linkCount(); ++a)
      for (int b = 0; b < goal.linkCount(); ++b) {
        if (a == b) continue;
        Cross& cross = crosses_.emplace_back();
        cross.link = goal.link(a);
        cross.other = goal.link(b);
        goal.computeCrossCurvature(evaluation_->kinematics, multipliers, a, b, cross.curvature);
      }
  }
}

void HessianProduct::apply(const Eigen::VectorXd& v, Eigen::VectorXd& out) {
  spread(v);
  sumMotions();
  loadGoals();
  product_.setZero();
  for (int i = objective_->figure().linkCount() - 1; i >= 0; --i)
    if (objective_->isLoaded(i)) gatherLink(i);
  addRegularisers();
  fold(v, out);
}

/// The step with what follows it.
void HessianProduct::spread(const Eigen::VectorXd& v) {
  full_.setZero();
  for (int k = 0; k < objective_->activeCount(); ++k) full_[objective_->active()[static_cast<std::size_t>(k)]] = v[k];
  const auto terms = objective_->feasibleSet().couplings().terms();
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (const int k = objective_->activeIndex(terms[i].driver); k >= 0)
      full_[terms[i].follower] += evaluation_->slopes[i] * v[k];
}

void HessianProduct::sumMotions() {
  const Figure& figure = objective_->figure();
  for (int i = 0; i < figure.linkCount(); ++i) {
    Vector6d& motion = motions_[static_cast<std::size_t>(i)];
    const int parent = figure.link(i).parent;
    if (parent < 0) motion.setZero();
    else motion = motions_[static_cast<std::size_t>(parent)];
    const Joint& joint = figure.joint(i);
    for (int c = joint.stepIndex; c < joint.stepIndex + stepSize(joint.type); ++c)
      motion += full_[c] * evaluation_->kinematics.twists.col(c);
    forces_[static_cast<std::size_t>(i)].setZero();
  }
}

/// m W on every link with a goal.
void HessianProduct::loadGoals() {
  for (std::size_t k = 0; k < changes_.size(); ++k) changes_[k].setZero(objective_->goals()[k]->residualSize());
  for (const Part& part : parts_)
    changes_[static_cast<std::size_t>(part.goal)].noalias() +=
        evaluation_->weights[static_cast<std::size_t>(part.goal)] *
        (part.jacobian * motions_[static_cast<std::size_t>(part.link)]);
  for (std::size_t k = 0; k < changes_.size(); ++k) {
    if (!objective_->isForceLimited(*evaluation_, k)) continue;
    const Residual along = evaluation_->residuals[k].normalized();
    changes_[k] -= along.dot(changes_[k]) * along;
  }
  for (const Part& part : parts_) {
    Vector6d& force = forces_[static_cast<std::size_t>(part.link)];
    force.noalias() += part.jacobian.transpose() * changes_[static_cast<std::size_t>(part.goal)];
    force.noalias() += part.curvature * motions_[static_cast<std::size_t>(part.link)];
  }
  for (std::size_t i = 0; i < stays_.size(); ++i) {
    const auto link = static_cast<std::size_t>(objective_->stay().bodies()[i].link);
    forces_[link].noalias() += stays_[i] * motions_[link];
  }
  for (const Cross& cross : crosses_)
    forces_[static_cast<std::size_t>(cross.link)].noalias() +=
        cross.curvature * motions_[static_cast<std::size_t>(cross.other)];
}

/// The joint's entries, from its last coordinates to its first, then on to the parent.
void HessianProduct::gatherLink(int link) {
  const Figure& figure = objective_->figure();
  const Joint& joint = figure.joint(link);
  const int parent = figure.link(link).parent;
  const int rotation = rotationOf(joint), end = joint.stepIndex + stepSize(joint.type);
  const Vector6d& wrench = evaluation_->wrenches[static_cast<std::size_t>(link)];
  Vector6d& force = forces_[static_cast<std::size_t>(link)];
  Vector6d above = Vector6d::Zero();
  if (parent >= 0) above = motions_[static_cast<std::size_t>(parent)];
  if (rotation < end) {
    Vector6d shifted = above;
    for (int c = joint.stepIndex; c < rotation; ++c) shifted += full_[c] * evaluation_->kinematics.twists.col(c);
    addTwists(rotation, end, shifted, wrench, force);
  }
  addTwists(joint.stepIndex, rotation, above, wrench, force);  // shifts do not turn each other
  if (parent >= 0) forces_[static_cast<std::size_t>(parent)] += force;
}

/// Coordinates that act at once.
void HessianProduct::addTwists(int first, int end, const Vector6d& above, const Vector6d& wrench, Vector6d& force) {
  if (first == end) return;
  const auto& twists = evaluation_->kinematics.twists;
  const Vector6d felt = force - 0.5 * crossDual(above, wrench);
  Vector6d own = Vector6d::Zero();
  for (int c = first; c < end; ++c) {
    product_[c] += twists.col(c).dot(felt);
    own += full_[c] * twists.col(c);
  }
  force += 0.5 * crossDual(own, wrench);
}

void HessianProduct::addRegularisers() {
  std::size_t next = 0;
  for (const Joint& joint : objective_->figure().joints()) {
    const int rotation = rotationOf(joint);
    for (int c = joint.stepIndex; c < rotation; ++c) product_[c] += objective_->regulariserWeight(c) * full_[c];
    if (hasRotation(joint)) product_.segment<3>(rotation) += rotations_[next++] * full_.segment<3>(rotation);
  }
}

void HessianProduct::fold(const Eigen::VectorXd& v, Eigen::VectorXd& out) const {
  out.resize(objective_->activeCount());
  for (int k = 0; k < objective_->activeCount(); ++k)
    out[k] = product_[objective_->active()[static_cast<std::size_t>(k)]];
  const auto terms = objective_->feasibleSet().couplings().terms();
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (const int k = objective_->activeIndex(terms[i].driver); k >= 0)
      out[k] += evaluation_->slopes[i] * product_[terms[i].follower] +
                evaluation_->bends[i] * evaluation_->fullGradient[terms[i].follower] * v[k];
  const auto crosses = objective_->feasibleSet().couplings().crosses();
  for (std::size_t i = 0; i < crosses.size(); ++i) {
    const Couplings::Term &term = terms[static_cast<std::size_t>(crosses[i].term)],
                          &other = terms[static_cast<std::size_t>(crosses[i].other)];
    const int a = objective_->activeIndex(term.driver), b = objective_->activeIndex(other.driver);
    if (a < 0 || b < 0) continue;
    const double bend = evaluation_->crossBends[i] * evaluation_->fullGradient[term.follower];
    out[a] += bend * v[b];
    out[b] += bend * v[a];
  }
}

}  // namespace limber
