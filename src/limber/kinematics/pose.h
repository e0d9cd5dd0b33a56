// SPDX-License-Identifier: MIT
// The Pose: the coordinates of one figure, and the few operations that respect their geometry.
//
// Ball and free joints hold unit quaternions (x, y, z, w). A step lives in the tangent space at a pose and is
// applied with integrate(): angles and lengths add, rotations turn about the axes of the link itself,
//   q <- q * exp(step),
// so no Euler angle is ever singular. The translation of a free joint is along the axes of its joint frame.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "limber/kinematics/figure.h"

namespace limber {

struct Pose {
  Eigen::VectorXd coordinates;  ///< (figure.poseSize() x 1), laid out by Joint::poseIndex

  bool operator==(const Pose& other) const {
    return coordinates.size() == other.coordinates.size() && coordinates == other.coordinates;
  }
};

Pose restPose(const Figure& figure);

/// out = pose moved by step (figure.stepSize() x 1); out may be pose. Quaternions are renormalised.
void integrate(const Figure& figure, const Pose& pose, const Eigen::VectorXd& step, Pose& out);

/// The step that takes `from` to `to`; rotations by the logarithm, in (-pi, pi]. Inverse of integrate for small steps.
void difference(const Figure& figure, const Pose& from, const Pose& to, Eigen::VectorXd& step);

/// Brings the angles of revolute joints without limits into [-pi, pi].
void wrapAngles(const Figure& figure, Pose& pose);

/// The same for one angle.
double wrapAngle(double angle);

/// True when every coordinate is finite and every quaternion has unit length within 1e-6.
bool isValid(const Figure& figure, const Pose& pose);

/// The rotation exp(v) as a unit quaternion, and its inverse with |log| <= pi.
Eigen::Quaterniond exponential(const Eigen::Vector3d& rotationVector);
Eigen::Vector3d logarithm(const Eigen::Quaterniond& rotation);

/// The rotation of a ball or free joint.
Eigen::Quaterniond jointRotation(const Figure& figure, const Pose& pose, int joint);
void setJointRotation(const Figure& figure, int joint, const Eigen::Quaterniond& rotation, Pose& pose);

}  // namespace limber
