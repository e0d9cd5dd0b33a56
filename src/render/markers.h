// SPDX-License-Identifier: MIT
// Rings, crosses and lines made of the one primitive, and the marks built from them: targets, limits, rotation axes.
// All are of the Overlay layer.
#pragma once

#include "render/draw_list.h"

namespace limber::render {

/// A circle of thin capsules about `axis` (need not be unit; zero counts as y).
void appendRing(const Eigen::Vector3d& centre, const Eigen::Vector3d& axis, double radius, double thickness,
                const Color& color, int segments, DrawList& list);

/// What a target looks like: the shape says what the colour says.
struct TargetMark {
  Eigen::Vector3d target = Eigen::Vector3d::Zero();       ///< world
  Eigen::Vector3d endEffector = Eigen::Vector3d::Zero();  ///< world
  double size = 0.1;       ///< radius of the ball, metres
  bool met = false;        ///< green ball with a ring; else red ball with a cross and a line to the end effector
  bool faint = false;      ///< forward mode: the targets wait
  bool hovered = false;
  bool selected = false;   ///< one more ring, in the accent colour
  bool planar = false;     ///< ring and cross in the plane of the figure
  int goal = -1;           ///< id
};
void appendTarget(const TargetMark& mark, DrawList& list);

/// How a joint turns: one ring for a hinge, three for a ball (x red, y green, z blue), an arrow for a slide.
void appendRotationAxes(const Figure& figure, const Kinematics& kinematics, int joint, double radius, DrawList& list);

/// The amber ring around a joint on its limit.
void appendLimitMark(const Figure& figure, const Kinematics& kinematics, int joint, double radius, DrawList& list);

}  // namespace limber::render
