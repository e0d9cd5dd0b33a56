// SPDX-License-Identifier: MIT
// How the joints of a figure move, without names and drawings: small rows side by side, for the loops that run at every
// iterate of every solver.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "limber/kinematics/transform.h"

namespace limber {

struct Joint;
struct Link;

struct MotionTable {
  /// Twelve numbers laid out as a Transform: the rotation by columns, then the translation.
  using TransformRow = std::array<double, 12>;

  /// parentFromLink = constant + cos q * cosine + sin q * sine  of a revolute joint (Rodrigues).
  struct Turn {
    TransformRow constant, cosine, sine;
  };
  struct Hinge {
    int link = 0, poseIndex = 0, stepIndex = 0;
    Eigen::Vector3d axis = Eigen::Vector3d::Zero();  ///< in its own link's frame, or before it: the turn keeps it
  };
  struct Slide {
    int link = 0, poseIndex = 0, stepIndex = 0;
    Eigen::Vector3d axis = Eigen::Vector3d::Zero();  ///< in the parent's frame
  };
  /// Of ball and free joints.
  struct Rotation {
    int link = 0;
    int poseIndex = 0, stepIndex = 0;  ///< of the quaternion, of its three coordinates
    int shiftIndex = -1;               ///< in the pose: of a free joint's shift; -1 for a ball
  };
  /// Numbers that simply add, in a row in both pose and step.
  struct Stretch {
    int poseIndex = 0, stepIndex = 0, count = 0;
  };

  std::vector<int> parents;                ///< by link
  std::vector<Transform> parentFromJoint;  ///< by link
  std::vector<Hinge> hinges;               ///< one a revolute joint
  std::vector<int> turnLinks;              ///< likewise
  std::vector<Turn> turns;                 ///< likewise
  std::vector<int> fixedLinks;
  std::vector<Slide> slides;
  std::vector<Rotation> rotations;
  std::vector<Stretch> stretches;
};

MotionTable makeMotionTable(std::span<const Link> links, std::span<const Joint> joints);

}  // namespace limber
