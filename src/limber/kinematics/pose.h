// SPDX-License-Identifier: MIT
// The Pose: the coordinates of one figure, with the operations of their manifold.
//
// Ball and free joints have unit quaternions (x, y, z, w). A step is a tangent vector at a pose and is applied with
// integrate(): angles and lengths add, rotations turn about the link's own axes,
//   q <- q * exp(step),
// so there are no singular Euler angles. The translation of a free joint is along the axes of its joint frame.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "limber/kinematics/figure.h"

namespace limber {

struct Pose {
  Eigen::VectorXd coordinates = {};  ///< (figure.poseSize() x 1), in the order of Joint::poseIndex

  bool operator==(const Pose& other) const {
    return coordinates.size() == other.coordinates.size() && coordinates == other.coordinates;
  }
};

Pose restPose(const Figure& figure);

/// out = pose moved by step, (figure.stepSize() x 1). `out` may be `pose`. Quaternions are normalised.
void integrate(const Figure& figure, const Pose& pose, const Eigen::VectorXd& step, Pose& out);

/// The step from `from` to `to`, with rotations of at most pi. The inverse of integrate for rotations below pi.
void difference(const Figure& figure, const Pose& from, const Pose& to, Eigen::VectorXd& step);

/// Wraps the angles of revolute joints without limits to [-pi, pi].
void wrapAngles(const Figure& figure, Pose& pose);

/// Wraps an angle to [-pi, pi].
double wrapAngle(double angle);

/// True if every coordinate is finite and every quaternion has unit length within 1e-6.
bool isValid(const Figure& figure, const Pose& pose);
/// Empty, or why the pose is not one of the figure, in words.
std::string findFault(const Figure& figure, const Pose& pose);

/// The rotation exp(v) as a unit quaternion, and the inverse map, whose result has a length of at most pi.
Eigen::Quaterniond exponential(const Eigen::Vector3d& rotationVector);
Eigen::Vector3d logarithm(const Eigen::Quaterniond& rotation);

/// The unit quaternion whose four coordinates begin at poseIndex.
inline Eigen::Quaterniond rotationAt(const Pose& pose, int poseIndex) {
  return Eigen::Quaterniond(Eigen::Vector4d(pose.coordinates.segment<4>(poseIndex)));
}

/// The rotation of a ball or free joint.
Eigen::Quaterniond jointRotation(const Figure& figure, const Pose& pose, int joint);
void setJointRotation(const Figure& figure, int joint, const Eigen::Quaterniond& rotation, Pose& pose);
/// The motion of a joint at its coordinates: the link's frame in the joint's frame.
Transform jointMotion(const Figure& figure, const Pose& pose, int joint);

}  // namespace limber
