// SPDX-License-Identifier: MIT
// The joints of a figure by type, in compact arrays, for the loops that run at every iterate of every solver.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "limber/kinematics/transform.h"

namespace limber {

struct Joint;
struct Link;

struct MotionTable {
  /// Twelve numbers in the layout of a Transform: the rotation by columns, then the translation.
  using TransformRow = std::array<double, 12>;

  /// parentFromLink = constant + cos q * cosine + sin q * sine  for a revolute joint (Rodrigues' formula).
  struct Turn {
    TransformRow constant, cosine, sine;
  };
  struct Hinge {
    int link = 0, poseIndex = 0, stepIndex = 0;
    Eigen::Vector3d axis = Eigen::Vector3d::Zero();  ///< link frame and joint frame alike
  };
  struct Slide {
    int link = 0, poseIndex = 0, stepIndex = 0;
    Eigen::Vector3d axis = Eigen::Vector3d::Zero();  ///< parent's frame
  };
  /// The rotation of a ball or free joint.
  struct Rotation {
    int link = 0;
    int poseIndex = 0, stepIndex = 0;  ///< of the quaternion and of its three step coordinates
    int shiftIndex = -1;               ///< of a free joint's translation in the pose; -1 for a ball joint
  };
  /// Consecutive coordinates to which a step is added.
  struct Stretch {
    int poseIndex = 0, stepIndex = 0, count = 0;
  };

  std::vector<int> parents;                ///< by link
  std::vector<Transform> parentFromJoint;  ///< by link
  std::vector<Hinge> hinges;               ///< revolute joints
  std::vector<int> turnLinks;              ///< their links
  std::vector<Turn> turns;                 ///< their transforms
  std::vector<int> fixedLinks;
  std::vector<Slide> slides;
  std::vector<Rotation> rotations;
  std::vector<Stretch> stretches;
};

MotionTable makeMotionTable(std::span<const Link> links, std::span<const Joint> joints);

}  // namespace limber
