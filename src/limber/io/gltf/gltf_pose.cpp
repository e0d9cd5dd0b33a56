// SPDX-License-Identifier: MIT
#include "limber/io/gltf/gltf_pose.h"

#include <Eigen/LU>

namespace limber::io {

NodePlace placeOfNode(const Figure& figure, const Pose& pose, int joint, const GltfNodes& nodes, int index) {
  const GltfNode& node = nodes[index];
  const Joint& j = figure.joint(joint);
  const Eigen::Matrix3d rotation = node.rotation.toRotationMatrix();
  const bool turns = j.type == JointType::Ball || j.type == JointType::Free;
  NodePlace place{rotation, node.translation};
  if (turns)
    place.rotation = rotation * node.mirror * jointRotation(figure, pose, joint).toRotationMatrix() * node.mirror;
  if (j.type != JointType::Free) return place;
  Eigen::Matrix3d parentLinkFromParentNode = Eigen::Matrix3d::Identity();
  if (node.parent >= 0)
    parentLinkFromParentNode = nodes[node.parent].worldFromLink.transpose() * nodes[node.parent].worldFromNode.linear();
  const Eigen::FullPivLU<Eigen::Matrix3d> solver(parentLinkFromParentNode);
  const Eigen::Vector3d shift = rotation * node.mirror * pose.coordinates.segment<3>(j.poseIndex);
  if (solver.isInvertible())  // below a node scaled to zero, translations have no effect
    place.translation += solver.solve(shift) / figure.fileFrame().metresPerUnit;
  return place;
}

}  // namespace limber::io
