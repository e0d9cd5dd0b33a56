// SPDX-License-Identifier: MIT
// A drag: from mouse-down on a link or a target to mouse-up, as functions of numbers.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "app/goal_handles.h"
#include "app/obstacle_handles.h"
#include "posing/posing.h"
#include "render/view.h"
#include "scene/document.h"

namespace limber::app {

/// What is being dragged, and all that is needed to take it back.
struct Drag {
  Document before;              ///< at mouse-down: what Esc restores, what undo returns to
  int goal = -1;                ///< id of the planted goal that is dragged; -1 when a link is pulled
  int pathPoint = -1;           ///< of that goal's path, when one is held in place of its target
  std::optional<Handle> handle; ///< of that goal, when another than its target is held: the plane is not used then
  std::optional<ObstacleHold> obstacle;  ///< the obstacle that is dragged: neither link nor goal is then
  Eigen::Vector3d planePoint;   ///< the target moves in the plane through this point ...
  Eigen::Vector3d planeNormal;  ///< ... with this normal (unit): facing the camera, or z for a planar figure
  Eigen::Vector3d offset;       ///< from where the cursor's ray met the plane to the grabbed point
  bool hasMoved = false;        ///< an event of it has been posed
  PosingRequest request;        ///< what posing is asked on top of the document
  Eigen::Vector3d target;       ///< where the grabbed point is asked to be; world
};

/// Grabs what was hit at pixel (x, y). The document is not changed. `kinematics` are those of its pose.
///
/// A link is pulled by a transient goal at the grabbed point; a target moves itself, that of the centre of mass along
/// the ground where this is seen from above or below; other handles turn or stretch their goal. Pulling the root of a
/// figure with a free joint lets the root move and holds the feet that it stands on, unless links are pinned.
Drag beginDrag(const Document& document, const Kinematics& kinematics, const Hit& hit, const render::View& view,
               double x, double y);

/// Follows the cursor: changes the planted goal in `document`, or the transient goal of the request. False, and
/// nothing changes, when the cursor's ray does not meet the plane in front of the eye.
bool moveDrag(Drag& drag, Document& document, const render::View& view, double x, double y);

/// Where the ray through a pixel meets a plane in front of the eye; nothing for a ray that grazes it.
std::optional<Eigen::Vector3d> meetPlane(const render::View& view, double x, double y, const Eigen::Vector3d& point,
                                         const Eigen::Vector3d& normal);

}  // namespace limber::app
