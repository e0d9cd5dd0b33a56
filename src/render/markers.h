// SPDX-License-Identifier: MIT
// Marks that others are made of: targets, limits, rotation axes. All are in the Overlay layer.
#pragma once

#include "render/draw_list.h"

namespace limber::render {

/// The length of `count` pixels of a display without scaling, metres; 0 if the view is not known.
double pixels(const Highlight& highlight, double count, const Eigen::Vector3d& place);

/// A target, whose shape shows the same as its colour.
struct TargetMark {
  Eigen::Vector3d target = Eigen::Vector3d::Zero();  ///< world
  Eigen::Vector3d from = Eigen::Vector3d::Zero();    ///< start of the residual's line, world
  Eigen::Vector3d wanted = Eigen::Vector3d::Zero();  ///< its end; no line if both are equal
  double size = 0.1;                                 ///< radius of the ball, metres
  bool met = false;    ///< green ball with a ring; else red ball with a cross and the residual's line
  bool faint = false;  ///< in forward mode
  bool hovered = false;
  bool selected = false;     ///< another ring, in the accent colour
  bool planar = false;       ///< ring and cross in the plane of the figure
  int goal = -1;             ///< id
  Grip grip = Grip::Target;  ///< of the ball
};
void appendTarget(const TargetMark& mark, DrawList& list);

/// Green or red, lighter if hovered, translucent if faint.
Color targetColor(bool met, bool hovered, bool faint);

/// The axes of a joint: one ring for a hinge, three for a ball (x red, y green, z blue), a line for a slide.
void appendRotationAxes(const Figure& figure, const Kinematics& kinematics, int joint, double radius, DrawList& list);

/// The amber ball and ring of a joint at its limit.
void appendLimitMark(const Figure& figure, const Kinematics& kinematics, int joint, double radius, DrawList& list);

}  // namespace limber::render
