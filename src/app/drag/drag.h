// SPDX-License-Identifier: MIT
// A drag, from mouse-down on something in the picture to mouse-up, as functions of numbers. dragged.h has the items
// that can be dragged; the classes derived from Drag define how they follow the cursor (free_drag.h, goal_handles.cpp,
// obstacle_handles.cpp).
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "app/drag/dragged.h"
#include "app/drag/gizmo_subject.h"
#include "app/settings/input.h"
#include "app/view/picking.h"
#include "limber/posing/posing.h"
#include "limber/scene/document.h"
#include "render/view.h"

namespace limber::app {

/// The cursor at mouse-down.
struct Press {
  Eigen::Vector3d point;  ///< the grabbed point; world
  const render::View& view;
  double x, y;  ///< pixels
  render::Grip grip = render::Grip::None;

  render::Ray ray() const { return render::rayThroughPixel(view, x, y); }
};

struct FreeDrag;

/// A running drag: the dragged item, the request for posing, and the document before the drag.
struct Drag {
  Drag(const Document& document, render::Grip part, std::unique_ptr<Dragged> what);
  virtual ~Drag() = default;

  /// Follows the cursor: changes the dragged item in `document`, or the transient goal of the request. Ctrl gives
  /// coarse steps, Shift fine ones; a typed number replaces the cursor. Alt releases held feet until the drag ends.
  /// Returns false, and leaves the document unchanged, if the cursor's ray gives no place.
  bool move(Document& document, const render::View& view, double x, double y, Modifiers held = {});

  /// Pushes the grabbed point away from the eye by wheel steps, along its line of sight. False if the drag cannot
  /// leave its line or plane.
  virtual bool pushAway(double /*steps*/) { return false; }
  /// Lets joints turn with the joint whose ring is dragged (Dragged::turnTogether). Other drags do nothing.
  virtual int turnTogether(const std::vector<int>& /*joints*/) { return 0; }
  /// The drag, if locks and typed numbers apply to it (free_drag.h); null for handles and knobs.
  virtual FreeDrag* asFree() { return nullptr; }

  Document before;  ///< at mouse-down: Esc and undo restore it
  std::unique_ptr<Dragged> dragged;
  render::Grip grip;      ///< the part that was grabbed
  PosingRequest request;  ///< the request for posing, in addition to the document
  bool hasMoved = false;  ///< move() was called since the request changed

 protected:
  virtual bool follow(Document& document, const render::View& view, double x, double y, const Modifiers& held) = 0;
};

/// Grabs what was hit at pixel (x, y). `kinematics` are those of the document's pose.
///
/// A link is pulled by a transient goal at the grabbed point; a trunk (body/body_map.h) keeps its orientation
/// meanwhile. A goal's target is moved directly; other handles turn or stretch their goal. Pulling a free root moves
/// the whole figure and holds the feet on which it stands, unless links are pinned. The target of a centre of mass and
/// an obstacle slide along the ground if that is seen from above or below; a plane slides along its normal.
std::unique_ptr<Drag> beginDrag(const Document& document, const Kinematics& kinematics, const Hit& hit,
                                const render::View& view, double x, double y);

/// Grabs a part of a gizmo (hit.grip).
std::unique_ptr<Drag> beginGizmoDrag(const Document& document, const Kinematics& kinematics, const Gizmo& gizmo,
                                     const Hit& hit, const render::View& view, double x, double y);

/// Drags the gizmo's subject without a part of the gizmo: slides it in the plane that faces the camera (a prismatic
/// joint along its axis), or turns it about the line of sight (hinges about the axis that is nearest to that).
std::unique_ptr<Drag> beginFreeDrag(const Document& document, const Kinematics& kinematics, const Gizmo& gizmo,
                                    bool turns, const render::View& view, double x, double y);

/// Whether a pulled trunk keeps its orientation or turns.
bool keepsOrientation(const Drag& drag);
/// Lets a pulled trunk turn, or keeps its orientation as in `kinematics`. Returns false if no trunk is pulled.
bool toggleOrientation(Drag& drag, const Kinematics& kinematics);

}  // namespace limber::app
