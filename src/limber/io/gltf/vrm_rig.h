// SPDX-License-Identifier: MIT
// The humanoid bones of VRM on a figure. VRM animations (.vrma) hold poses of these bones and so play on any avatar.
//
// In the T-pose the body faces z, y is up, x points to its left, and every bone has the axes of the body. With W the
// rotation of a bone's link, T the link's rotation in the T-pose (bodyFromLink), and B the body's axes in the world,
//
//   G = B' W T'           the bone's rotation; the identity in the T-pose
//   N = G_parent' G       the same relative to the parent bone, as an animation stores it
//
// The rest pose of an avatar is its T-pose, as VRM demands; avatars of VRM 0 face -z at rest, and their B is half a
// turn about y. The T-pose of any other figure is that of its parts (body/pose_parts.h).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "limber/body/body_words.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/ik_problem.h"

namespace limber::io {

struct VrmBone {
  std::string name;  ///< "leftUpperArm"
  int link = 0;
  int parent = -1;               ///< index of the parent bone, which comes before it in the list; -1 for the hips
  Eigen::Matrix3d bodyFromLink;  ///< T
  Eigen::Vector3d offset;        ///< from the parent bone (hips: the origin) in the T-pose, in the body's axes
};

struct VrmRig {
  std::vector<VrmBone> bones;  ///< the hips first
  Eigen::Matrix3d worldFromBody = Eigen::Matrix3d::Identity();

  int find(const std::string& name) const;  ///< -1 for none
};

/// The bones of a part, the proximal one first: "leftUpperArm", or three for a digit. None for a block of fingers.
std::vector<std::string> vrmBones(BodyPlace place);

/// Replaces the name of a bone of the thumb by that of the same bone in the other version of VRM; other names stay.
/// from  0 for names of VRM 0, which Unity shares, 1 for those of VRM 1
std::string renamedThumb(const std::string& bone, std::size_t from);

/// True if the figure's file names the hips, or its links have the names of a human body.
bool namesVrmBones(const Figure& figure);

/// Nothing for a figure that is not a human body. Eyes are left out: animations turn them by the gaze.
std::optional<VrmRig> findVrmRig(const Figure& figure);

/// G by name, from N by name. A bone without N moves with its parent.
std::map<std::string, Eigen::Matrix3d> bodyRotations(const std::map<std::string, Eigen::Matrix3d>& againstParents);

/// G, by bone.
std::vector<Eigen::Matrix3d> boneRotations(const VrmRig& rig, const Kinematics& kinematics);

/// A pose of the bones: G by name, and the shift of the hips from rest in the body's axes, divided by their height.
struct VrmPose {
  std::map<std::string, Eigen::Matrix3d> rotations;
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();
};

VrmPose vrmPoseOf(const Figure& figure, const VrmRig& rig, const Pose& pose);

/// The pose of an avatar, all of whose bones have ball or free joints. Bones that `pose` does not contain move with
/// their parents; all other joints stay at rest.
Pose poseOfAvatar(const IkProblem& problem, const VrmRig& rig, const VrmPose& pose);

}  // namespace limber::io
