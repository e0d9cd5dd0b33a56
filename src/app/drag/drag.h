// SPDX-License-Identifier: MIT
// A drag, from mouse-down on something in the picture to mouse-up, as functions of numbers.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "app/drag/gizmo_subject.h"
#include "app/drag/goal_handles.h"
#include "app/drag/obstacle_handles.h"
#include "app/settings/input.h"
#include "app/view/gizmo.h"
#include "limber/posing/posing.h"
#include "limber/scene/document.h"
#include "render/view.h"

namespace limber::app {

/// Restricts a drag to one axis, or to the plane normal to it.
struct AxisLock {
  int axis = 0;  ///< column of Drag::axes
  bool isPlane = false;
  bool operator==(const AxisLock&) const = default;
};

/// What is dragged and how, and the document before the drag.
struct Drag {
  enum class Motion {
    Slide,   ///< the grabbed point follows the cursor
    Turn,    ///< a ring is turned
    Handle,  ///< `handle` of a goal is moved
    Knob,    ///< `knob` on an obstacle's side is moved
  };
  Document before;  ///< at mouse-down: what Esc restores, what undo returns to
  Subject subject = Subject::Link;
  Motion motion = Motion::Slide;
  render::Grip grip = render::Grip::None;  ///< the part that was grabbed
  int goal = -1;                           ///< id of the planted goal that is dragged; -1 for anything else
  int pathPoint = -1;                      ///< in that goal's path, if it is dragged instead of the target
  int link = -1;      ///< pulled or pinned, or whose joint moves; for a goal, the link that it moves
  int obstacle = -1;  ///< id of the obstacle that is dragged; -1 for anything else
  /// A joint that turns by the same angle: a hinge about its own axis, in the sense nearer to the ring's; any other
  /// joint about the axis of the ring.
  struct Companion {
    int joint = -1;
    double sign = 1.0;
    Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< in the joint's frame
  };
  std::vector<Companion> companions;  ///< joints that turn with `link`
  std::optional<Handle> handle;
  std::optional<ObstacleHold> knob;

  Eigen::Vector3d start = Eigen::Vector3d::Zero();       ///< grabbed point, or a ring's centre; world
  Eigen::Vector3d grabbed = Eigen::Vector3d::Zero();     ///< grabbed point on the ring; world
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();    ///< axes of locks, as columns
  Eigen::Vector3d direction = Eigen::Vector3d::UnitZ();  ///< line, plane's normal or ring's axis without lock
  bool isLine = false;
  Eigen::Vector3d across = Eigen::Vector3d::UnitX();  ///< a direction of snapping in that plane
  std::optional<AxisLock> lock;
  bool hasOwnAxes = false;                                                  ///< `axes` are local, not the world's
  render::Ray firstRay{Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitZ()};  ///< at which the slide began
  Eigen::Vector3d firstWay = Eigen::Vector3d::Zero();                       ///< translation at that time
  double depth = 1.0;  ///< factor of that ray's length, set by pushAway()
  Slide slide;
  Turn turn;
  render::View view;           ///< when it changes, the slide or turn begins anew
  bool isTrunk = false;        ///< the link carries limbs; pulled, it keeps its orientation (toggleOrientation)
  bool isUnderCursor = false;  ///< after the camera has moved, the point goes to the cursor

  TypedNumber typed;       ///< the exact distance or angle
  double typedUnit = 1.0;  ///< metres per typed unit
  SnapSteps steps;
  std::vector<int> candidates;                    ///< joints that may follow, from the root on; empty if none or all do
  int followers = -1;                             ///< how many of them do; -1: all
  Eigen::Vector3d way = Eigen::Vector3d::Zero();  ///< translation so far
  double angle = 0.0;                             ///< rotation so far, radians

  bool hasMoved = false;                             ///< moveDrag() was called since the request changed
  PosingRequest request;                             ///< what is asked of posing besides the document
  Eigen::Vector3d target = Eigen::Vector3d::Zero();  ///< of the grabbed point; world
};

/// Grabs what was hit at pixel (x, y). `kinematics` are those of the document's pose.
///
/// A link is pulled by a transient goal at the grabbed point; a trunk (body/limb.h) keeps its orientation meanwhile.
/// A goal's target moves itself; other handles turn or stretch their goal. Pulling a free root moves the whole figure
/// and holds the feet on which it stands, unless links are pinned. The target of a centre of mass and an obstacle slide
/// along the ground if that is seen from above or below; a plane slides along its normal.
Drag beginDrag(const Document& document, const Kinematics& kinematics, const Hit& hit, const render::View& view,
               double x, double y);

/// Grabs a part of a gizmo (hit.grip).
Drag beginGizmoDrag(const Document& document, const Kinematics& kinematics, const Gizmo& gizmo, const Hit& hit,
                    const render::View& view, double x, double y);

/// Drags the gizmo's subject without a part of the gizmo: slides it in the plane that faces the camera (a prismatic
/// joint along its axis), or turns it about the line of sight (hinges about the axis that is nearest to that).
Drag beginFreeDrag(const Document& document, const Kinematics& kinematics, const Gizmo& gizmo, bool turns,
                   const render::View& view, double x, double y);

/// Lets joints turn with the joint whose ring is dragged: all but the first, which is the main joint of the ring's own
/// part. Does nothing in other drags.
void turnTogether(Drag& drag, const std::vector<int>& joints);

/// Follows the cursor: changes what is dragged in `document`, or the transient goal of the request. Ctrl gives coarse
/// steps, Shift fine ones; a typed number replaces the cursor. Alt releases held feet until the drag ends. Returns
/// false if the cursor's ray gives no place, and then changes nothing.
bool moveDrag(Drag& drag, Document& document, const render::View& view, double x, double y, Modifiers held = {});

/// True if the lock makes sense: for what slides freely or turns about any axis. A planar figure stays in its plane.
bool canLock(const Drag& drag, const AxisLock& lock);
/// Sets the lock, or removes it if it is set already, from the next moveDrag() on.
void toggleLock(Drag& drag, const AxisLock& lock);

/// Whether a trunk keeps its orientation, or turns as it is pulled.
bool keepsOrientation(const Drag& drag);
/// Lets a pulled trunk turn, or keeps its orientation as in `kinematics`. Returns false if no trunk is pulled.
bool toggleOrientation(Drag& drag, const Kinematics& kinematics);

/// Pushes the grabbed point away from the eye by wheel steps, along its line of sight. Returns false if it may not go.
bool pushAway(Drag& drag, double steps);

/// Changes how many joints follow, at least one. Returns false if none can follow what is dragged.
bool changeFollowers(Drag& drag, Document& document, int by);

/// True if the joint that is turned or slid by hand is at a limit.
bool isStoppedByLimit(const Drag& drag, const Document& document);

}  // namespace limber::app
