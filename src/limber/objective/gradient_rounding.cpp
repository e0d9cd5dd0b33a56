// SPDX-License-Identifier: MIT
#include "limber/objective/gradient_rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {

namespace {

constexpr double kUnitRoundoff = std::numeric_limits<double>::epsilon();
constexpr double kGradientRoundings = 4.0;  // errors of a point that add up along a chain of joints
constexpr double kMostLever = 4.0;          // largest change of a residual per radian, in extents of the figure

double squaredRounding(const Evaluation& evaluation, const Residual& residual) {
  const double rounding = kGradientRoundings * evaluation.positionRounding + kUnitRoundoff * residual.norm();
  return rounding * rounding;
}

double squaredUnit(const Objective& objective) {
  return objective.figure().meanLinkLength() * objective.figure().meanLinkLength();
}

/// For a point of the stay term, square metres.
double squaredStayRounding(const Objective& objective, const Evaluation& evaluation) {
  const double rounding = kGradientRoundings * evaluation.positionRounding;
  return rounding * rounding * squaredUnit(objective);
}

/// An upper bound on all estimates: all weights times the longest lever.
double largestEstimate(const Objective& objective, const Evaluation& evaluation) {
  double energy = 0.0, weights = 0.0;
  for (std::size_t k = 0; k < objective.goals().size(); ++k) {
    const double weight = objective.goals()[k]->weight();
    energy += weight * squaredRounding(evaluation, evaluation.residuals[k]);
    weights += weight;
  }
  for (const StayTerm::Body& body : objective.stay().bodies()) {
    energy += body.weight * squaredStayRounding(objective, evaluation);
    weights += body.weight * squaredUnit(objective);
  }
  return kMostLever * evaluation.positionRounding / kUnitRoundoff * std::sqrt(energy * weights) +
         kUnitRoundoff * evaluation.pulls.cwiseAbs().maxCoeff();
}

}  // namespace

bool GradientRounding::explains(const Objective& objective, const Evaluation& evaluation, const FreeSpace& space,
                                const Eigen::VectorXd& gradient, double largest) {
  if (gradient.size() == 0 || !(largest <= largestEstimate(objective, evaluation))) return false;
  compute(objective, evaluation);
  projected_ = gradient;
  space.project(projected_);
  for (const FreeSpace::Block& block : space.blocks) {  // the projector mixes its coordinates
    if (block.held == 0) continue;
    double most = 0.0;
    for (const int k : block.active) most = std::max(most, estimates_[k]);
    for (const int k : block.active) estimates_[k] = most;
  }
  return (projected_.cwiseAbs().array() <= estimates_.array()).all();
}

void GradientRounding::compute(const Objective& objective, const Evaluation& evaluation) {
  const Figure& figure = objective.figure();
  loads_.assign(figure.linkCount(), {});
  for (std::size_t k = 0; k < objective.goals().size(); ++k) {
    const Goal& goal = *objective.goals()[k];
    for (int which = 0; which < goal.linkCount(); ++which) {
      const TwistJacobian& jacobian = evaluation.jacobians[k][which];
      Load& load = loads_[goal.link(which)];
      load.stiffness.noalias() += goal.weight() * jacobian.transpose().lazyProduct(jacobian);
      load.energy += goal.weight() * squaredRounding(evaluation, evaluation.residuals[k]);
    }
  }
  Matrix6d inertia;
  for (std::size_t i = 0; i < objective.stay().bodies().size(); ++i) {
    const StayTerm::Body& body = objective.stay().bodies()[i];
    Load& load = loads_[body.link];
    StayTerm::computeInertia(body, evaluation.stays[i], Curvature::GaussNewton, inertia);
    load.stiffness += inertia;
    load.energy += body.weight * squaredStayRounding(objective, evaluation);
  }
  full_.setZero(figure.stepSize());
  stiffest_ = 0.0;
  for (int i = figure.linkCount() - 1; i >= 0; --i) {
    if (!objective.isLoaded(i)) continue;
    const Load& load = loads_[i];
    const Joint& joint = figure.joint(i);
    for (int c = joint.stepIndex; c < joint.stepIndex + stepSize(joint.type); ++c) {
      const auto twist = evaluation.kinematics.twists.col(c);
      const double stiffness = twist.dot(load.stiffness * twist);
      full_[c] = std::sqrt(load.energy * stiffness);
      stiffest_ = std::max(stiffest_, stiffness / objective.metric()[c]);
    }
    if (const int parent = figure.link(i).parent; parent >= 0) {
      loads_[parent].stiffness += load.stiffness;
      loads_[parent].energy += load.energy;
    }
  }
  full_ += kUnitRoundoff * evaluation.pulls.cwiseAbs();
  estimates_.resize(objective.activeCount());
  for (int k = 0; k < objective.activeCount(); ++k) estimates_[k] = full_[objective.active()[k]];
  const auto terms = objective.feasibleSet().couplings().terms();
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (const int k = objective.activeIndex(terms[i].driver); k >= 0)
      estimates_[k] += std::abs(evaluation.slopes[i]) * full_[terms[i].follower];
}

}  // namespace limber
