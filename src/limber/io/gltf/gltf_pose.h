// SPDX-License-Identifier: MIT
// What a joint's coordinates make of the node that its link came from.
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

/// With K the mirror of a node (gltf_nodes.h), Q the rotation of its joint and rest (R, T):
///
///   R' = R K Q K        T' = T + B^-1 R K t / unit      t the joint's shift, B = parentLinkFromParentNode (root: 1)
///
/// The inverse of motionOf (gltf_animation.h). Only free joints shift.
NodePlace placeOfNode(const Figure& figure, const Pose& pose, int joint, const GltfNodes& nodes, int node);

}  // namespace limber::io
