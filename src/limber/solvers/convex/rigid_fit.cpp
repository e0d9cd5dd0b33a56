// SPDX-License-Identifier: MIT
#include "limber/solvers/convex/rigid_fit.h"

#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/pose.h"
#include "limber/solvers/steps/best_rotation.h"

namespace limber {

std::optional<Transform> bestMotion(std::span<const PointPair> pairs) {
  Eigen::Vector3d here = Eigen::Vector3d::Zero(), there = Eigen::Vector3d::Zero();
  double weights = 0.0;
  for (const PointPair& p : pairs) {
    weights += p.weight;
    here += p.weight * p.here;
    there += p.weight * p.there;
  }
  if (weights == 0.0) return std::nullopt;
  here /= weights;
  there /= weights;
  Eigen::Matrix3d m = Eigen::Matrix3d::Zero();
  for (const PointPair& p : pairs) m += p.weight * (p.here - here) * (p.there - there).transpose();
  Transform motion;
  if (m.norm() > 0.0) motion.rotation = bestRotation(m, Eigen::Matrix3d::Identity());
  motion.translation = there - motion.rotation * here;
  return motion;
}

void moveRoot(const Figure& figure, int root, const Transform& worldFromLink, const Transform& motion, Pose& pose) {
  const Joint& joint = figure.joint(root);
  const Transform jointFromLink = worldFromRootJoint(figure, root).inverse() * (motion * worldFromLink);
  pose.coordinates.segment<3>(joint.poseIndex) = jointFromLink.translation;
  setJointRotation(figure, root, Eigen::Quaterniond(jointFromLink.rotation).normalized(), pose);
}

}  // namespace limber
