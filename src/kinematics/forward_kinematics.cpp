// SPDX-License-Identifier: MIT
#include "kinematics/forward_kinematics.h"

#include <cmath>

namespace limber {

namespace {

/// Rotation by `angle` about a unit axis (Rodrigues).
Eigen::Matrix3d rotationAbout(const Eigen::Vector3d& axis, double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const Eigen::Vector3d ca = (1.0 - c) * axis;
  const Eigen::Vector3d sa = s * axis;
  Eigen::Matrix3d r;
  r << ca.x() * axis.x() + c, ca.x() * axis.y() - sa.z(), ca.x() * axis.z() + sa.y(),
      ca.y() * axis.x() + sa.z(), ca.y() * axis.y() + c, ca.y() * axis.z() - sa.x(),
      ca.z() * axis.x() - sa.y(), ca.z() * axis.y() + sa.x(), ca.z() * axis.z() + c;
  return r;
}

Eigen::Matrix3d quaternionToMatrix(const Eigen::VectorXd& q, int at) {
  return Eigen::Quaterniond(q[at + 3], q[at], q[at + 1], q[at + 2]).toRotationMatrix();
}

}  // namespace

void computeTransforms(const Figure& figure, const Pose& pose, Kinematics& kinematics) {
  const auto count = static_cast<std::size_t>(figure.linkCount());
  kinematics.worldFromLink.resize(count);
  kinematics.worldFromJoint.resize(count);
  const Eigen::VectorXd& q = pose.coordinates;
  for (std::size_t i = 0; i < count; ++i) {
    const Joint& joint = figure.joints()[i];
    const int parent = figure.links()[i].parent;
    Transform& worldFromJoint = kinematics.worldFromJoint[i];
    Transform& worldFromLink = kinematics.worldFromLink[i];
    if (parent < 0) worldFromJoint = joint.parentFromJoint;
    else worldFromJoint = kinematics.worldFromLink[static_cast<std::size_t>(parent)] * joint.parentFromJoint;
    worldFromLink = worldFromJoint;
    const int p = joint.poseIndex;
    switch (joint.type) {
      case JointType::Fixed: break;
      case JointType::Revolute:
        worldFromLink.rotation = worldFromJoint.rotation * rotationAbout(joint.axis, q[p]);
        break;
      case JointType::Prismatic: worldFromLink.translation += worldFromJoint.rotation * (joint.axis * q[p]); break;
      case JointType::Ball: worldFromLink.rotation = worldFromJoint.rotation * quaternionToMatrix(q, p); break;
      case JointType::Free:
        worldFromLink.translation += worldFromJoint.rotation * q.segment<3>(p);
        worldFromLink.rotation = worldFromJoint.rotation * quaternionToMatrix(q, p + 3);
        break;
    }
  }
  kinematics.origin = count > 0 ? kinematics.worldFromLink[0].translation : Eigen::Vector3d(Eigen::Vector3d::Zero());
}

void computeTwists(const Figure& figure, Kinematics& kinematics) {
  kinematics.twists.resize(6, figure.stepSize());
  auto& twists = kinematics.twists;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    const Transform& worldFromJoint = kinematics.worldFromJoint[static_cast<std::size_t>(i)];
    const Transform& worldFromLink = kinematics.worldFromLink[static_cast<std::size_t>(i)];
    const Eigen::Vector3d p = worldFromLink.translation - kinematics.origin;
    const int s = joint.stepIndex;
    switch (joint.type) {
      case JointType::Fixed: break;
      case JointType::Revolute: {
        const Eigen::Vector3d axis = worldFromJoint.rotation * joint.axis;
        twists.col(s).head<3>() = axis;
        twists.col(s).tail<3>() = p.cross(axis);
        break;
      }
      case JointType::Prismatic:
        twists.col(s).head<3>().setZero();
        twists.col(s).tail<3>() = worldFromJoint.rotation * joint.axis;
        break;
      case JointType::Free:
        twists.block<3, 3>(0, s).setZero();
        twists.block<3, 3>(3, s) = worldFromJoint.rotation;
        [[fallthrough]];
      case JointType::Ball: {
        const int r = joint.type == JointType::Free ? s + 3 : s;
        twists.block<3, 3>(0, r) = worldFromLink.rotation;
        for (int k = 0; k < 3; ++k) twists.col(r + k).tail<3>() = p.cross(worldFromLink.rotation.col(k));
        break;
      }
    }
  }
}

void computeKinematics(const Figure& figure, const Pose& pose, Kinematics& kinematics) {
  computeTransforms(figure, pose, kinematics);
  computeTwists(figure, kinematics);
}

}  // namespace limber
