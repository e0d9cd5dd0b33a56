// SPDX-License-Identifier: MIT
// Obstacles in the hand: moved by their body, lifted by their arrow, sized by the knobs on their sides.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "app/picking.h"
#include "render/view.h"
#include "scene/document.h"

namespace limber::app {

/// An obstacle in hand.
struct ObstacleHold {
  render::Grip grip = render::Grip::None;            ///< None: its body
  Obstacle before;                                   ///< at mouse-down
  Eigen::Vector3d point = Eigen::Vector3d::Zero();   ///< what the cursor took hold of, world
  Eigen::Vector3d normal = Eigen::Vector3d::UnitY(); ///< of the plane in which a body moves
  Eigen::Vector3d axis = Eigen::Vector3d::UnitY();   ///< along which a knob or arrow moves; unit
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< from where the cursor's ray met plane or axis to `point`
};

/// Takes hold of the obstacle that was hit at pixel (x, y). A body slides along the ground where this is seen from
/// above or below, else in the plane that faces the eye; a pane along its normal. Nothing when no movement of the
/// cursor would mean anything.
std::optional<ObstacleHold> takeObstacle(const Document& document, const Hit& hit, const render::View& view, double x,
                                         double y);

/// Sets the obstacle to how it was at mouse-down, moved or sized to pixel (x, y); the side across from a knob stays. No
/// size falls below a hundredth of what it was. False, and nothing changes, when the cursor's ray says nothing.
bool moveObstacle(const ObstacleHold& hold, const render::View& view, double x, double y, Obstacle& obstacle);

/// Of the size of a figure, standing on the ground before it: what Add gives. `figureSize` in metres.
Obstacle newBox(double figureSize, double groundHeight);
Obstacle newFloor(double groundHeight);
Obstacle newWall(double figureSize);

}  // namespace limber::app
