// SPDX-License-Identifier: MIT
// Limbs of two long bones, such as arms and legs, found from the tree and its lengths at rest; names are not needed.
#pragma once

#include <optional>
#include <vector>

#include "limber/body/body_map.h"

namespace limber {

/// A limb with two long bones, which folds when its end comes nearer to its root.
///
///   root joints   move the upper bone: a hip, or the three hinges of a robot's hip; a clavicle with the shoulder
///   fold joints   move the lower bone relative to the upper one, all at about one point: a knee, an elbow
///   end joints    move links at the end of the lower bone: ankle and toes, a wrist; empty for a shank that
///                 ends on the ground
///
/// Joints are given by their links, from the trunk outward; fixed ones are left out.
struct TwoBones {
  std::vector<int> rootJoints, foldJoints, endJoints;
  Eigen::Vector3d fold = Eigen::Vector3d::Zero();  ///< place of the fold, metres, in upper()
  Eigen::Vector3d end = Eigen::Vector3d::Zero();   ///< end of the lower bone, metres, in lower()
  double lowerLength = 0.0;                        ///< metres
  /// Unit, in lower(): the axis about which it folds by a positive angle like a person's limb; zero if not known. Only
  /// ball joints need it.
  Eigen::Vector3d foldAxis = Eigen::Vector3d::Zero();

  int upper() const { return rootJoints.back(); }  ///< the link that is the upper bone
  int lower() const { return foldJoints.back(); }  ///< the link that is the lower bone
};

/// The two bones of the limb of a link (BodyMap::limbOf()) on the way through that link. Nothing for limbs of another
/// build: where the bones differ more than twofold in length, where a third long bone follows (fingers, tails), or
/// where the way leads through a trunk. In a human body, knees fold backward and elbows forward.
std::optional<TwoBones> findTwoBones(const BodyMap& body, int link);

}  // namespace limber
