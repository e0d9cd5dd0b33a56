// SPDX-License-Identifier: MIT
#include "limber/kinematics/pose.h"

#include <cmath>
#include <numbers>

namespace limber {

namespace {

Eigen::Quaterniond readQuaternion(const Eigen::VectorXd& coordinates, int at) {
  return Eigen::Quaterniond(coordinates[at + 3], coordinates[at], coordinates[at + 1], coordinates[at + 2]);
}

void writeQuaternion(const Eigen::Quaterniond& q, int at, Eigen::VectorXd& coordinates) {
  coordinates[at] = q.x();
  coordinates[at + 1] = q.y();
  coordinates[at + 2] = q.z();
  coordinates[at + 3] = q.w();
}

int quaternionIndex(const Joint& joint) {
  return joint.type == JointType::Free ? joint.poseIndex + 3 : joint.poseIndex;
}

}  // namespace

Pose restPose(const Figure& figure) { return {figure.restPose()}; }

Eigen::Quaterniond exponential(const Eigen::Vector3d& v) {
  const double angle = v.norm();
  // sin(angle/2)/angle by its series near zero, where the quotient would lose digits.
  const double scale = angle < 1e-4 ? 0.5 - angle * angle / 48.0 : std::sin(0.5 * angle) / angle;
  return Eigen::Quaterniond(std::cos(0.5 * angle), scale * v.x(), scale * v.y(), scale * v.z());
}

Eigen::Vector3d logarithm(const Eigen::Quaterniond& rotation) {
  const double sign = rotation.w() < 0.0 ? -1.0 : 1.0;  // q and -q are one rotation; take the shorter turn
  const double w = sign * rotation.w();
  const Eigen::Vector3d v = sign * rotation.vec();
  const double s = v.norm();
  const double scale = s < 1e-5 ? 2.0 / w * (1.0 - s * s / (3.0 * w * w)) : 2.0 * std::atan2(s, w) / s;
  return scale * v;
}

Eigen::Quaterniond jointRotation(const Figure& figure, const Pose& pose, int joint) {
  return readQuaternion(pose.coordinates, quaternionIndex(figure.joint(joint)));
}

void setJointRotation(const Figure& figure, int joint, const Eigen::Quaterniond& rotation, Pose& pose) {
  writeQuaternion(rotation, quaternionIndex(figure.joint(joint)), pose.coordinates);
}

void integrate(const Figure& figure, const Pose& pose, const Eigen::VectorXd& step, Pose& out) {
  const MotionTable& table = figure.motionTable();
  out.coordinates.resize(figure.poseSize());
  for (const MotionTable::Stretch& s : table.stretches)
    out.coordinates.segment(s.poseIndex, s.count) =
        pose.coordinates.segment(s.poseIndex, s.count) + step.segment(s.stepIndex, s.count);
  for (const MotionTable::Rotation& r : table.rotations) {
    const Eigen::Vector3d turn = step.segment<3>(r.stepIndex);
    Eigen::Quaterniond rotation = readQuaternion(pose.coordinates, r.poseIndex);
    if (turn != Eigen::Vector3d::Zero()) rotation = (rotation * exponential(turn)).normalized();
    writeQuaternion(rotation, r.poseIndex, out.coordinates);
  }
}

void difference(const Figure& figure, const Pose& from, const Pose& to, Eigen::VectorXd& step) {
  const MotionTable& table = figure.motionTable();
  step.resize(figure.stepSize());
  for (const MotionTable::Stretch& s : table.stretches)
    step.segment(s.stepIndex, s.count) =
        to.coordinates.segment(s.poseIndex, s.count) - from.coordinates.segment(s.poseIndex, s.count);
  for (const MotionTable::Rotation& r : table.rotations)
    step.segment<3>(r.stepIndex) = logarithm(readQuaternion(from.coordinates, r.poseIndex).conjugate() *
                                             readQuaternion(to.coordinates, r.poseIndex));
}

double wrapAngle(double angle) {
  // remainder() is exact and its result lies in [-pi, pi]; an angle already there is returned as it is.
  return std::abs(angle) <= std::numbers::pi ? angle : std::remainder(angle, 2.0 * std::numbers::pi);
}

void wrapAngles(const Figure& figure, Pose& pose) {
  for (const Joint& joint : figure.joints())
    if (joint.type == JointType::Revolute && !joint.limits.isBounded())
      pose.coordinates[joint.poseIndex] = wrapAngle(pose.coordinates[joint.poseIndex]);
}

bool isValid(const Figure& figure, const Pose& pose) {
  if (pose.coordinates.size() != figure.poseSize() || !pose.coordinates.allFinite()) return false;
  for (const Joint& joint : figure.joints())
    if (hasRotation(joint))
      if (std::abs(pose.coordinates.segment<4>(quaternionIndex(joint)).norm() - 1.0) > 1e-6) return false;
  return true;
}

}  // namespace limber
