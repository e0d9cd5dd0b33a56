// SPDX-License-Identifier: MIT
#include "app/drag/obstacle_handles.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/drag/drag.h"
#include "app/view/gizmo.h"
#include "render/obstacle_shapes.h"

namespace limber::app {

namespace {

using render::Grip;

constexpr double kLeastSize = 0.01;   // relative to mouse-down
constexpr double kBoxSize = 0.25;     // each edge, relative to the figure's size
constexpr double kBallRadius = 0.12;  // of a new sphere, relative to the figure's size
constexpr double kPoleRadius = 0.05;  // of a new capsule
constexpr double kPoleLength = 0.4;   // between the centres of its ends
constexpr double kInFront = 0.3;      // distance of a new obstacle, relative to the figure's size

struct KnobDrag : Drag {
  KnobDrag(const Document& document, const Obstacle& obstacle, const Press& press)
      : Drag(document, press.grip, makeDragged(document, Subject::Obstacle, obstacle.id)),
        side_(static_cast<std::size_t>(press.grip) - static_cast<std::size_t>(Grip::SizeLowX)),
        slide_(takeAlongLine(press.ray(), press.point, render::knobsOf(obstacle)[side_].outward)) {}

 protected:
  /// Moves the side outward; the opposite side stays.
  bool follow(Document& document, const render::View& view, double x, double y, const Modifiers&) override {
    Obstacle* obstacle = findObstacle(document, dragged->obstacle);
    const double way = slideBy(slide_, render::rayThroughPixel(view, x, y)).dot(slide_.along);
    if (!obstacle || !std::isfinite(way)) return false;
    const Obstacle& was = *findObstacle(before, dragged->obstacle);
    const auto knobs = render::knobsOf(was);
    const std::size_t opposite = side_ ^ 1U;
    const int axis = static_cast<int>(side_ / 2);
    const double extent = (knobs[side_].place - knobs[opposite].place).norm();
    obstacle->size = was.size;
    obstacle->worldFromObstacle = was.worldFromObstacle;
    resize(*obstacle, axis, std::max(1.0 + way / extent, kLeastSize));
    obstacle->worldFromObstacle.translation += knobs[opposite].place - render::knobsOf(*obstacle)[opposite].place;
    return true;
  }

 private:
  std::size_t side_;  ///< index of the knob
  Slide slide_;       ///< of the knob, along the outward normal of its side
};

}  // namespace

bool isKnob(Grip grip) { return grip >= Grip::SizeLowX && grip <= Grip::SizeHighZ; }

std::unique_ptr<Drag> beginKnobDrag(const Document& document, const Obstacle& obstacle, const Press& press) {
  return std::make_unique<KnobDrag>(document, obstacle, press);
}

Obstacle newBox(double figureSize, double groundHeight) {
  Obstacle box{.name = "box"};
  box.size.setConstant(kBoxSize * figureSize);
  box.worldFromObstacle.translation = Eigen::Vector3d(0.0, groundHeight + 0.5 * box.size.y(), kInFront * figureSize);
  return box;
}

Obstacle newSphere(double figureSize, double groundHeight) {
  const double radius = kBallRadius * figureSize;
  return makeSphere({0.0, groundHeight + radius, kInFront * figureSize}, radius, "sphere");
}

Obstacle newCapsule(double figureSize, double groundHeight) {
  const double radius = kPoleRadius * figureSize, length = kPoleLength * figureSize, away = kInFront * figureSize;
  const double low = groundHeight + radius;
  return makeCapsule({0.0, low, away}, {0.0, low + length, away}, radius, "capsule");
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
