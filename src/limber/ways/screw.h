// SPDX-License-Identifier: MIT
// One joint of a serial arm as a screw: its axis in a common frame while all coordinates of the arm are zero. With E_i
// the motion of joint i, the arm places its tip at  E_1(q_1) E_2(q_2) ... E_n(q_n) home  (product of exponentials:
// Brockett 1984; Murray, Li and Sastry 1994, chapter 3).
#pragma once

#include <Eigen/Core>

#include "limber/kinematics/transform.h"

namespace limber::ways {

inline constexpr int kMaxJoints = 7;

/// Coordinates of the joints of an arm, base first; at most kMaxJoints, so that it needs no heap.
using Coordinates = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxJoints, 1>;
/// One column (angular; linear) per joint; the linear part is the velocity of the point at the origin.
using ArmJacobian = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, kMaxJoints>;

struct Screw {
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< unit
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< on the axis; a slide does not use it
  bool isSlide = false;                             ///< moves along the axis, else turns about it
};

/// The rotation by an angle about a unit axis.
Eigen::Matrix3d turnAbout(const Eigen::Vector3d& axis, double angle);
/// The motion of a joint at a coordinate: radians, or the unit of length of the point.
Transform motionOf(const Screw& screw, double coordinate);
/// The image of a point under that motion.
Eigen::Vector3d movedPoint(const Screw& screw, double coordinate, const Eigen::Vector3d& point);
/// The same joint in another frame.
Screw moved(const Transform& toFromOld, const Screw& screw);

}  // namespace limber::ways
