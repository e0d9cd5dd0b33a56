// SPDX-License-Identifier: MIT
#include "render/gizmo_marks.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "render/palette.h"
#include "render/strokes.h"

namespace limber::render {

namespace {

// Sizes, in gizmo lengths unless a comment says otherwise.
constexpr double kStrokePixels = 1.6;  // radius
constexpr double kHeldTimes = 1.7;     // in strokes: the part under the cursor or being dragged
constexpr double kArrowStart = 0.2;    // distance from the centre, where the target's ball is
constexpr double kArrowHead = 0.2;
constexpr int kHeadPieces = 8;
constexpr double kHeadFoot = 3.4;  // in strokes: radius of a head at its base
constexpr double kSquareAt = 0.42, kSquareHalf = 0.09;
constexpr double kOuterRing = 1.18;  // the ring that faces the eye
constexpr int kRingPieces = 64;
constexpr double kFarSide = -0.08;   // in radii: beginning of the far half, behind the centre
constexpr double kFaceOn = 0.85;     // cosine of the angle between ring's axis and line of sight: no far half
constexpr double kEndOn = 0.1;       // sine of the angle between arrow and line of sight: omitted
constexpr double kEdgeOn = 0.15;     // sine of the angle between square and line of sight: omitted
constexpr double kRingEdgeOn = 0.2;  // the same for a ring, which then looks like a bar
constexpr float kEdgeOnAlpha = 0.45f, kFarAlpha = 0.22f, kRestingAlpha = 0.3f;
constexpr double kLockLength = 30.0;  // in each direction
constexpr int kPiePieces = 48;
constexpr double kInFront = 0.1;  // relative to the distance from the eye

/// A gizmo under construction.
struct Drawing {
  const GizmoMark& mark;
  double size;            // metres
  Eigen::Vector3d toEye;  // unit
  double thickness;       // metres
  DrawList& list;

  Stroke stroke(Color color, Grip grip) const {
    const bool isLit = grip == mark.lit;
    if (isLit) color = lighter(color);
    else if (mark.isHeld) color = withAlpha(color, kRestingAlpha);
    return {(isLit ? kHeldTimes : 1.0) * thickness, color, -1, grip};
  }
};

Grip nth(Grip first, int axis) { return static_cast<Grip>(static_cast<int>(first) + axis); }

Color colorOf(const GizmoMark& mark, int axis) { return mark.isJoint ? kAccent : kAxisColors[axis]; }

void appendMoveArrow(const Drawing& d, int axis) {
  const Eigen::Vector3d along = d.mark.axes.col(axis);
  if (along.cross(d.toEye).norm() < kEndOn) return;
  const Stroke stroke = d.stroke(colorOf(d.mark, axis), nth(Grip::MoveX, axis));
  const Eigen::Vector3d& centre = d.mark.centre;
  for (const double side : {-1.0, 1.0}) {
    if (side < 0.0 && !d.mark.isJoint) continue;  // a slide moves both ways
    const Eigen::Vector3d tip = centre + side * d.size * along;
    appendLine(centre + side * kArrowStart * d.size * along, tip, stroke, d.list);
    const Eigen::Vector3d neck = tip - side * kArrowHead * d.size * along;
    const Eigen::Vector3d piece = side * kArrowHead / kHeadPieces * d.size * along;
    for (int i = 0; i < kHeadPieces; ++i)  // a cone
      appendLine(neck + i * piece, neck + (i + 1) * piece, thicker(stroke, kHeadFoot * (1.0 - i / (kHeadPieces - 0.5))),
                 d.list);
  }
}

void appendMoveSquare(const Drawing& d, int axis) {
  if (std::abs(d.mark.axes.col(axis).dot(d.toEye)) < kEdgeOn) return;
  const Stroke stroke = d.stroke(kAxisColors[axis], nth(Grip::MoveYZ, axis));
  const Eigen::Vector3d u = d.mark.axes.col((axis + 1) % 3), v = d.mark.axes.col((axis + 2) % 3);
  const Eigen::Vector3d centre = d.mark.centre + kSquareAt * d.size * (u + v);
  const double half = kSquareHalf * d.size;
  appendSquare(centre, half * u, half * v, stroke, d.list);
  const Stroke fill = colored(thicker(stroke, 2.0), withAlpha(stroke.color, 0.5f * stroke.color.alpha));
  for (const double at : {-0.5, 0.0, 0.5})
    appendLine(centre + half * (at * u - 0.6 * v), centre + half * (at * u + 0.6 * v), fill, d.list);
}

void appendTurnRing(const Drawing& d, const Eigen::Vector3d& axis, double radius, const Color& color, Grip grip) {
  Stroke near = d.stroke(color, grip);
  if (grip != d.mark.lit && std::abs(axis.dot(d.toEye)) < kRingEdgeOn)  // thinner, to hide nothing
    near = colored(thicker(near, 0.6), withAlpha(near.color, kEdgeOnAlpha * near.color.alpha));
  const Color faint = withAlpha(near.color, kFarAlpha * near.color.alpha);
  const Stroke far = gripped(colored(thicker(near, 0.7), faint), Grip::None);
  const bool isSlanted = std::abs(axis.dot(d.toEye)) < kFaceOn;
  const Eigen::Vector3d arm = radius * axis.unitOrthogonal();
  Eigen::Vector3d previous = arm;
  for (int i = 1; i <= kRingPieces; ++i) {
    const Eigen::Vector3d next = Eigen::AngleAxisd(2.0 * std::numbers::pi * i / kRingPieces, axis) * arm;
    const bool isFar = isSlanted && 0.5 * (previous + next).dot(d.toEye) < kFarSide * radius;
    appendLine(d.mark.centre + previous, d.mark.centre + next, isFar ? far : near, d.list);
    previous = next;
  }
}

/// The sector through which the dragged ring has turned.
void appendPie(const Drawing& d) {
  if (!(d.mark.from.norm() > 0.0)) return;
  const Eigen::Vector3d arm = d.size * d.mark.from.normalized();
  const Stroke stroke{d.thickness, lighter(kAccent)};
  const double within = std::remainder(d.mark.turned, 2.0 * std::numbers::pi);
  const double shown = std::abs(d.mark.turned) < 2.0 * std::numbers::pi ? d.mark.turned : within;
  const Eigen::Vector3d now = Eigen::AngleAxisd(d.mark.turned, d.mark.axis) * arm;
  appendLine(d.mark.centre, d.mark.centre + arm, colored(stroke, withAlpha(stroke.color, 0.5f)), d.list);
  appendLine(d.mark.centre, d.mark.centre + now, stroke, d.list);
  appendArc(d.mark.centre, 0.5 * arm, d.mark.axis, shown, kPiePieces, stroke, d.list);
}

/// The point on the line of sight through another, `times` as far from the eye.
Eigen::Vector3d alongSight(const View& view, const Eigen::Vector3d& point, double times) {
  const auto pixel = projectToPixel(view, point);
  if (!pixel) return point;
  const Ray ray = rayThroughPixel(view, pixel->x(), pixel->y());
  return ray.origin + times * (point - ray.origin).dot(ray.direction) * ray.direction;
}

void bringInFront(const View& view, std::size_t first, DrawList& list) {
  for (std::size_t i = first; i < list.capsules.size(); ++i) {
    DrawCapsule& capsule = list.capsules[i];
    const Eigen::Vector3d was = capsule.start;
    capsule.start = inFront(view, capsule.start);
    capsule.end = inFront(view, capsule.end);
    capsule.radius *= pixelSize(view, capsule.start) / pixelSize(view, was);
  }
}

}  // namespace

Eigen::Vector3d inFront(const View& view, const Eigen::Vector3d& point) { return alongSight(view, point, kInFront); }
Eigen::Vector3d backInPlace(const View& view, const Eigen::Vector3d& point) {
  return alongSight(view, point, 1.0 / kInFront);
}

Eigen::Vector3d towardsEye(const View& view, const Eigen::Vector3d& point) {
  const auto pixel = projectToPixel(view, point);
  return pixel ? Eigen::Vector3d(-rayThroughPixel(view, pixel->x(), pixel->y()).direction)
               : Eigen::Vector3d(-forwardDirection(view));
}

void appendGizmo(const GizmoMark& mark, const View& view, double displayScale, DrawList& list) {
  const Eigen::Vector3d toEye = towardsEye(view, mark.centre);
  const double pixel = displayScale * pixelSize(view, mark.centre);
  const Drawing d{mark, kGizmoPixels * pixel, toEye, kStrokePixels * pixel, list};
  const std::size_t first = list.capsules.size();
  for (int axis = 0; axis < 3; ++axis) {
    if (mark.rings[axis]) appendTurnRing(d, mark.axes.col(axis), d.size, colorOf(mark, axis), nth(Grip::RingX, axis));
    if (mark.arrows[axis]) appendMoveArrow(d, axis);
    if (mark.squares[axis]) appendMoveSquare(d, axis);
  }
  if (mark.viewRing) appendTurnRing(d, toEye, kOuterRing * d.size, kQuietGrey, Grip::RingView);
  if (mark.isHeld) appendPie(d);
  bringInFront(view, first, list);
}

void appendLockLine(const Eigen::Vector3d& point, const Eigen::Vector3d& along, int axis, const View& view,
                    double displayScale, DrawList& list) {
  const double pixel = displayScale * pixelSize(view, point);
  const Eigen::Vector3d reach = kLockLength * kGizmoPixels * pixel * along;
  appendLine(point - reach, point + reach, {0.6 * kStrokePixels * pixel, withAlpha(kAxisColors[axis], 0.8f)}, list);
}

}  // namespace limber::render
