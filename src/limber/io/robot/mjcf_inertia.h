// SPDX-License-Identifier: MIT
// The frame of a body's inertia, as MuJoCo places it: at the centre of mass, along the principal axes, from the largest
// moment to the smallest. Bodies with a free joint may have their frame there (alignfree).
#pragma once

#include <optional>

#include "limber/io/robot/mjcf_text.h"
#include "limber/io/robot/robot_parts.h"

namespace limber::io {

/// The moments of inertia of a solid about its centre, in its axes, kg m^2.
Eigen::Vector3d momentsOf(const RobotShape& shape, double mass);

/// Axes in which a symmetric matrix is diagonal, as columns of a rotation, from the largest entry to the smallest.
/// Those of a diagonal matrix in this order are the identity.
Eigen::Matrix3d principalAxes(const Eigen::Matrix3d& symmetric);

/// The inertia of solids on one body.
class BodyInertia {
 public:
  /// linkFromShape of the shape is its place in the body.
  void add(const RobotShape& shape, double mass);
  /// Nothing without mass. A single solid has its own axes.
  std::optional<Transform> place() const;

 private:
  struct Part {
    RobotShape shape;
    double mass = 0.0;
  };
  std::vector<Part> parts_;
};

/// The place of an <inertial>: its orientation, or the axes of its fullinertia.
Transform inertialPlace(const MjcfElement& inertial);

}  // namespace limber::io
