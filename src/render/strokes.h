// SPDX-License-Identifier: MIT
// Lines, rings, arrows and frames made of capsules, of which all marks consist. All are in the Overlay layer.
#pragma once

#include "render/draw_list.h"

namespace limber::render {

/// Thickness and colour of a line, and the mark to which it belongs.
struct Stroke {
  double thickness = 0.01;  ///< radius, metres
  Color color;
  int goal = -1;           ///< id
  Grip grip = Grip::None;  ///< part of the goal's mark
  int part = -1;           ///< index among several parts
};

/// The stroke with another colour, thickness or part.
Stroke colored(Stroke stroke, const Color& color);
Stroke thicker(Stroke stroke, double times);
Stroke gripped(Stroke stroke, Grip grip);

void appendLine(const Eigen::Vector3d& start, const Eigen::Vector3d& end, const Stroke& stroke, DrawList& list);
void appendBall(const Eigen::Vector3d& centre, double radius, const Stroke& stroke, DrawList& list);

/// A dashed line with dashes and gaps of about `dash` metres, at most 200; it begins and ends with a dash.
void appendDashes(const Eigen::Vector3d& start, const Eigen::Vector3d& end, double dash, const Stroke& stroke,
                  DrawList& list);

/// An arc through  centre + rotation(axis, k angle / segments) arm,  k = 0 to segments. axis: unit; angle: radians.
void appendArc(const Eigen::Vector3d& centre, const Eigen::Vector3d& arm, const Eigen::Vector3d& axis, double angle,
               int segments, const Stroke& stroke, DrawList& list);

/// A circle about `axis` (need not be unit; zero counts as y).
void appendRing(const Eigen::Vector3d& centre, const Eigen::Vector3d& axis, double radius, int segments,
                const Stroke& stroke, DrawList& list);

/// A line with a head of four barbs, each `head` metres long.
void appendArrow(const Eigen::Vector3d& start, const Eigen::Vector3d& end, double head, const Stroke& stroke,
                 DrawList& list);

/// The outline of the square with corners centre +- u +- v.
void appendSquare(const Eigen::Vector3d& centre, const Eigen::Vector3d& u, const Eigen::Vector3d& v,
                  const Stroke& stroke, DrawList& list);

/// The axes of a frame, x red, y green, z blue, with the stroke's opacity.
void appendTriad(const Eigen::Vector3d& centre, const Eigen::Matrix3d& frame, double length, const Stroke& stroke,
                 DrawList& list);

/// Unit vectors of a view's right and up, world; x and y if the view is not known.
struct ScreenAxes {
  Eigen::Vector3d right = Eigen::Vector3d::UnitX(), up = Eigen::Vector3d::UnitY();
};
ScreenAxes screenAxes(const View* view);

/// A padlock that stands on `foot`. `right` and `up` are unit; `size` is half its width.
void appendPadlock(const Eigen::Vector3d& foot, const Eigen::Vector3d& right, const Eigen::Vector3d& up, double size,
                   const Stroke& stroke, DrawList& list);

/// Only the padlock's shackle.
void appendShackle(const Eigen::Vector3d& foot, const Eigen::Vector3d& right, const Eigen::Vector3d& up, double size,
                   const Stroke& stroke, DrawList& list);

}  // namespace limber::render
