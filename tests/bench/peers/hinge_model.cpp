// SPDX-License-Identifier: MIT
#include "bench/peers/hinge_model.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber::bench {

namespace {

/// The rotation by an angle about a unit axis (Rodrigues).
Eigen::Matrix3d turn(const Eigen::Vector3d& axis, double angle) {
  const double s = std::sin(angle), c = std::cos(angle);
  const Eigen::Vector3d v = (1.0 - c) * axis, w = s * axis;
  Eigen::Matrix3d m;
  m << v.x() * axis.x() + c, v.x() * axis.y() - w.z(), v.x() * axis.z() + w.y(), v.y() * axis.x() + w.z(),
      v.y() * axis.y() + c, v.y() * axis.z() - w.x(), v.z() * axis.x() - w.y(), v.z() * axis.y() + w.x(),
      v.z() * axis.z() + c;
  return m;
}

/// Jl^-1(phi) w: how log(R) = phi moves when R turns by w in the world.
Eigen::Vector3d turnLogarithm(const Eigen::Vector3d& phi, const Eigen::Vector3d& w) {
  const double angle = phi.norm();
  const double c =
      angle < 1e-4 ? 1.0 / 12.0 : (1.0 - 0.5 * angle * std::cos(0.5 * angle) / std::sin(0.5 * angle)) / (angle * angle);
  return w - 0.5 * phi.cross(w) + c * phi.cross(phi.cross(w));
}

}  // namespace

bool HingeModel::fits(const Figure& figure) {
  return figure.couplings().empty() && figure.linearLimits().empty() &&
         std::all_of(figure.joints().begin(), figure.joints().end(),
                     [](const Joint& joint) { return joint.type == JointType::Revolute; });
}

void HingeModel::build(const Figure& figure, double turnScale) {
  turnScale_ = turnScale;
  hinges_.clear();
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    const bool isTurned = joint.parentFromJoint.rotation != Eigen::Matrix3d::Identity();
    hinges_.push_back({figure.link(i).parent, isTurned, joint.parentFromJoint, joint.axis});
  }
  const auto n = static_cast<Eigen::Index>(hinges_.size());
  frames_.resize(hinges_.size());
  axes_.resize(hinges_.size());
  wrenches_.resize(hinges_.size());
  lower_.resize(n);
  upper_.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    lower_[i] = figure.joint(static_cast<int>(i)).limits.lower;
    upper_[i] = figure.joint(static_cast<int>(i)).limits.upper;
  }
}

int HingeModel::residualSize() const {
  int size = 0;
  for (const FrameTarget& target : targets_) size += target.turns ? 6 : 3;
  return size;
}

void HingeModel::computeFrames(const double* q) {
  for (std::size_t i = 0; i < hinges_.size(); ++i) {
    const Hinge& hinge = hinges_[i];
    Transform joint = hinge.parentFromJoint;
    if (hinge.parent >= 0) {
      const Transform& parent = frames_[static_cast<std::size_t>(hinge.parent)];
      joint.translation = parent * hinge.parentFromJoint.translation;
      if (hinge.isTurned) joint.rotation = parent.rotation * hinge.parentFromJoint.rotation;
      else joint.rotation = parent.rotation;
    }
    axes_[i] = joint.rotation * hinge.axis;
    frames_[i].translation = joint.translation;
    frames_[i].rotation.noalias() = joint.rotation * turn(hinge.axis, q[i]);
  }
}

Eigen::Vector3d HingeModel::turnOf(const FrameTarget& target) const {
  const Eigen::Matrix3d frame = frames_[static_cast<std::size_t>(target.link)].rotation * target.linkFromFrame.rotation;
  return logarithm(Eigen::Quaterniond(Eigen::Matrix3d(frame * target.worldFromTarget.rotation.transpose())));
}

void HingeModel::computeResidual(double* residual, double* jacobian) const {
  const auto n = static_cast<Eigen::Index>(hinges_.size());
  using Rows = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
  Rows J(jacobian, jacobian ? residualSize() : 0, jacobian ? n : 0);
  if (jacobian) J.setZero();
  Eigen::Index row = 0;
  for (const FrameTarget& target : targets_) {
    const auto link = static_cast<std::size_t>(target.link);
    const Eigen::Vector3d point = frames_[link] * target.linkFromFrame.translation;
    const Eigen::Vector3d phi = target.turns ? turnOf(target) : Eigen::Vector3d::Zero();
    Eigen::Map<Eigen::Vector3d>(residual + row) = point - target.worldFromTarget.translation;
    if (target.turns) Eigen::Map<Eigen::Vector3d>(residual + row + 3) = turnScale_ * phi;
    for (int i = target.link; jacobian && i >= 0; i = hinges_[static_cast<std::size_t>(i)].parent) {
      const Eigen::Vector3d& axis = axes_[static_cast<std::size_t>(i)];
      J.block<3, 1>(row, i) = axis.cross(point - frames_[static_cast<std::size_t>(i)].translation);
      if (target.turns) J.block<3, 1>(row + 3, i) = turnScale_ * turnLogarithm(phi, axis);
    }
    row += target.turns ? 6 : 3;
  }
}

double HingeModel::computeObjective(double* gradient) {
  double f = 0.0;
  if (gradient) std::fill(wrenches_.begin(), wrenches_.end(), Vector6d::Zero());
  for (const FrameTarget& target : targets_) {
    const auto link = static_cast<std::size_t>(target.link);
    const Eigen::Vector3d point = frames_[link] * target.linkFromFrame.translation;
    const Eigen::Vector3d force = point - target.worldFromTarget.translation;
    Eigen::Vector3d moment = point.cross(force);
    f += 0.5 * force.squaredNorm();
    if (target.turns) {
      const Eigen::Vector3d phi = turnOf(target);
      f += 0.5 * turnScale_ * turnScale_ * phi.squaredNorm();
      moment += turnScale_ * turnScale_ * phi;  // Jl^-T phi = phi
    }
    if (gradient) wrenches_[link] += (Vector6d() << moment, force).finished();
  }
  for (std::size_t i = hinges_.size(); gradient && i-- > 0;) {
    const auto moment = wrenches_[i].head<3>();
    const auto force = wrenches_[i].tail<3>();
    gradient[i] = axes_[i].dot(moment - frames_[i].translation.cross(force));
    if (hinges_[i].parent >= 0) wrenches_[static_cast<std::size_t>(hinges_[i].parent)] += wrenches_[i];
  }
  return f;
}

bool HingeModel::isSolved(double length, double angle) const {
  constexpr double kMargin = 0.9;
  for (const FrameTarget& target : targets_) {
    const Eigen::Vector3d point = frames_[static_cast<std::size_t>(target.link)] * target.linkFromFrame.translation;
    if ((point - target.worldFromTarget.translation).norm() > kMargin * length) return false;
    if (target.turns && turnOf(target).norm() > kMargin * angle) return false;
  }
  return true;
}

bool HingeModel::isInside(const double* q) const {
  for (Eigen::Index i = 0; i < lower_.size(); ++i)
    if (!(q[i] >= lower_[i] && q[i] <= upper_[i])) return false;
  return true;
}

void HingeModel::drawStart(std::mt19937& random, double* q) const {
  for (Eigen::Index i = 0; i < lower_.size(); ++i) {
    const double lower = std::max(lower_[i], -std::numbers::pi), upper = std::min(upper_[i], std::numbers::pi);
    q[i] = std::uniform_real_distribution<double>(lower, upper)(random);
  }
}

void HingeModel::wrap(double* q) const {
  for (Eigen::Index i = 0; i < lower_.size(); ++i) q[i] = wrapAngle(q[i]);
}

}  // namespace limber::bench
