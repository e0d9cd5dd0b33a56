// SPDX-License-Identifier: MIT
#include "app/drag/obstacle_handles.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/obstacle_shapes.h"

namespace limber::app {

namespace {

using render::Grip;

constexpr double kLeastSize = 0.01;  // relative to mouse-down
constexpr double kBoxSize = 0.25;    // each edge, relative to the figure's size
constexpr double kInFront = 0.3;     // distance of a new obstacle, relative to the figure's size

bool isKnob(Grip grip) { return grip >= Grip::SizeLowX && grip <= Grip::SizeHighZ; }
int axisOf(Grip grip) { return (static_cast<int>(grip) - static_cast<int>(Grip::SizeLowX)) / 2; }

/// Moves one side outward by `way` metres; the opposite side stays.
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
  if (!obstacle || !isKnob(hit.grip)) return std::nullopt;
  const auto side = static_cast<std::size_t>(hit.grip) - static_cast<std::size_t>(Grip::SizeLowX);
  const Eigen::Vector3d outward = render::knobsOf(*obstacle)[side].outward;
  return ObstacleHold{hit.grip, *obstacle, takeAlongLine(render::rayThroughPixel(view, x, y), hit.point, outward)};
}

bool moveObstacle(const ObstacleHold& hold, const render::View& view, double x, double y, Obstacle& obstacle) {
  const double way = slideBy(hold.slide, render::rayThroughPixel(view, x, y)).dot(hold.slide.along);
  if (!std::isfinite(way)) return false;
  obstacle.size = hold.before.size;
  obstacle.worldFromObstacle = hold.before.worldFromObstacle;
  stretch(hold, way, obstacle);
  return true;
}

Obstacle newBox(double figureSize, double groundHeight) {
  Obstacle box{.name = "box"};
  box.size.setConstant(kBoxSize * figureSize);
  box.worldFromObstacle.translation = Eigen::Vector3d(0.0, groundHeight + 0.5 * box.size.y(), kInFront * figureSize);
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
