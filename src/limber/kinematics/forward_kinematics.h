// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "limber/kinematics/figure.h"
#include "limber/kinematics/pose.h"

namespace limber {

/// World transforms and twists of one pose, which all goals read.
struct Kinematics {
  std::vector<Transform> worldFromLink = {};             ///< linkCount; computeTransforms
  std::vector<Transform> parentFromLink = {};            ///< linkCount; computeTransforms
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();      ///< reference point of all twists; computeTransforms
  Eigen::Matrix<double, 6, Eigen::Dynamic> twists = {};  ///< (6 x stepSize); computeTwists
  std::vector<double> angles =
      {};  ///< of each hinge in the motion table, with whole turns, then scratch; computeTransforms
};

/// Frame of a joint, which its own coordinates do not move.
Transform worldFromJoint(const Figure& figure, const Kinematics& kinematics, int joint);
/// The same for a free root, above which all joints are fixed.
Transform worldFromRootJoint(const Figure& figure, int root);

/// Computes the transforms of every link and resizes their vectors. `origin` becomes the first link's position, so that
/// twists do not lose digits far from the world's origin. Cost: one sweep over the links; no allocation once sized.
void computeTransforms(const Figure& figure, const Pose& pose, Kinematics& kinematics);
/// The same with a new result.
Kinematics transformsOf(const Figure& figure, const Pose& pose);

/// Computes the twist of every step coordinate from the transforms. Column j is (angular; linear) in world axes, the
/// linear part at `origin`. A revolute joint with the axis a through p has (a; (p - origin) x a), a prismatic one (0;
/// a). A ball joint has three columns, about the link's own axes; a free joint has three translations before them.
///
/// The velocity of a world point x under column (w; v) is  v + w x (x - origin).
/// Two links of length 1 along x, hinged about z, at zero: the columns are (0,0,1; 0,0,0) and (0,0,1; 0,-1,0), so
/// the tip x = (2,0,0) moves by (0,2,0) and (0,1,0).
void computeTwists(const Figure& figure, Kinematics& kinematics);

/// computeTransforms, then computeTwists.
void computeKinematics(const Figure& figure, const Pose& pose, Kinematics& kinematics);

}  // namespace limber
