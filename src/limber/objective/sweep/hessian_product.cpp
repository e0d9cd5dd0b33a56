// SPDX-License-Identifier: MIT
#include "limber/objective/sweep/hessian_product.h"

namespace limber {

void HessianProduct::prepare(const Objective& objective, const Evaluation& evaluation) {
  objective_ = &objective;
  evaluation_ = &evaluation;
  const int links = objective.figure().linkCount();
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
    if (hasRotation(joint))
      rotations_.push_back(objective.regulariserHessian(evaluation, joint.stepIndex + scalarCount(joint)));
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
      part.jacobian = evaluation_->jacobians[k][which];
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

/// full_ = v with the followers.
void HessianProduct::spread(const Eigen::VectorXd& v) {
  full_.setZero();
  for (int k = 0; k < objective_->activeCount(); ++k) full_[objective_->active()[k]] = v[k];
  const auto terms = objective_->feasibleSet().couplings().terms();
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (const int k = objective_->activeIndex(terms[i].driver); k >= 0)
      full_[terms[i].follower] += evaluation_->slopes[i] * v[k];
}

void HessianProduct::sumMotions() {
  const Figure& figure = objective_->figure();
  for (int i = 0; i < figure.linkCount(); ++i) {
    Vector6d& motion = motions_[i];
    const int parent = figure.link(i).parent;
    if (parent < 0) motion.setZero();
    else motion = motions_[parent];
    const Joint& joint = figure.joint(i);
    for (int c = joint.stepIndex; c < joint.stepIndex + stepSize(joint.type); ++c)
      motion += full_[c] * evaluation_->kinematics.twists.col(c);
    forces_[i].setZero();
  }
}

/// forces_ = m W on every link with a goal.
void HessianProduct::loadGoals() {
  for (std::size_t k = 0; k < changes_.size(); ++k) changes_[k].setZero(objective_->goals()[k]->residualSize());
  for (const Part& part : parts_)
    changes_[part.goal].noalias() += evaluation_->weights[part.goal] * (part.jacobian * motions_[part.link]);
  for (std::size_t k = 0; k < changes_.size(); ++k) {
    if (!objective_->isForceLimited(*evaluation_, k)) continue;
    const Residual along = evaluation_->residuals[k].normalized();
    changes_[k] -= along.dot(changes_[k]) * along;
  }
  for (const Part& part : parts_) {
    Vector6d& force = forces_[part.link];
    force.noalias() += part.jacobian.transpose() * changes_[part.goal];
    force.noalias() += part.curvature * motions_[part.link];
  }
  for (std::size_t i = 0; i < stays_.size(); ++i) {
    const int link = objective_->stay().bodies()[i].link;
    forces_[link].noalias() += stays_[i] * motions_[link];
  }
  for (const Cross& cross : crosses_) forces_[cross.link].noalias() += cross.curvature * motions_[cross.other];
}

/// The joint's entries of H v, from its last coordinates to its first; adds the link's force to its parent's.
void HessianProduct::gatherLink(int link) {
  const Figure& figure = objective_->figure();
  const Joint& joint = figure.joint(link);
  const int parent = figure.link(link).parent;
  const int rotation = joint.stepIndex + scalarCount(joint), end = joint.stepIndex + stepSize(joint.type);
  const Vector6d& wrench = evaluation_->wrenches[link];
  Vector6d& force = forces_[link];
  Vector6d above = Vector6d::Zero();
  if (parent >= 0) above = motions_[parent];
  if (rotation < end) {
    Vector6d shifted = above;
    for (int c = joint.stepIndex; c < rotation; ++c) shifted += full_[c] * evaluation_->kinematics.twists.col(c);
    addTwists(rotation, end, shifted, wrench, force);
  }
  addTwists(joint.stepIndex, rotation, above, wrench, force);  // translations do not turn
  if (parent >= 0) forces_[parent] += force;
}

/// Coordinates that move simultaneously.
void HessianProduct::addTwists(int first, int end, const Vector6d& above, const Vector6d& wrench, Vector6d& force) {
  if (first == end) return;
  const auto& twists = evaluation_->kinematics.twists;
  const Vector6d product = force - 0.5 * crossDual(above, wrench);
  Vector6d own = Vector6d::Zero();
  for (int c = first; c < end; ++c) {
    product_[c] += twists.col(c).dot(product);
    own += full_[c] * twists.col(c);
  }
  force += 0.5 * crossDual(own, wrench);
}

void HessianProduct::addRegularisers() {
  std::size_t next = 0;
  for (const Joint& joint : objective_->figure().joints()) {
    const int rotation = joint.stepIndex + scalarCount(joint);
    for (int c = joint.stepIndex; c < rotation; ++c) product_[c] += objective_->regulariserWeight(c) * full_[c];
    if (hasRotation(joint)) product_.segment<3>(rotation) += rotations_[next++] * full_.segment<3>(rotation);
  }
}

void HessianProduct::fold(const Eigen::VectorXd& v, Eigen::VectorXd& out) const {
  out.resize(objective_->activeCount());
  for (int k = 0; k < objective_->activeCount(); ++k) out[k] = product_[objective_->active()[k]];
  const auto terms = objective_->feasibleSet().couplings().terms();
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (const int k = objective_->activeIndex(terms[i].driver); k >= 0)
      out[k] += evaluation_->slopes[i] * product_[terms[i].follower] +
                evaluation_->curvatures[i] * evaluation_->fullGradient[terms[i].follower] * v[k];
  const auto crosses = objective_->feasibleSet().couplings().crosses();
  for (std::size_t i = 0; i < crosses.size(); ++i) {
    const Couplings::Term &term = terms[crosses[i].term], &other = terms[crosses[i].other];
    const int a = objective_->activeIndex(term.driver), b = objective_->activeIndex(other.driver);
    if (a < 0 || b < 0) continue;
    const double curvature = evaluation_->crossCurvatures[i] * evaluation_->fullGradient[term.follower];
    out[a] += curvature * v[b];
    out[b] += curvature * v[a];
  }
}

}  // namespace limber
