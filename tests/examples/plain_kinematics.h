// SPDX-License-Identifier: MIT
// Forward kinematics written anew: tests compare with it what reports say.
#pragma once

#include <Eigen/Geometry>

#include "limber/kinematics/figure.h"
#include "limber/kinematics/pose.h"

namespace limber::test {

inline Eigen::Isometry3d motionOf(const Joint& joint, const double* q) {
  Eigen::Isometry3d motion = Eigen::Isometry3d::Identity();
  switch (joint.type) {
    case JointType::Fixed: break;
    case JointType::Revolute: motion.linear() = Eigen::AngleAxisd(q[0], joint.axis).toRotationMatrix(); break;
    case JointType::Prismatic: motion.translation() = q[0] * joint.axis; break;
    case JointType::Ball: motion.linear() = Eigen::Quaterniond(q[3], q[0], q[1], q[2]).toRotationMatrix(); break;
    case JointType::Free:
      motion.translation() = Eigen::Vector3d(q[0], q[1], q[2]);
      motion.linear() = Eigen::Quaterniond(q[6], q[3], q[4], q[5]).toRotationMatrix();
      break;
  }
  return motion;
}

inline Eigen::Isometry3d placeOf(const Figure& figure, const Pose& pose, int link) {
  Eigen::Isometry3d place = Eigen::Isometry3d::Identity();
  for (; link >= 0; link = figure.link(link).parent) {
    const Joint& joint = figure.joint(link);
    Eigen::Isometry3d hung = Eigen::Isometry3d::Identity();
    hung.linear() = joint.parentFromJoint.rotation;
    hung.translation() = joint.parentFromJoint.translation;
    place = hung * motionOf(joint, pose.coordinates.data() + joint.poseIndex) * place;
  }
  return place;
}

}  // namespace limber::test
