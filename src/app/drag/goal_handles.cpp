// SPDX-License-Identifier: MIT
#include "app/drag/goal_handles.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/drag/drag.h"
#include "limber/kinematics/shortest_turn.h"
#include "limber/problem/goal_place.h"
#include "limber/problem/goal_types.h"

namespace limber::app {

namespace {

using render::Grip;

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

/// The coordinate on the axis (metres from `centre`) that is nearest to the ray; empty if they are almost parallel.
std::optional<double> alongAxis(const render::Ray& ray, const Eigen::Vector3d& centre, const Eigen::Vector3d& axis) {
  const Eigen::Vector3d w = centre - ray.origin;
  const double cosine = axis.dot(ray.direction), squaredSine = 1.0 - cosine * cosine;
  if (!(squaredSine > kAlongAxis * kAlongAxis)) return std::nullopt;
  return (w.dot(ray.direction) * cosine - w.dot(axis)) / squaredSine;
}

/// Sets a bound so that neither passes the other; equal bounds stay equal.
void setBound(Grip grip, double value, const Interval& before, Interval& distance) {
  value = std::max(value, 0.0);
  distance = before;
  if (before.lower == before.upper) distance = {value, value};
  else if (grip == Grip::Shortest) distance.lower = std::min(value, before.upper);
  else distance.upper = std::max(value, before.lower);
}

/// A drag that changes a goal by the cursor's ray.
struct HandleDrag : Drag {
  HandleDrag(const Document& document, const GoalItem& goal, const Press& press)
      : Drag(document, press.grip, makeDragged(document, Subject::Goal, goal.id)) {}

 protected:
  bool follow(Document& document, const render::View& view, double x, double y, const Modifiers&) override {
    GoalItem* goal = findGoal(document, dragged->goal);
    return goal && change(*goal, *findGoal(before, dragged->goal), render::rayThroughPixel(view, x, y));
  }
  virtual bool change(GoalItem& goal, const GoalItem& was, const render::Ray& ray) const = 0;
};

/// A tip turns about `centre` like a ball under the cursor.
struct TipDrag : HandleDrag {
  TipDrag(const Document& document, const GoalItem& goal, const Press& press, const Eigen::Vector3d& centre)
      : HandleDrag(document, goal, press), centre_(centre),
        isBehind_((press.point - centre).dot(press.point - press.view.eye) > 0.0),
        from_(onBall(press.ray(), centre, (press.point - centre).norm(), isBehind_)) {}

 protected:
  bool change(GoalItem& goal, const GoalItem& was, const render::Ray& ray) const override {
    const Eigen::Vector3d arm = from_ - centre_;
    if (grip != Grip::Tip || !(arm.norm() > 0.0)) return false;
    const Eigen::Vector3d to = onBall(ray, centre_, arm.norm(), isBehind_) - centre_;
    const Eigen::Matrix3d frame = shortestTurn(arm, to) * was.targetFrame;
    if (frame.allFinite()) goal.targetFrame = frame;
    return frame.allFinite();
  }

 private:
  Eigen::Vector3d centre_;
  bool isBehind_;         ///< grabbed on the far side of the ball
  Eigen::Vector3d from_;  ///< the grabbed point
};

/// A washer sets the distance from `centre`, on the line to a place.
struct WasherDrag : HandleDrag {
  WasherDrag(const Document& document, const GoalItem& goal, const Press& press, const Eigen::Vector3d& centre,
             const Eigen::Vector3d& place)
      : HandleDrag(document, goal, press), centre_(centre) {
    if ((place - centre).norm() > 0.0) axis_ = (place - centre).normalized();
    if (const auto along = alongAxis(press.ray(), centre, axis_))
      offset_ = (grip == Grip::Shortest ? goal.distance.lower : goal.distance.upper) - *along;
  }

 protected:
  bool change(GoalItem& goal, const GoalItem& was, const render::Ray& ray) const override {
    const auto along = alongAxis(ray, centre_, axis_);
    if (!along || !offset_) return false;
    setBound(grip, *along + *offset_, was.distance, goal.distance);
    return true;
  }

 private:
  Eigen::Vector3d centre_, axis_ = Eigen::Vector3d::UnitY();
  std::optional<double> offset_;  ///< from the cursor to the bound, metres; empty if the cursor cannot move it
};

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

std::unique_ptr<Drag> beginHandleDrag(const Document& document, const Kinematics& kinematics, const Hit& hit,
                                      const Press& press) {
  const GoalItem& goal = *findGoal(document, hit.goal);
  if (!isBound(hit.grip))
    return std::make_unique<TipDrag>(document, goal, press, turnCentreOf(document, kinematics, goal));
  return std::make_unique<WasherDrag>(document, goal, press, otherPointOf(kinematics, goal),
                                      placeOfGoal(document, kinematics, goal).point);
}

}  // namespace limber::app
