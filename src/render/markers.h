// SPDX-License-Identifier: MIT
// The marks that others are built around: targets, limits, rotation axes. All are of the Overlay layer.
#pragma once

#include "render/draw_list.h"

namespace limber::render {

/// So many pixels of a plain display in metres, where the view is known; else 0.
double pixels(const Highlight& highlight, double count, const Eigen::Vector3d& place);

/// What a target looks like: the shape says what the colour says.
struct TargetMark {
  Eigen::Vector3d target = Eigen::Vector3d::Zero();   ///< world
  Eigen::Vector3d from = Eigen::Vector3d::Zero();     ///< what is left is a line from here, world ...
  Eigen::Vector3d wanted = Eigen::Vector3d::Zero();   ///< ... to here; none where they are one
  double size = 0.1;       ///< radius of the ball, metres
  bool met = false;        ///< green ball with a ring; else red ball with a cross and a line for what is left
  bool faint = false;      ///< forward mode: the targets wait
  bool hovered = false;
  bool selected = false;   ///< one more ring, in the accent colour
  bool planar = false;     ///< ring and cross in the plane of the figure
  int goal = -1;           ///< id
  Grip grip = Grip::Target;  ///< of the ball
};
void appendTarget(const TargetMark& mark, DrawList& list);

/// Green or red, lighter under the cursor, faint for what waits.
Color targetColor(bool met, bool hovered, bool faint);

/// How a joint turns: one ring for a hinge, three for a ball (x red, y green, z blue), an arrow for a slide.
void appendRotationAxes(const Figure& figure, const Kinematics& kinematics, int joint, double radius, DrawList& list);

/// The amber ring around a joint on its limit.
void appendLimitMark(const Figure& figure, const Kinematics& kinematics, int joint, double radius, DrawList& list);

}  // namespace limber::render
