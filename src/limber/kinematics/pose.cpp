// SPDX-License-Identifier: MIT
#include "limber/kinematics/pose.h"

#include <cmath>
#include <numbers>

namespace limber {

Pose restPose(const Figure& figure) { return {figure.restPose()}; }

Eigen::Quaterniond exponential(const Eigen::Vector3d& v) {
  const double angle = v.norm();
  // Near zero a series, because the quotient sin(angle/2)/angle loses digits there.
  const double scale = angle < 1e-4 ? 0.5 - angle * angle / 48.0 : std::sin(0.5 * angle) / angle;
  return Eigen::Quaterniond(std::cos(0.5 * angle), scale * v.x(), scale * v.y(), scale * v.z());
}

Eigen::Vector3d logarithm(const Eigen::Quaterniond& rotation) {
  const double sign = rotation.w() < 0.0 ? -1.0 : 1.0;  // q and -q are the same rotation; take the shorter turn
  const double w = sign * rotation.w();
  const Eigen::Vector3d v = sign * rotation.vec();
  const double s = v.norm();
  const double scale = s < 1e-5 ? 2.0 / w * (1.0 - s * s / (3.0 * w * w)) : 2.0 * std::atan2(s, w) / s;
  return scale * v;
}

Eigen::Quaterniond jointRotation(const Figure& figure, const Pose& pose, int joint) {
  return rotationAt(pose, figure.joint(joint).poseIndex + scalarCount(figure.joint(joint)));
}

void setJointRotation(const Figure& figure, int joint, const Eigen::Quaterniond& rotation, Pose& pose) {
  pose.coordinates.segment<4>(figure.joint(joint).poseIndex + scalarCount(figure.joint(joint))) = rotation.coeffs();
}

Transform jointMotion(const Figure& figure, const Pose& pose, int index) {
  const Joint& joint = figure.joint(index);
  const double* q = pose.coordinates.data() + joint.poseIndex;
  Transform motion;
  switch (joint.type) {
    case JointType::Fixed: break;
    case JointType::Revolute: motion.rotation = Eigen::AngleAxisd(*q, joint.axis).toRotationMatrix(); break;
    case JointType::Prismatic: motion.translation = joint.axis * *q; break;
    case JointType::Free: motion.translation = Eigen::Map<const Eigen::Vector3d>(q); [[fallthrough]];
    case JointType::Ball: motion.rotation = jointRotation(figure, pose, index).toRotationMatrix(); break;
  }
  return motion;
}

void integrate(const Figure& figure, const Pose& pose, const Eigen::VectorXd& step, Pose& out) {
  const MotionTable& table = figure.motionTable();
  out.coordinates.resize(figure.poseSize());
  for (const MotionTable::Stretch& s : table.stretches)
    out.coordinates.segment(s.poseIndex, s.count) =
        pose.coordinates.segment(s.poseIndex, s.count) + step.segment(s.stepIndex, s.count);
  for (const MotionTable::Rotation& r : table.rotations) {
    const Eigen::Vector3d turn = step.segment<3>(r.stepIndex);
    Eigen::Quaterniond rotation = rotationAt(pose, r.poseIndex);
    if (turn != Eigen::Vector3d::Zero()) rotation = (rotation * exponential(turn)).normalized();
    out.coordinates.segment<4>(r.poseIndex) = rotation.coeffs();
  }
}

void difference(const Figure& figure, const Pose& from, const Pose& to, Eigen::VectorXd& step) {
  const MotionTable& table = figure.motionTable();
  step.resize(figure.stepSize());
  for (const MotionTable::Stretch& s : table.stretches)
    step.segment(s.stepIndex, s.count) =
        to.coordinates.segment(s.poseIndex, s.count) - from.coordinates.segment(s.poseIndex, s.count);
  for (const MotionTable::Rotation& r : table.rotations)
    step.segment<3>(r.stepIndex) = logarithm(rotationAt(from, r.poseIndex).conjugate() * rotationAt(to, r.poseIndex));
}

double wrapAngle(double angle) {
  // remainder() is exact and its result lies in [-pi, pi]. An angle in that interval is returned unchanged.
  return std::abs(angle) <= std::numbers::pi ? angle : std::remainder(angle, 2.0 * std::numbers::pi);
}

void wrapAngles(const Figure& figure, Pose& pose) {
  for (const Joint& joint : figure.joints())
    if (joint.type == JointType::Revolute && !joint.limits.isBounded())
      pose.coordinates[joint.poseIndex] = wrapAngle(pose.coordinates[joint.poseIndex]);
}

namespace {

enum class PoseFault { None, Size, Finite, Rotation };

PoseFault faultOf(const Figure& figure, const Pose& pose) {
  if (pose.coordinates.size() != figure.poseSize()) return PoseFault::Size;
  if (!pose.coordinates.allFinite()) return PoseFault::Finite;
  for (const MotionTable::Rotation& r : figure.motionTable().rotations)
    if (std::abs(rotationAt(pose, r.poseIndex).norm() - 1.0) > 1e-6) return PoseFault::Rotation;
  return PoseFault::None;
}

}  // namespace

bool isValid(const Figure& figure, const Pose& pose) { return faultOf(figure, pose) == PoseFault::None; }

std::string findFault(const Figure& figure, const Pose& pose) {
  switch (faultOf(figure, pose)) {
    case PoseFault::Size:
      return "a pose of this figure has " + std::to_string(figure.poseSize()) + " coordinates, not " +
             std::to_string(pose.coordinates.size());
    case PoseFault::Finite: return "the pose has a number that is not finite";
    case PoseFault::Rotation: return "the pose has a quaternion that is not of unit length";
    case PoseFault::None: break;
  }
  return {};
}

}  // namespace limber
