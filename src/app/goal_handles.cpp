// SPDX-License-Identifier: MIT
#include "app/goal_handles.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "app/drag.h"
#include "kinematics/shortest_turn.h"
#include "scene/goal_place.h"

namespace limber::app {

namespace {

using render::Grip;
using Kind = Handle::Kind;

constexpr double kEdgeOn = 0.2;      // sine between ray and ring below which the ring's plane gives no useful angle
constexpr double kAlongAxis = 0.05;  // sine between ray and axis below which no point of the axis is meant

bool turnsInPlace(const GoalItem& goal) {
  return goal.type == GoalType::Orientation || goal.type == GoalType::Direction;
}

bool isBound(Grip grip) { return grip == Grip::Shortest || grip == Grip::Longest; }

/// The point of the ball that is under the cursor, or nearest to it.
Eigen::Vector3d onBall(const render::Ray& ray, const Eigen::Vector3d& centre, double radius, bool isBehind) {
  const double along = (centre - ray.origin).dot(ray.direction);
  const Eigen::Vector3d nearest = ray.origin + along * ray.direction, off = nearest - centre;
  const double inside = radius * radius - off.squaredNorm();
  if (inside > 0.0) return nearest + (isBehind ? 1.0 : -1.0) * std::sqrt(inside) * ray.direction;
  return centre + radius * off.normalized();
}

/// How far along the axis the ray passes it.
std::optional<double> alongAxis(const render::Ray& ray, const Eigen::Vector3d& centre, const Eigen::Vector3d& axis) {
  const Eigen::Vector3d w = centre - ray.origin;
  const double cosine = axis.dot(ray.direction), squaredSine = 1.0 - cosine * cosine;
  if (!(squaredSine > kAlongAxis * kAlongAxis)) return std::nullopt;
  return (w.dot(ray.direction) * cosine - w.dot(axis)) / squaredSine;
}

double angleFrom(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& axis) {
  return std::atan2(axis.dot(a.cross(b)), a.dot(b) - a.dot(axis) * b.dot(axis));
}

Eigen::Vector3d turnAxis(const GoalItem& goal, Grip grip, const render::View& view) {
  switch (grip) {
    case Grip::TurnX: return goal.targetFrame.col(0);
    case Grip::TurnY: return goal.targetFrame.col(1);
    case Grip::TurnZ: return goal.targetFrame.col(2);
    default: return render::forwardDirection(view);
  }
}

/// A ring: what the cursor's ray meets in its plane, or the ring's own point when the plane is seen edge on.
bool takeTurn(Handle& handle, const Hit& hit, const render::View& view, double x, double y) {
  const render::Ray ray = render::rayThroughPixel(view, x, y);
  const auto met = meetPlane(view, x, y, handle.centre, handle.axis);
  const bool isEdgeOn = std::abs(ray.direction.dot(handle.axis)) < kEdgeOn || !met;
  handle.kind = isEdgeOn ? Kind::TurnEdge : Kind::Turn;
  handle.from = isEdgeOn ? hit.point : *met;
  return (handle.from - handle.centre).norm() > 0.0;
}

bool takePoint(Handle& handle, const Hit& hit, const render::View& view, double x, double y) {
  const double radius = (hit.point - handle.centre).norm();
  handle.kind = Kind::Point;
  handle.isBehind = (hit.point - handle.centre).dot(hit.point - view.eye) > 0.0;
  handle.from = onBall(render::rayThroughPixel(view, x, y), handle.centre, radius, handle.isBehind);
  return radius > 0.0;
}

bool takeLength(Handle& handle, const Eigen::Vector3d& point, const render::View& view, double x, double y) {
  const Eigen::Vector3d way = point - handle.centre;
  handle.kind = Kind::Length;
  handle.axis = way.norm() > 0.0 ? Eigen::Vector3d(way.normalized()) : Eigen::Vector3d::UnitY();
  const auto along = alongAxis(render::rayThroughPixel(view, x, y), handle.centre, handle.axis);
  if (!along) return false;
  const Interval& distance = handle.before.distance;
  handle.offset = (handle.grip == Grip::Shortest ? distance.lower : distance.upper) - *along;
  return true;
}

/// The angle that the cursor has turned a ring by.
std::optional<double> turnedBy(const Handle& handle, const render::View& view, double x, double y) {
  const Eigen::Vector3d arm = handle.from - handle.centre;
  if (handle.kind == Kind::Turn) {
    const auto met = meetPlane(view, x, y, handle.centre, handle.axis);
    if (!met) return std::nullopt;
    return angleFrom(arm, *met - handle.centre, handle.axis);
  }
  const auto met = meetPlane(view, x, y, handle.from, render::forwardDirection(view));
  if (!met) return std::nullopt;
  return (*met - handle.from).dot(handle.axis.cross(arm)) / arm.squaredNorm();
}

/// Neither bound passes the other; equal bounds stay equal.
void setBound(Grip grip, double value, const Interval& before, Interval& distance) {
  value = std::max(value, 0.0);
  distance = before;
  if (before.lower == before.upper) distance = {value, value};
  else if (grip == Grip::Shortest) distance.lower = std::min(value, before.upper);
  else distance.upper = std::max(value, before.lower);
}

}  // namespace

bool hasMovableTarget(const GoalItem& goal) {
  switch (goal.type) {
    case GoalType::Orientation:
    case GoalType::Direction:
    case GoalType::Relative:
    case GoalType::KeepPose: return false;
    case GoalType::Distance: return goal.otherLink < 0;
    default: return true;
  }
}

bool isDraggable(const Document& document, const Hit& hit) {
  if (hit.goal < 0) return hit.link >= 0 || hit.obstacle >= 0;
  const GoalItem* goal = findGoal(document, hit.goal);
  if (!goal || hit.grip == Grip::None || hit.grip == Grip::Mark || hit.grip == Grip::PathCurve) return false;
  return hit.grip != Grip::Target || hasMovableTarget(*goal);
}

std::optional<Handle> takeHandle(const Document& document, const Kinematics& kinematics, const Hit& hit,
                                 const render::View& view, double x, double y) {
  const GoalItem* goal = findGoal(document, hit.goal);
  if (!goal || !isDraggable(document, hit) || hit.grip == Grip::Target || hit.grip == Grip::PathPoint)
    return std::nullopt;
  const Eigen::Vector3d point = placeOfGoal(document, kinematics, *goal).point;
  Handle handle;
  handle.grip = hit.grip;
  handle.before = *goal;
  handle.centre = isBound(hit.grip) ? otherPointOf(kinematics, *goal) : turnsInPlace(*goal) ? point : goal->target;
  bool isTaken = false;
  if (isBound(hit.grip)) {
    isTaken = takeLength(handle, point, view, x, y);
  } else if (hit.grip == Grip::Tip && !document.figure->isPlanar()) {
    isTaken = takePoint(handle, hit, view, x, y);
  } else {  // the tip of a planar figure's goal turns in its plane
    handle.axis = hit.grip == Grip::Tip ? Eigen::Vector3d::UnitZ() : turnAxis(*goal, hit.grip, view);
    isTaken = takeTurn(handle, hit, view, x, y);
  }
  return isTaken ? std::optional(handle) : std::nullopt;
}

bool moveHandle(const Handle& handle, const render::View& view, double x, double y, GoalItem& goal) {
  const render::Ray ray = render::rayThroughPixel(view, x, y);
  if (handle.kind == Kind::Length) {
    const auto along = alongAxis(ray, handle.centre, handle.axis);
    if (along) setBound(handle.grip, *along + handle.offset, handle.before.distance, goal.distance);
    return along.has_value();
  }
  Eigen::Quaterniond turn;
  if (handle.kind == Kind::Point) {
    const Eigen::Vector3d arm = handle.from - handle.centre;
    const Eigen::Vector3d to = onBall(ray, handle.centre, arm.norm(), handle.isBehind) - handle.centre;
    turn = shortestTurn(arm, to);
  } else {
    const auto angle = turnedBy(handle, view, x, y);
    if (!angle) return false;
    turn = Eigen::AngleAxisd(*angle, handle.axis);
  }
  const Eigen::Matrix3d frame = turn * handle.before.targetFrame;
  if (!frame.allFinite()) return false;
  goal.targetFrame = frame;
  return true;
}

}  // namespace limber::app
