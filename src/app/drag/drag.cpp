// SPDX-License-Identifier: MIT
#include "app/drag/drag.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/drag/free_drag.h"
#include "app/drag/goal_handles.h"
#include "app/drag/null_space.h"
#include "app/drag/obstacle_handles.h"
#include "limber/problem/goal_types.h"
#include "render/strokes.h"

namespace limber::app {

namespace {

using render::Grip;
using What = std::unique_ptr<Dragged>;

bool isRotationHold(const Hold& hold) { return hold.goal.type == GoalType::Orientation && !isOfNullSpace(hold); }
bool isRing(Grip grip) { return grip >= Grip::TurnX && grip <= Grip::TurnView; }

/// The number of a grip among those that begin with `first`.
int numberFrom(Grip first, Grip grip) { return static_cast<int>(grip) - static_cast<int>(first); }

std::unique_ptr<Drag> begun(std::unique_ptr<FreeDrag> drag, const Kinematics& kinematics) {
  drag->dragged->fillRequest(*drag, kinematics, drag->start);
  drag->take();
  return drag;
}

std::unique_ptr<Drag> beginObstacleDrag(const Document& document, const Kinematics& kinematics, const Hit& hit,
                                        const Press& press) {
  const Obstacle& obstacle = *findObstacle(document, hit.obstacle);
  if (isKnob(hit.grip)) return beginKnobDrag(document, obstacle, press);
  auto slide = std::make_unique<SlideDrag>(document, press, makeDragged(document, Subject::Obstacle, hit.obstacle));
  if (hit.grip == Grip::Lift) slide->slideAlong(Eigen::Vector3d::UnitY());
  else if (obstacle.shape == Obstacle::Shape::Plane) slide->slideAlong(obstacle.worldFromObstacle.rotation.col(1));
  else slide->slideOnGroundSeenFromAbove();
  return begun(std::move(slide), kinematics);
}

/// The axis of a ring of a goal's mark; the tip of a planar figure's goal turns in the plane.
Eigen::Vector3d ringAxisOf(Grip grip, const GoalItem& goal, const render::View& view) {
  if (grip == Grip::Tip) return Eigen::Vector3d::UnitZ();
  if (grip == Grip::TurnView) return -render::forwardDirection(view);
  return goal.targetFrame.col(numberFrom(Grip::TurnX, grip));
}

/// The ring whose axis is nearest to a direction; -1 without rings.
int ringSeenBest(const render::GizmoMark& mark, const Eigen::Vector3d& direction) {
  int best = -1;
  for (int ring = 0; ring < 3; ++ring)
    if (mark.rings[ring] &&
        (best < 0 || std::abs(mark.axes.col(ring).dot(direction)) > std::abs(mark.axes.col(best).dot(direction))))
      best = ring;
  return best;
}

/// Turns about the axis of one of the gizmo's rings, or about the line of sight for -1. If several hinges are at one
/// place, the hinge of the ring turns.
std::unique_ptr<Drag> beginRingDrag(const Document& document, const Kinematics& kinematics, const Gizmo& gizmo,
                                    const Press& press, int ring) {
  const Eigen::Vector3d& centre = gizmo.mark.centre;
  const Eigen::Vector3d axis = ring < 0 ? render::towardsEye(press.view, centre) : gizmo.mark.axes.col(ring).eval();
  auto turn = std::make_unique<TurnDrag>(document, press, makeDragged(document, gizmo.subject, gizmo.id), centre, axis);
  if (ring >= 0 && gizmo.hinges[ring] >= 0) turn->dragged->link = gizmo.hinges[ring];
  turn->axes = gizmo.mark.axes;
  return begun(std::move(turn), kinematics);
}

}  // namespace

Drag::Drag(const Document& document, Grip part, What what) : before(document), dragged(std::move(what)), grip(part) {
  request.startPose = document.pose;
}

bool Drag::move(Document& document, const render::View& view, double x, double y, Modifiers held) {
  request.followsLast = std::exchange(hasMoved, true);
  if (held.alt) {  // until the drag ends, because a released foot has lost its place
    request.letsFeetGo = true;
    std::erase_if(request.holds, [](const Hold& hold) { return !isRotationHold(hold) && !isOfNullSpace(hold); });
  }
  return follow(document, view, x, y, held);
}

std::unique_ptr<Drag> beginDrag(const Document& document, const Kinematics& kinematics, const Hit& hit,
                                const render::View& view, double x, double y) {
  const Press press{hit.point, view, x, y, hit.grip};
  if (findObstacle(document, hit.obstacle)) return beginObstacleDrag(document, kinematics, hit, press);
  const GoalItem* goal = hit.grip == Grip::PathPoint ? nullptr : findGoal(document, hit.goal);
  What what = hit.grip == Grip::PathPoint ? makeDraggedPathPoint(document, hit.goal, hit.part)
              : goal                      ? makeDragged(document, Subject::Goal, hit.goal)
                                          : makeDragged(document, Subject::Link, hit.link);
  if (goal && (isRing(hit.grip) || (hit.grip == Grip::Tip && document.figure->isPlanar())))
    return begun(std::make_unique<TurnDrag>(document, press, std::move(what), turnCentreOf(document, kinematics, *goal),
                                            ringAxisOf(hit.grip, *goal, view)),
                 kinematics);
  if (goal && hit.grip != Grip::Target) {
    auto drag = beginHandleDrag(document, kinematics, hit, press);
    drag->dragged->fillRequest(*drag, kinematics, hit.point);
    return drag;
  }
  auto slide = std::make_unique<SlideDrag>(document, press, std::move(what));
  slide->stayInPlane();
  if (goal && infoOf(goal->type).isLevel) slide->slideOnGroundSeenFromAbove();
  return begun(std::move(slide), kinematics);
}

std::unique_ptr<Drag> beginFreeDrag(const Document& document, const Kinematics& kinematics, const Gizmo& gizmo,
                                    bool turns, const render::View& view, double x, double y) {
  const render::GizmoMark& mark = gizmo.mark;
  if (turns) {
    const Eigen::Vector3d sight = render::towardsEye(view, mark.centre);
    const Press press{mark.centre + sight, view, x, y};  // near side if seen edge on
    return beginRingDrag(document, kinematics, gizmo, press, mark.viewRing ? -1 : ringSeenBest(mark, sight));
  }
  auto slide = std::make_unique<SlideDrag>(document, Press{mark.centre, view, x, y},
                                           makeDragged(document, gizmo.subject, gizmo.id));
  slide->axes = mark.axes;
  if (mark.isJoint) slide->slideAlong(mark.axes.col(0));
  else if (slide->dragged->isInPlane()) slide->stayInPlane();
  return begun(std::move(slide), kinematics);
}

std::unique_ptr<Drag> beginGizmoDrag(const Document& document, const Kinematics& kinematics, const Gizmo& gizmo,
                                     const Hit& hit, const render::View& view, double x, double y) {
  const render::GizmoMark& mark = gizmo.mark;
  if (hit.grip >= Grip::RingX) {
    const Press press{render::backInPlace(view, hit.point), view, x, y, hit.grip};
    const int ring = hit.grip == Grip::RingView ? -1 : numberFrom(Grip::RingX, hit.grip);
    return beginRingDrag(document, kinematics, gizmo, press, ring);
  }
  auto slide = std::make_unique<SlideDrag>(document, Press{mark.centre, view, x, y, hit.grip},
                                           makeDragged(document, gizmo.subject, gizmo.id));
  slide->axes = mark.axes;
  if (hit.grip >= Grip::MoveYZ) {
    const int axis = numberFrom(Grip::MoveYZ, hit.grip);
    slide->slideIn(mark.axes.col(axis), mark.axes.col((axis + 1) % 3));
  } else {
    slide->slideAlong(mark.axes.col(numberFrom(Grip::MoveX, hit.grip)));
  }
  return begun(std::move(slide), kinematics);
}

bool keepsOrientation(const Drag& drag) { return drag.dragged->isTrunk() && !drag.request.letsTrunkTurn; }

bool toggleOrientation(Drag& drag, const Kinematics& kinematics) {
  if (!drag.dragged->isTrunk()) return false;
  if (keepsOrientation(drag)) {
    drag.request.letsTrunkTurn = true;
    std::erase_if(drag.request.holds, isRotationHold);
  } else {
    drag.dragged->keepOrientation(drag, kinematics);
  }
  drag.hasMoved = false;  // the request changes: the next solve does not continue the last one
  return true;
}

}  // namespace limber::app
