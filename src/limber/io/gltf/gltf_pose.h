// SPDX-License-Identifier: MIT
// The transform of a node from the coordinates of its link's joint.
#pragma once

#include "limber/io/gltf/gltf_nodes.h"
#include "limber/kinematics/figure.h"
#include "limber/kinematics/pose.h"

namespace limber::io {

/// A node's rotation and translation, file units.
struct NodePlace {
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();
};

/// With the mirror K of the node (gltf_nodes.h), the rotation Q of its joint, and the node's rest (R, T):
///
///   R' = R K Q K        T' = T + B^-1 R K t / unit      t: translation of the joint, B = parentLinkFromParentNode or 1
///
/// This is the inverse of motionOf (gltf_animation.h). t is zero except for free joints.
NodePlace placeOfNode(const Figure& figure, const Pose& pose, int joint, const GltfNodes& nodes, int node);

}  // namespace limber::io
