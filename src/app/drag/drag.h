// SPDX-License-Identifier: MIT
// A drag: from mouse-down on something in the picture to mouse-up, as functions of numbers.
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

/// Along one axis alone, or in the plane across it.
struct AxisLock {
  int axis = 0;  ///< of Drag::axes
  bool isPlane = false;
  bool operator==(const AxisLock&) const = default;
};

/// What is being dragged, and all that is needed to take it back.
struct Drag {
  enum class Motion {
    Slide,   ///< the grabbed point goes with the cursor
    Turn,    ///< a ring goes round
    Handle,  ///< of a goal: `handle` says how
    Knob,    ///< on an obstacle's side: `knob` says how
  };
  Document before;              ///< at mouse-down: what Esc restores, what undo returns to
  Subject subject = Subject::Link;
  Motion motion = Motion::Slide;
  render::Grip grip = render::Grip::None;  ///< what was taken
  int goal = -1;                ///< id of the planted goal that is dragged; -1 for anything else
  int pathPoint = -1;           ///< of that goal's path, when one is held in place of its target
  int link = -1;                ///< that is pulled or pinned, or whose joint is turned; of a goal the one it moves
  int obstacle = -1;            ///< id of the obstacle that is dragged; -1 for anything else
  /// A joint that turns by as much: a hinge about its own axis, the way round that is nearer to the ring's; any other
  /// about the ring's.
  struct Companion {
    int joint = -1;
    double sign = 1.0;
    Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< in the joint's frame
  };
  std::vector<Companion> companions;  ///< of a joint that is turned by its ring
  std::optional<Handle> handle;
  std::optional<ObstacleHold> knob;

  Eigen::Vector3d start = Eigen::Vector3d::Zero();        ///< the grabbed point at mouse-down; of a ring its centre
  Eigen::Vector3d grabbed = Eigen::Vector3d::Zero();      ///< on the ring
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();     ///< that locks are for, as columns
  Eigen::Vector3d direction = Eigen::Vector3d::UnitZ();   ///< without a lock: the line, the normal of the plane, or the
                                                          ///< axis of the ring
  bool isLine = false;
  Eigen::Vector3d across = Eigen::Vector3d::UnitX();      ///< in that plane: what coarse and fine steps count along
  std::optional<AxisLock> lock;
  bool hasOwnAxes = false;                                ///< `axes` are those of what is dragged
  render::Ray firstRay{Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitZ()};  ///< that the point was taken with ...
  Eigen::Vector3d firstWay = Eigen::Vector3d::Zero();     ///< ... when it had come so far already
  double depth = 1.0;           ///< pushed along that ray: its length, in lengths at the take
  Slide slide;
  Turn turn;
  render::View view;            ///< seen so: when the camera moves in between, the point is taken anew
  bool isTrunk = false;         ///< the link carries limbs: it keeps its orientation while it is pulled (letTurn)
  bool isUnderCursor = false;   ///< then the point is at the cursor, and not where it was

  TypedNumber typed;            ///< the exact distance or angle
  double typedUnit = 1.0;       ///< metres that a typed 1 is
  SnapSteps steps;
  std::vector<int> candidates;  ///< joints that may follow, the root's first; empty: nothing follows, or all do
  int followers = -1;           ///< how many of them do; -1: all
  Eigen::Vector3d way = Eigen::Vector3d::Zero();  ///< that it has come
  double angle = 0.0;           ///< that it was turned by, as asked; radians

  bool hasMoved = false;        ///< an event of it has been posed
  PosingRequest request;        ///< what posing is asked on top of the document
  Eigen::Vector3d target = Eigen::Vector3d::Zero();  ///< where the grabbed point is asked to be; world
};

/// Grabs what was hit at pixel (x, y). The document is not changed. `kinematics` are those of its pose.
///
/// A link is pulled by a transient goal at the grabbed point; a trunk (problem/limb.h) keeps its orientation meanwhile; a target moves itself, that of the centre of mass along
/// the ground where this is seen from above or below; other handles turn or stretch their goal. Pulling the root of a
/// figure with a free joint lets the root move and holds the feet that it stands on, unless links are pinned. An
/// obstacle slides along the ground where this is seen from above or below; a pane along its normal.
Drag beginDrag(const Document& document, const Kinematics& kinematics, const Hit& hit, const render::View& view,
               double x, double y);

/// Grabs a part of a gizmo (hit.grip).
Drag beginGizmoDrag(const Document& document, const Kinematics& kinematics, const Gizmo& gizmo, const Hit& hit,
                    const render::View& view, double x, double y);

/// Takes hold of what the gizmo is of without one of its parts: it slides in the plane that faces the camera (a sliding joint
/// along its axis), or turns about the line of sight (a hinge about its axis, of several the one that is seen along it best).
Drag beginFreeDrag(const Document& document, const Kinematics& kinematics, const Gizmo& gizmo, bool turns,
                   const render::View& view, double x, double y);

/// The joints turn with the one whose ring is held, where that is a ring of a joint: all but the first, which is the main
/// one of the part that the ring is of.
void turnTogether(Drag& drag, const std::vector<int>& joints);

/// Follows the cursor: changes what is dragged in `document`, or the transient goal of the request. With Ctrl in coarse
/// steps, with Shift in fine ones; a number that is typed counts in place of the cursor. Alt lets the feet go that are
/// held on the ground, until the drag ends. False, and nothing changes, when the cursor's ray says nothing.
bool moveDrag(Drag& drag, Document& document, const render::View& view, double x, double y, Modifiers held = {});

/// True when a lock would mean something: for what slides freely, and for rings of what can turn about any axis. A
/// planar figure stays in its plane.
bool canLock(const Drag& drag, const AxisLock& lock);
/// Locks, or frees again where it is locked so already; the next moveDrag() goes by it.
void toggleLock(Drag& drag, const AxisLock& lock);

/// Whether a trunk keeps its orientation, or turns as it is pulled.
bool keepsOrientation(const Drag& drag);
/// Lets it turn, or keeps it as `kinematics` have it now. False for what is no trunk that is pulled.
bool toggleOrientation(Drag& drag, const Kinematics& kinematics);

/// Pushes the grabbed point along the line of sight to it by wheel steps, away from the eye; false where it may not go.
bool pushAway(Drag& drag, double steps);

/// More joints follow, or fewer: one at least. False when nothing follows what is dragged.
bool changeFollowers(Drag& drag, Document& document, int by);

/// The joint that is turned by hand, or slid, came to stand at less than was asked: a limit is in the way.
bool isStoppedByLimit(const Drag& drag, const Document& document);

}  // namespace limber::app
