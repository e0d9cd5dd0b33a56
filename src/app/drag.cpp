// SPDX-License-Identifier: MIT
#include "app/drag.h"

#include <Eigen/Geometry>
#include <cmath>
#include <utility>

#include "posing/held_feet.h"

namespace limber::app {

namespace {

constexpr double kGrazing = 0.05;   // sine between ray and plane below which the plane gives no useful point
constexpr double kFromAbove = 0.2;  // sine between the line of sight and the ground from which on a hand moves along it

/// The root of a figure that stands free in the world: dragging it moves the whole body.
bool movesWholeFigure(const Figure& figure, int link) {
  return figure.link(link).parent < 0 && figure.joint(link).type == JointType::Free;
}

int linkOf(const Document& document, const Hit& hit) {
  const GoalItem* goal = findGoal(document, hit.goal);
  return goal ? goal->link : hit.link;
}

}  // namespace

std::optional<Eigen::Vector3d> meetPlane(const render::View& view, double x, double y, const Eigen::Vector3d& point,
                                         const Eigen::Vector3d& normal) {
  const render::Ray ray = render::rayThroughPixel(view, x, y);
  const double across = ray.direction.dot(normal);
  if (!(std::abs(across) > kGrazing)) return std::nullopt;
  const double t = (point - ray.origin).dot(normal) / across;
  if (!(t > 0.0)) return std::nullopt;
  return ray.origin + t * ray.direction;
}

Drag beginDrag(const Document& document, const Kinematics& kinematics, const Hit& hit, const render::View& view,
               double x, double y) {
  Drag drag;
  drag.before = document;
  drag.goal = hit.goal;
  if (hit.grip == render::Grip::PathPoint) drag.pathPoint = hit.part;
  drag.planePoint = hit.point;
  drag.planeNormal = -render::forwardDirection(view);
  if (document.figure->isPlanar() && std::abs(drag.planeNormal.z()) > kGrazing) {
    drag.planeNormal = Eigen::Vector3d::UnitZ();
    drag.planePoint.z() = 0.0;
  }
  const GoalItem* goal = findGoal(document, hit.goal);
  if (goal && drag.pathPoint < 0 && goal->type == GoalType::CentreOfMass && std::abs(drag.planeNormal.y()) > kFromAbove)
    drag.planeNormal = Eigen::Vector3d::UnitY();
  if (goal && drag.pathPoint < 0) drag.handle = takeHandle(document, kinematics, hit, view, x, y);
  drag.target = drag.planePoint;
  drag.offset.setZero();
  if (const auto met = meetPlane(view, x, y, drag.planePoint, drag.planeNormal)) drag.offset = drag.planePoint - *met;

  drag.request.startPose = document.pose;
  drag.obstacle = takeObstacle(document, hit, view, x, y);
  if (hit.obstacle >= 0) return drag;
  const int link = linkOf(document, hit);
  if (hit.goal < 0) {
    const Transform& worldFromLink = kinematics.worldFromLink[static_cast<std::size_t>(link)];
    drag.request.drag = DragGoal{link, worldFromLink.inverse() * drag.planePoint, drag.planePoint, 1.0};
  }
  if (movesWholeFigure(*document.figure, link)) {
    drag.request.freeRoot = true;
    if (document.pins.empty()) drag.request.holds = heldFeet(*document.figure, kinematics);
  }
  return drag;
}

bool moveDrag(Drag& drag, Document& document, const render::View& view, double x, double y) {
  GoalItem* goal = findGoal(document, drag.goal);
  drag.request.followsLast = std::exchange(drag.hasMoved, true);
  if (drag.obstacle) {
    Obstacle* obstacle = findObstacle(document, drag.obstacle->before.id);
    return obstacle && moveObstacle(*drag.obstacle, view, x, y, *obstacle);
  }
  if (drag.handle) return goal && moveHandle(*drag.handle, view, x, y, *goal);
  const auto met = meetPlane(view, x, y, drag.planePoint, drag.planeNormal);
  if (!met || !met->allFinite()) return false;
  drag.target = *met + drag.offset;
  if (drag.request.drag) drag.request.drag->target = drag.target;
  if (drag.pathPoint >= 0) {
    movePathPoint(document, drag.goal, drag.pathPoint, drag.target);
    followPath(document, drag.goal);
  } else if (goal) {
    goal->target = drag.target;
  }
  return true;
}

}  // namespace limber::app
