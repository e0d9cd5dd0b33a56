// SPDX-License-Identifier: MIT
// Gradient: with g_i the sum of the wrenches at and below link i, entry j of link i is S_j . g_i.
// Hessian:  with M_i the sum of the goals' inertias at and below link i,
//             H_jk = S_k . h_j,   h_j = M_i S_j + 1/2 S_j x* g_i,   for every coordinate k above j,
// and inside a rotation, whose three axes turn at once, the symmetric part alone.
#include "objective/objective.h"

#include <cassert>
#include <cmath>
#include <limits>

namespace limber {

namespace {

/// A rough bound on the rounding of one world position, relative to the figure's size.
constexpr double kPositionRounding = 4.0 * std::numeric_limits<double>::epsilon();

double figureSize(const Figure& figure, const Kinematics& kinematics) {
  double size = figure.meanLinkLength();
  for (const Transform& t : kinematics.worldFromLink)
    size = std::max(size, (t.translation - kinematics.origin).cwiseAbs().maxCoeff());
  return size;
}

/// First coordinate of the rotation of a ball or free joint.
int rotationIndex(const Joint& joint) { return joint.type == JointType::Free ? joint.stepIndex + 3 : joint.stepIndex; }

bool hasRotation(const Joint& joint) { return joint.type == JointType::Ball || joint.type == JointType::Free; }

}  // namespace

Objective::Objective(std::shared_ptr<const Figure> figure, std::vector<std::unique_ptr<Goal>> goals,
                     Regulariser regulariser, FeasibleSet feasibleSet, std::vector<int> active)
    : figure_(std::move(figure)), goals_(std::move(goals)), regulariser_(std::move(regulariser)),
      feasibleSet_(std::move(feasibleSet)), active_(std::move(active)),
      activeIndex_(static_cast<std::size_t>(figure_->stepSize()), -1),
      isLoaded_(static_cast<std::size_t>(figure_->linkCount()), 0), metric_(figure_->stepSize()) {
  for (std::size_t k = 0; k < active_.size(); ++k) {
    assert(k == 0 || active_[k - 1] < active_[k]);
    activeIndex_[static_cast<std::size_t>(active_[k])] = static_cast<int>(k);
  }
  for (const auto& goal : goals_)
    for (int link = goal->link(); link >= 0; link = figure_->link(link).parent)
      isLoaded_[static_cast<std::size_t>(link)] = 1;
  const double lengthScale = 1.0 / (figure_->meanLinkLength() * figure_->meanLinkLength());
  metric_.setOnes();
  for (const Joint& joint : figure_->joints()) {
    if (joint.type == JointType::Prismatic) metric_[joint.stepIndex] = lengthScale;
    if (joint.type == JointType::Free) metric_.segment<3>(joint.stepIndex).setConstant(lengthScale);
  }
}

double Objective::evaluate(const Pose& pose, Evaluation& evaluation) const {
  computeTransforms(*figure_, pose, evaluation.kinematics);
  evaluation.residuals.resize(goals_.size());
  double f = regulariser_.evaluate(*figure_, pose, evaluation.offset);
  const double epsilon = std::numeric_limits<double>::epsilon();
  const double positionRounding =
      kPositionRounding * figureSize(*figure_, evaluation.kinematics) / figure_->meanLinkLength();
  double rounding = 0.0;
  for (std::size_t k = 0; k < goals_.size(); ++k) {
    Residual& residual = evaluation.residuals[k];
    goals_[k]->computeResidual(evaluation.kinematics, residual);
    f += 0.5 * goals_[k]->weight() * residual.squaredNorm();
    rounding += goals_[k]->weight() * positionRounding * (residual.norm() + positionRounding);
  }
  evaluation.objective = f;
  evaluation.rounding = rounding + 4.0 * epsilon * f;
  return f;
}

void Objective::computeGradient(Evaluation& evaluation, Eigen::VectorXd& gradient) const {
  computeTwists(*figure_, evaluation.kinematics);
  auto& wrenches = evaluation.wrenches;
  wrenches.assign(static_cast<std::size_t>(figure_->linkCount()), Vector6d::Zero());
  TwistJacobian jacobian;
  for (std::size_t k = 0; k < goals_.size(); ++k) {
    goals_[k]->computeJacobian(evaluation.kinematics, jacobian);
    wrenches[static_cast<std::size_t>(goals_[k]->link())] +=
        goals_[k]->weight() * (jacobian.transpose() * evaluation.residuals[k]);
  }
  gradient.resize(activeCount());
  for (int i = figure_->linkCount() - 1; i >= 0; --i) {
    const Joint& joint = figure_->joint(i);
    const int parent = figure_->link(i).parent;
    for (int c = joint.stepIndex; c < joint.stepIndex + stepSize(joint.type); ++c)
      if (const int k = activeIndex(c); k >= 0)
        gradient[k] = regulariser_.gradient(evaluation.offset, c) +
                      (isLoaded(i) ? evaluation.kinematics.twists.col(c).dot(wrenches[static_cast<std::size_t>(i)]) : 0.0);
    if (parent >= 0 && isLoaded(i)) wrenches[static_cast<std::size_t>(parent)] += wrenches[static_cast<std::size_t>(i)];
  }
}

void computeGoalInertia(const Goal& goal, const Kinematics& kinematics, const Residual& multipliers,
                        TwistJacobian& jacobian, Matrix6d& inertia) {
  goal.computeJacobian(kinematics, jacobian);
  goal.computeCurvature(kinematics, multipliers, inertia);
  inertia.noalias() += goal.weight() * jacobian.transpose().lazyProduct(jacobian);
}

void exactMultipliers(const Objective& objective, const Evaluation& evaluation, std::vector<Residual>& multipliers) {
  multipliers.resize(objective.goals().size());
  for (std::size_t k = 0; k < multipliers.size(); ++k)
    multipliers[k] = objective.goals()[k]->weight() * evaluation.residuals[k];
}

void Objective::computeHessian(Evaluation& evaluation, Eigen::MatrixXd& hessian) const {
  const auto linkCount = static_cast<std::size_t>(figure_->linkCount());
  const auto& twists = evaluation.kinematics.twists;
  auto& inertias = evaluation.inertias;
  inertias.assign(linkCount, Matrix6d::Zero());
  Matrix6d inertia;
  TwistJacobian jacobian;
  for (std::size_t k = 0; k < goals_.size(); ++k) {
    const Residual multipliers = goals_[k]->weight() * evaluation.residuals[k];
    computeGoalInertia(*goals_[k], evaluation.kinematics, multipliers, jacobian, inertia);
    inertias[static_cast<std::size_t>(goals_[k]->link())] += inertia;
  }
  hessian.setZero(activeCount(), activeCount());
  for (int i = figure_->linkCount() - 1; i >= 0; --i) {
    const Joint& joint = figure_->joint(i);
    const auto link = static_cast<std::size_t>(i);
    const int parent = figure_->link(i).parent;
    if (parent >= 0) inertias[static_cast<std::size_t>(parent)] += inertias[link];
    const int end = joint.stepIndex + stepSize(joint.type);
    for (int c = joint.stepIndex; c < end; ++c) {
      const int row = activeIndex(c);
      if (row < 0) continue;
      const Vector6d force = inertias[link] * twists.col(c);
      const Vector6d h = force + 0.5 * crossDual(twists.col(c), evaluation.wrenches[link]);
      const bool inRotation = hasRotation(joint) && c >= rotationIndex(joint);
      // Within the joint: the three axes of a rotation act at once; shifts come before it, and do not turn each other.
      for (int d = joint.stepIndex; d <= c; ++d)
        if (const int column = activeIndex(d); column >= 0) {
          const bool together = inRotation && d >= rotationIndex(joint);
          hessian(row, column) = hessian(column, row) = twists.col(d).dot(together ? force : h);
        }
      for (int a = parent; a >= 0; a = figure_->link(a).parent) {
        const Joint& above = figure_->joint(a);
        for (int d = above.stepIndex; d < above.stepIndex + stepSize(above.type); ++d)
          if (const int column = activeIndex(d); column >= 0)
            hessian(row, column) = hessian(column, row) = twists.col(d).dot(h);
      }
    }
    if (hasRotation(joint)) {
      const int first = rotationIndex(joint);
      const Eigen::Matrix3d block = regulariser_.rotationHessian(evaluation.offset, first);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
          if (activeIndex(first + a) >= 0 && activeIndex(first + b) >= 0)
            hessian(activeIndex(first + a), activeIndex(first + b)) += block(a, b);
    }
    const int scalars = hasRotation(joint) ? rotationIndex(joint) : end;
    for (int c = joint.stepIndex; c < scalars; ++c)
      if (const int k = activeIndex(c); k >= 0) hessian(k, k) += regulariser_.weights()[c];
  }
}

void Objective::move(const Pose& pose, const Eigen::VectorXd& activeStep, Eigen::VectorXd& fullStep, Pose& out) const {
  fullStep.setZero(figure_->stepSize());
  for (std::size_t k = 0; k < active_.size(); ++k) fullStep[active_[k]] = activeStep[static_cast<Eigen::Index>(k)];
  integrate(*figure_, pose, fullStep, out);
  feasibleSet_.project(out);
}

}  // namespace limber
