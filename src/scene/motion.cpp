// SPDX-License-Identifier: MIT
#include "scene/motion.h"

#include <cassert>
#include <numbers>

namespace limber {

Pose Motion::poseAt(const Figure& figure, int frame) const {
  assert(frame >= 0 && frame < frameCount);
  Pose pose = restPose(figure);
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    if (joint.type == JointType::Ball || joint.type == JointType::Free)
      setJointRotation(figure, i, Eigen::Quaterniond::Identity(), pose);
    if (joint.type == JointType::Free) pose.coordinates.segment<3>(joint.poseIndex).setZero();
  }
  const double* row = values.data() + static_cast<std::size_t>(frame) * channels.size();
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const Channel& channel = channels[c];
    const Joint& joint = figure.joint(channel.joint);
    const int axis = static_cast<int>(channel.type) % 3;
    if (channel.type <= ChannelType::ZPosition) {
      if (joint.type == JointType::Free)
        pose.coordinates[joint.poseIndex + axis] = row[c] * figure.fileFrame().metresPerUnit;
      continue;
    }
    const Eigen::AngleAxisd turn(row[c] * std::numbers::pi / 180.0, Eigen::Vector3d::Unit(axis));
    setJointRotation(figure, channel.joint, jointRotation(figure, pose, channel.joint) * turn, pose);
  }
  for (int i = 0; i < figure.linkCount(); ++i) {
    const JointType type = figure.joint(i).type;
    if (type == JointType::Ball || type == JointType::Free)
      setJointRotation(figure, i, jointRotation(figure, pose, i).normalized(), pose);
  }
  return pose;
}

}  // namespace limber
