// SPDX-License-Identifier: MIT
#include "limber/kinematics/motion_table.h"

#include <algorithm>

#include "limber/kinematics/figure.h"

namespace limber {

namespace {

MotionTable::TransformRow rowOf(const Eigen::Matrix3d& rotation, const Eigen::Vector3d& translation) {
  MotionTable::TransformRow row;
  std::copy(rotation.data(), rotation.data() + 9, row.begin());
  std::copy(translation.data(), translation.data() + 3, row.begin() + 9);
  return row;
}

/// R(q) = a a' + cos q (1 - a a') + sin q [a]x, in the parent's frame.
MotionTable::Turn turnOf(const Joint& joint) {
  const Eigen::Matrix3d& frame = joint.parentFromJoint.rotation;
  const Eigen::Matrix3d along = joint.axis * joint.axis.transpose();
  const Eigen::Vector3d zero = Eigen::Vector3d::Zero();
  return {rowOf(frame * along, joint.parentFromJoint.translation),
          rowOf(frame * (Eigen::Matrix3d::Identity() - along), zero), rowOf(frame * skew(joint.axis), zero)};
}

void addStretch(int poseIndex, int stepIndex, int count, std::vector<MotionTable::Stretch>& stretches) {
  if (!stretches.empty()) {
    MotionTable::Stretch& last = stretches.back();
    if (last.poseIndex + last.count == poseIndex && last.stepIndex + last.count == stepIndex) {
      last.count += count;
      return;
    }
  }
  stretches.push_back({poseIndex, stepIndex, count});
}

void addJoint(int link, const Joint& joint, MotionTable& table) {
  switch (joint.type) {
    case JointType::Fixed: table.fixedLinks.push_back(link); return;
    case JointType::Revolute:
      table.hinges.push_back({link, joint.poseIndex, joint.stepIndex, joint.axis});
      table.turnLinks.push_back(link);
      table.turns.push_back(turnOf(joint));
      return addStretch(joint.poseIndex, joint.stepIndex, 1, table.stretches);
    case JointType::Prismatic:
      table.slides.push_back({link, joint.poseIndex, joint.stepIndex, joint.parentFromJoint.rotation * joint.axis});
      return addStretch(joint.poseIndex, joint.stepIndex, 1, table.stretches);
    case JointType::Ball: table.rotations.push_back({link, joint.poseIndex, joint.stepIndex}); return;
    case JointType::Free:
      addStretch(joint.poseIndex, joint.stepIndex, 3, table.stretches);
      table.rotations.push_back({link, joint.poseIndex + 3, joint.stepIndex + 3, joint.poseIndex});
      return;
  }
}

}  // namespace

MotionTable makeMotionTable(std::span<const Link> links, std::span<const Joint> joints) {
  MotionTable table;
  for (std::size_t i = 0; i < links.size(); ++i) {
    table.parents.push_back(links[i].parent);
    table.parentFromJoint.push_back(joints[i].parentFromJoint);
    addJoint(static_cast<int>(i), joints[i], table);
  }
  return table;
}

}  // namespace limber
