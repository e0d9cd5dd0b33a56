// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "limber/kinematics/figure.h"
#include "limber/kinematics/pose.h"

namespace limber {

/// World transforms and joint axes of one pose, computed once and read by every goal.
struct Kinematics {
  std::vector<Transform> worldFromLink;                   ///< linkCount; computeTransforms
  std::vector<Transform> parentFromLink;                  ///< linkCount; computeTransforms
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();       ///< reference point of all twists; computeTransforms
  Eigen::Matrix<double, 6, Eigen::Dynamic> twists;        ///< (6 x stepSize); computeTwists
  std::vector<double> angles;  ///< one a hinge of the motion table, whole turns kept; scratch beyond; computeTransforms
};

/// Where a joint stands, before it moves its link.
Transform worldFromJoint(const Figure& figure, const Kinematics& kinematics, int joint);
/// The same for a free root, above which nothing moves.
Transform worldFromRootJoint(const Figure& figure, int root);

/// Transforms of every link; sizes what needs sizing. `origin` becomes the first link's position, so that twists
/// keep their digits when the figure stands far from the world's origin. Cost: one sweep, no allocation when warm.
void computeTransforms(const Figure& figure, const Pose& pose, Kinematics& kinematics);

/// The twist of every step coordinate, from the transforms: column j is (angular; linear), world axes, the linear
/// part taken at `origin`. A revolute joint with axis a through p: (a; (p - origin) x a). Prismatic: (0; a).
/// A ball joint's three columns turn about the link's own axes; a free joint has three shifts before them.
///
/// The velocity of a world point x under column (w; v) is  v + w x (x - origin).
/// Two links of length 1 along x, hinged about z, at zero: the columns are (0,0,1; 0,0,0) and (0,0,1; 0,-1,0), so
/// the tip x = (2,0,0) moves by (0,2,0) and (0,1,0).
void computeTwists(const Figure& figure, Kinematics& kinematics);

/// Both.
void computeKinematics(const Figure& figure, const Pose& pose, Kinematics& kinematics);

}  // namespace limber
