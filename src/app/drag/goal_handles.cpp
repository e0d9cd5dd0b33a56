// SPDX-License-Identifier: MIT
#include "app/drag/goal_handles.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "limber/kinematics/shortest_turn.h"
#include "limber/problem/goal_place.h"
#include "limber/problem/goal_types.h"

namespace limber::app {

namespace {

using render::Grip;
using Kind = Handle::Kind;

constexpr double kAlongAxis = 0.05;  // sine between ray and axis below which the ray gives no useful point of the axis

bool isBound(Grip grip) { return grip == Grip::Shortest || grip == Grip::Longest; }

/// The point of the ball that is under the cursor, or nearest to it.
Eigen::Vector3d onBall(const render::Ray& ray, const Eigen::Vector3d& centre, double radius, bool isBehind) {
  const double along = (centre - ray.origin).dot(ray.direction);
  const Eigen::Vector3d nearest = ray.origin + along * ray.direction, off = nearest - centre;
  const double inside = radius * radius - off.squaredNorm();
  if (inside > 0.0) return nearest + (isBehind ? 1.0 : -1.0) * std::sqrt(inside) * ray.direction;
  return centre + radius * off.normalized();
}

/// The coordinate on the axis (metres from `centre`) that is nearest to the ray; nothing if they are almost parallel.
std::optional<double> alongAxis(const render::Ray& ray, const Eigen::Vector3d& centre, const Eigen::Vector3d& axis) {
  const Eigen::Vector3d w = centre - ray.origin;
  const double cosine = axis.dot(ray.direction), squaredSine = 1.0 - cosine * cosine;
  if (!(squaredSine > kAlongAxis * kAlongAxis)) return std::nullopt;
  return (w.dot(ray.direction) * cosine - w.dot(axis)) / squaredSine;
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

/// Neither bound passes the other; equal bounds stay equal.
void setBound(Grip grip, double value, const Interval& before, Interval& distance) {
  value = std::max(value, 0.0);
  distance = before;
  if (before.lower == before.upper) distance = {value, value};
  else if (grip == Grip::Shortest) distance.lower = std::min(value, before.upper);
  else distance.upper = std::max(value, before.lower);
}

}  // namespace

bool hasMovableTarget(const GoalItem& goal) { return infoOf(goal.type).target && !isTied(goal); }

bool isDraggable(const Document& document, const Hit& hit) {
  if (hit.goal < 0) return hit.link >= 0 || hit.obstacle >= 0;
  const GoalItem* goal = findGoal(document, hit.goal);
  if (!goal || hit.grip == Grip::None || hit.grip == Grip::Mark || hit.grip == Grip::PathCurve) return false;
  return hit.grip != Grip::Target || hasMovableTarget(*goal);
}

Eigen::Vector3d turnCentreOf(const Document& document, const Kinematics& kinematics, const GoalItem& goal) {
  return infoOf(goal.type).target ? goal.target : placeOfGoal(document, kinematics, goal).point;
}

std::optional<Handle> takeHandle(const Document& document, const Kinematics& kinematics, const Hit& hit,
                                 const render::View& view, double x, double y) {
  const GoalItem* goal = findGoal(document, hit.goal);
  if (!goal || !isDraggable(document, hit) || (hit.grip != Grip::Tip && !isBound(hit.grip))) return std::nullopt;
  Handle handle;
  handle.grip = hit.grip;
  handle.before = *goal;
  bool isTaken = false;
  if (isBound(hit.grip)) {
    handle.centre = otherPointOf(kinematics, *goal);
    isTaken = takeLength(handle, placeOfGoal(document, kinematics, *goal).point, view, x, y);
  } else {
    handle.centre = turnCentreOf(document, kinematics, *goal);
    isTaken = takePoint(handle, hit, view, x, y);
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
  const Eigen::Vector3d arm = handle.from - handle.centre;
  const Eigen::Vector3d to = onBall(ray, handle.centre, arm.norm(), handle.isBehind) - handle.centre;
  const Eigen::Matrix3d frame = shortestTurn(arm, to) * handle.before.targetFrame;
  if (!frame.allFinite()) return false;
  goal.targetFrame = frame;
  return true;
}

}  // namespace limber::app
