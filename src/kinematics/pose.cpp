// SPDX-License-Identifier: MIT
#include "kinematics/pose.h"

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
  out.coordinates.resize(figure.poseSize());
  for (const Joint& joint : figure.joints()) {
    const int p = joint.poseIndex;
    const int s = joint.stepIndex;
    switch (joint.type) {
      case JointType::Fixed: break;
      case JointType::Revolute:
      case JointType::Prismatic: out.coordinates[p] = pose.coordinates[p] + step[s]; break;
      case JointType::Free:
        out.coordinates.segment<3>(p) = pose.coordinates.segment<3>(p) + step.segment<3>(s);
        [[fallthrough]];
      case JointType::Ball: {
        const int offset = joint.type == JointType::Free ? 3 : 0;
        const Eigen::Vector3d turn = step.segment<3>(s + offset);
        Eigen::Quaterniond rotation = readQuaternion(pose.coordinates, p + offset);
        if (turn != Eigen::Vector3d::Zero()) rotation = (rotation * exponential(turn)).normalized();
        writeQuaternion(rotation, p + offset, out.coordinates);
        break;
      }
    }
  }
}

void difference(const Figure& figure, const Pose& from, const Pose& to, Eigen::VectorXd& step) {
  step.resize(figure.stepSize());
  for (const Joint& joint : figure.joints()) {
    const int p = joint.poseIndex;
    const int s = joint.stepIndex;
    switch (joint.type) {
      case JointType::Fixed: break;
      case JointType::Revolute:
      case JointType::Prismatic: step[s] = to.coordinates[p] - from.coordinates[p]; break;
      case JointType::Free:
        step.segment<3>(s) = to.coordinates.segment<3>(p) - from.coordinates.segment<3>(p);
        [[fallthrough]];
      case JointType::Ball: {
        const int offset = joint.type == JointType::Free ? 3 : 0;
        step.segment<3>(s + offset) = logarithm(readQuaternion(from.coordinates, p + offset).conjugate() *
                                                readQuaternion(to.coordinates, p + offset));
        break;
      }
    }
  }
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
    if (joint.type == JointType::Ball || joint.type == JointType::Free)
      if (std::abs(pose.coordinates.segment<4>(quaternionIndex(joint)).norm() - 1.0) > 1e-6) return false;
  return true;
}

}  // namespace limber
