// SPDX-License-Identifier: MIT
// The subproblems of Paden (1986) and Kahan, to which closed forms of inverse kinematics reduce, with the least-squares
// answers of Elias and Wen ("IK-Geo", 2022). docs/theory/closed_forms.md derives them. Axes are unit vectors through
// the origin; points need not be unit.
#pragma once

#include <Eigen/Core>
#include <array>

namespace limber::ways {

/// Up to two angles, radians in [-pi, pi].
struct Angles {
  int count = 0;
  std::array<double, 2> value = {};
  bool isFree = false;  ///< every angle is an answer; value[0] is 0
  /// How far the equation is from having an answer; 0 if the angles solve it exactly, otherwise they make its error
  /// least. For subproblems 1 and 2 a length, for 3 and 4 the excess of a cosine over 1.
  double excess = 0.0;
};

/// Two angles at a time.
struct AnglePairs {
  int count = 0;
  std::array<std::array<double, 2>, 2> value = {};
  bool isFree = false;
  double excess = 0.0;  ///< as in Angles
};

/// Subproblem 1:  R(axis, angle) p = q.
Angles turnOnto(const Eigen::Vector3d& axis, const Eigen::Vector3d& p, const Eigen::Vector3d& q);
/// Subproblem 2:  R(axis1, angle1) p = R(axis2, angle2) q. Parallel axes leave a one-parameter family: isFree, with
/// angle2 = 0.
AnglePairs turnBothOnto(const Eigen::Vector3d& axis1, const Eigen::Vector3d& p, const Eigen::Vector3d& axis2,
                        const Eigen::Vector3d& q);
/// Subproblem 3:  |R(axis, angle) p - q| = distance.
Angles turnToDistance(const Eigen::Vector3d& axis, const Eigen::Vector3d& p, const Eigen::Vector3d& q, double distance);
/// Subproblem 4:  normal . R(axis, angle) p = height.
Angles turnToPlane(const Eigen::Vector3d& axis, const Eigen::Vector3d& p, const Eigen::Vector3d& normal, double height);
/// The equation to which 3 and 4 reduce:  a cos(angle) + b sin(angle) = c.
Angles turnToSum(double a, double b, double c);

}  // namespace limber::ways
