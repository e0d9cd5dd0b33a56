// SPDX-License-Identifier: MIT
// The bones that models of MikuMikuDance have in common, with their names, and the body that motions open as.
//
// MikuMikuDance has y up and is left-handed: its bodies face -z, with their left side at +x. Here z is mirrored, so
// that bodies face +z: (x, y, -z) of a place, (-x, -y, z, w) of a quaternion. A unit is 8 cm. All bones have the axes
// of the world at rest, where the arms hang down at a slope. With M the rotation of a bone in the world, and A that of
// the arms at rest against a T-pose, a bone of VRM has the rotation
//
//   G = M A        M = M_parent m,  m as stored in a file
#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace limber::io {

inline constexpr double kMmdUnit = 0.08;  ///< metres
inline constexpr int kMmdFramesPerSecond = 30;

struct MmdBone {
  std::string name;                                 ///< in UTF-8
  std::string shiftJis;                             ///< as in files
  int parent = -1;                                  ///< comes before the bone
  Eigen::Vector3d place = Eigen::Vector3d::Zero();  ///< in the T-pose, units
  std::string vrm = {};                             ///< the bone of VRM that it is; empty for none
  int readAs = -1;       ///< the bone whose rotation is that of `vrm`: the twist bone of an arm, else itself
  bool isOfArm = false;  ///< from the upper arm to the fingers
};

/// A leg's bones, and those whose places it reaches by inverse kinematics.
struct MmdLeg {
  int leg, knee, ankle, target, toeTarget;
};

const std::vector<MmdBone>& mmdBones();
/// By a name in Shift-JIS or UTF-8; -1 for a bone that not all models have.
int findMmdBone(std::string_view name);
/// The same; throws std::logic_error for another name.
int mmdBone(std::string_view name);
const std::array<MmdLeg, 2>& mmdLegs();
/// The bone that carries the body through the world.
int mmdCentre();
/// A: the rotation of a bone at rest against the T-pose.
Eigen::Matrix3d restTurn(const MmdBone& bone);

}  // namespace limber::io
