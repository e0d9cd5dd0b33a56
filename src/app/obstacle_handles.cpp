// SPDX-License-Identifier: MIT
#include "app/obstacle_handles.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/drag.h"
#include "render/obstacle_shapes.h"

namespace limber::app {

namespace {

using render::Grip;

constexpr double kGroundFromAbove = 0.2;  // sine between the line of sight and the ground: as for a centre of mass
constexpr double kAlongKnob = 0.05;       // sine between ray and axis below which no point of the axis is meant
constexpr double kLeastSize = 0.01;       // of what it was at mouse-down
constexpr double kBoxSize = 0.25;         // of the figure's, each edge
constexpr double kInFront = 0.3;          // of the figure's size: where a new one stands

bool isKnob(Grip grip) { return grip >= Grip::SizeLowX && grip <= Grip::SizeHighZ; }
int axisOf(Grip grip) { return (static_cast<int>(grip) - static_cast<int>(Grip::SizeLowX)) / 2; }

/// The point of the line through `point` along `axis` that the cursor's ray passes closest.
std::optional<Eigen::Vector3d> onAxis(const render::View& view, double x, double y, const Eigen::Vector3d& point,
                                      const Eigen::Vector3d& axis) {
  const render::Ray ray = render::rayThroughPixel(view, x, y);
  const Eigen::Vector3d w = point - ray.origin;
  const double cosine = axis.dot(ray.direction), squaredSine = 1.0 - cosine * cosine;
  if (!(squaredSine > kAlongKnob * kAlongKnob)) return std::nullopt;
  return point + (w.dot(ray.direction) * cosine - w.dot(axis)) / squaredSine * axis;
}

std::optional<Eigen::Vector3d> under(const ObstacleHold& hold, const render::View& view, double x, double y) {
  const bool isBody = hold.grip == Grip::None && hold.before.shape != Obstacle::Shape::Plane;
  return isBody ? meetPlane(view, x, y, hold.point, hold.normal) : onAxis(view, x, y, hold.point, hold.axis);
}

/// One side moved by `way` metres outward, the one across from it in place.
void stretch(const ObstacleHold& hold, double way, Obstacle& obstacle) {
  const int axis = axisOf(hold.grip);
  const auto knobs = render::knobsOf(hold.before);
  const auto low = static_cast<std::size_t>(2 * axis);
  const double extent = (knobs[low + 1].place - knobs[low].place).norm();
  const bool isHigh = (static_cast<int>(hold.grip) - static_cast<int>(Grip::SizeLowX)) % 2 == 1;
  const double factor = std::max(1.0 + way / extent, kLeastSize);
  obstacle.size[axis] = factor * hold.before.size[axis];
  const Eigen::Vector3d fixedBefore = knobs[low + (isHigh ? 0 : 1)].place;
  const Eigen::Vector3d fixedNow = render::knobsOf(obstacle)[low + (isHigh ? 0 : 1)].place;
  obstacle.worldFromObstacle.translation += fixedBefore - fixedNow;
}

}  // namespace

std::optional<ObstacleHold> takeObstacle(const Document& document, const Hit& hit, const render::View& view, double x,
                                         double y) {
  const Obstacle* obstacle = findObstacle(document, hit.obstacle);
  if (!obstacle) return std::nullopt;
  ObstacleHold hold{.grip = hit.grip, .before = *obstacle, .point = hit.point};
  hold.normal = -render::forwardDirection(view);
  if (std::abs(hold.normal.y()) > kGroundFromAbove) hold.normal = Eigen::Vector3d::UnitY();
  if (isKnob(hit.grip))
    hold.axis = render::knobsOf(*obstacle)[static_cast<std::size_t>(hit.grip) -
                                          static_cast<std::size_t>(Grip::SizeLowX)].outward;
  else if (obstacle->shape == Obstacle::Shape::Plane && hit.grip == Grip::None)
    hold.axis = obstacle->worldFromObstacle.rotation.col(1);
  const auto met = under(hold, view, x, y);
  if (!met) return std::nullopt;
  hold.offset = hold.point - *met;
  return hold;
}

bool moveObstacle(const ObstacleHold& hold, const render::View& view, double x, double y, Obstacle& obstacle) {
  const auto met = under(hold, view, x, y);
  if (!met || !met->allFinite()) return false;
  const Eigen::Vector3d way = *met + hold.offset - hold.point;
  obstacle.size = hold.before.size;
  obstacle.worldFromObstacle = hold.before.worldFromObstacle;
  if (isKnob(hold.grip)) stretch(hold, way.dot(hold.axis), obstacle);
  else obstacle.worldFromObstacle.translation += way;
  return true;
}

Obstacle newBox(double figureSize, double groundHeight) {
  Obstacle box{.name = "box"};
  box.size.setConstant(kBoxSize * figureSize);
  box.worldFromObstacle.translation =
      Eigen::Vector3d(0.0, groundHeight + 0.5 * box.size.y(), kInFront * figureSize);
  return box;
}

Obstacle newFloor(double groundHeight) {
  Obstacle floor{.name = "floor", .shape = Obstacle::Shape::Plane};
  floor.worldFromObstacle.translation.y() = groundHeight;
  return floor;
}

Obstacle newWall(double figureSize) {
  Obstacle wall{.name = "wall", .shape = Obstacle::Shape::Plane};
  wall.worldFromObstacle.translation.z() = -kInFront * figureSize;
  wall.worldFromObstacle.rotation =
      Eigen::AngleAxisd(0.5 * std::numbers::pi, Eigen::Vector3d::UnitX()).toRotationMatrix();  // y to z
  return wall;
}

}  // namespace limber::app
