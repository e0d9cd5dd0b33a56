// SPDX-License-Identifier: MIT
#include "render/strokes.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>

#include "render/palette.h"

namespace limber::render {

namespace {

constexpr double kMaxDashes = 200.0;
constexpr double kBarb = 0.45;  // width of a head, relative to its length
constexpr int kShackleSegments = 8;

}  // namespace

Stroke colored(Stroke stroke, const Color& color) {
  stroke.color = color;
  return stroke;
}

Stroke thicker(Stroke stroke, double times) {
  stroke.thickness *= times;
  return stroke;
}

Stroke gripped(Stroke stroke, Grip grip) {
  stroke.grip = grip;
  return stroke;
}

void appendLine(const Eigen::Vector3d& start, const Eigen::Vector3d& end, const Stroke& stroke, DrawList& list) {
  list.capsules.push_back(
      {start, end, stroke.thickness, stroke.color, Layer::Overlay, -1, stroke.goal, stroke.grip, stroke.part});
}

void appendBall(const Eigen::Vector3d& centre, double radius, const Stroke& stroke, DrawList& list) {
  list.capsules.push_back(
      {centre, centre, radius, stroke.color, Layer::Overlay, -1, stroke.goal, stroke.grip, stroke.part});
}

void appendDashes(const Eigen::Vector3d& start, const Eigen::Vector3d& end, double dash, const Stroke& stroke,
                  DrawList& list) {
  const double length = (end - start).norm();
  if (!(length > 0.0) || !(dash > 0.0)) return;
  const int dashes = 1 + static_cast<int>(std::min(0.5 * length / dash, kMaxDashes));
  const Eigen::Vector3d step = (end - start) / (2 * dashes - 1);
  for (int i = 0; i < dashes; ++i) appendLine(start + 2 * i * step, start + (2 * i + 1) * step, stroke, list);
}

void appendArc(const Eigen::Vector3d& centre, const Eigen::Vector3d& arm, const Eigen::Vector3d& axis, double angle,
               int segments, const Stroke& stroke, DrawList& list) {
  Eigen::Vector3d previous = centre + arm;
  for (int i = 1; i <= segments; ++i) {
    const Eigen::Vector3d next = centre + Eigen::AngleAxisd(angle * i / segments, axis) * arm;
    appendLine(previous, next, stroke, list);
    previous = next;
  }
}

void appendRing(const Eigen::Vector3d& centre, const Eigen::Vector3d& axis, double radius, int segments,
                const Stroke& stroke, DrawList& list) {
  const Eigen::Vector3d normal = axis.norm() > 0.0 ? Eigen::Vector3d(axis.normalized()) : Eigen::Vector3d::UnitY();
  appendArc(centre, radius * normal.unitOrthogonal(), normal, 2.0 * std::numbers::pi, segments, stroke, list);
}

void appendArrow(const Eigen::Vector3d& start, const Eigen::Vector3d& end, double head, const Stroke& stroke,
                 DrawList& list) {
  const Eigen::Vector3d way = end - start;
  if (!(way.norm() > 0.0)) return;
  const Eigen::Vector3d along = way.normalized(), side = along.unitOrthogonal(), other = along.cross(side);
  appendLine(start, end, stroke, list);
  for (const Eigen::Vector3d& off : {side, other, Eigen::Vector3d(-side), Eigen::Vector3d(-other)})
    appendLine(end, end + head * (kBarb * off - along), stroke, list);
}

void appendSquare(const Eigen::Vector3d& centre, const Eigen::Vector3d& u, const Eigen::Vector3d& v,
                  const Stroke& stroke, DrawList& list) {
  const Eigen::Vector3d corners[] = {centre + u + v, centre - u + v, centre - u - v, centre + u - v};
  for (int i = 0; i < 4; ++i) appendLine(corners[i], corners[(i + 1) % 4], stroke, list);
}

void appendTriad(const Eigen::Vector3d& centre, const Eigen::Matrix3d& frame, double length, const Stroke& stroke,
                 DrawList& list) {
  for (int axis = 0; axis < 3; ++axis)
    appendLine(centre, centre + length * frame.col(axis),
               colored(stroke, withAlpha(kAxisColors[axis], stroke.color.alpha)), list);
}

void appendPadlock(const Eigen::Vector3d& foot, const Eigen::Vector3d& right, const Eigen::Vector3d& up, double size,
                   const Stroke& stroke, DrawList& list) {
  const Stroke thick = thicker(stroke, 2.0);
  for (const double height : {0.3, 0.7, 1.1})  // three bars make a body
    appendLine(foot + size * (height * up - right), foot + size * (height * up + right), thick, list);
  appendShackle(foot, right, up, size, stroke, list);
}

void appendShackle(const Eigen::Vector3d& foot, const Eigen::Vector3d& right, const Eigen::Vector3d& up, double size,
                   const Stroke& stroke, DrawList& list) {
  const Eigen::Vector3d top = foot + 1.4 * size * up;
  appendArc(top, 0.7 * size * right, right.cross(up), std::numbers::pi, kShackleSegments, thicker(stroke, 1.3), list);
}

ScreenAxes screenAxes(const View* view) {
  if (!view) return {};
  const Eigen::Matrix4d camera = cameraFromWorld(*view);
  return {camera.block<1, 3>(0, 0).transpose(), camera.block<1, 3>(1, 0).transpose()};
}

}  // namespace limber::render
