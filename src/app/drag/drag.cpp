// SPDX-License-Identifier: MIT
#include "app/drag/drag.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "app/drag/drag_chain.h"
#include "limber/body/body_map.h"
#include "limber/posing/held_feet.h"
#include "limber/posing/staying.h"
#include "limber/problem/goal_types.h"
#include "limber/problem/joint_turn.h"
#include "render/strokes.h"

namespace limber::app {

namespace {

using render::Grip;

constexpr double kInPlane = 0.05;      // least sine between line of sight and a planar figure's plane to drag in it
constexpr double kFromAbove = 0.2;     // least sine between line of sight and ground to drag along it
constexpr double kPushPerStep = 1.04;  // factor of the distance to the eye
constexpr double kMostPush = 20.0;     // largest factor in all, nearer or farther
constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kAtLimit = 1e-9;  // radians or metres

/// True for a free root and links that are rigidly fixed to it: dragging them moves the whole body.
bool movesWholeFigure(const Figure& figure, int link) { return figure.isFreeRoot(rigidTopOf(figure, link)); }

/// A drag with its view and first ray; take() must follow.
Drag newDrag(const Document& document, Grip grip, const Eigen::Vector3d& point, const render::View& view, double x,
             double y) {
  Drag drag;
  drag.before = document;
  drag.grip = grip;
  drag.start = drag.grabbed = drag.target = point;
  drag.view = view;
  drag.firstRay = render::rayThroughPixel(view, x, y);
  drag.direction = -render::forwardDirection(view);
  drag.across = render::screenAxes(&view).right;
  drag.request.startPose = document.pose;
  return drag;
}

/// Slides along the ground if the eye looks down or up at it.
void slideOnGroundSeenFromAbove(Drag& drag) {
  if (std::abs(drag.direction.y()) <= kFromAbove) return;
  drag.direction = Eigen::Vector3d::UnitY();
  drag.across = Eigen::Vector3d::UnitX();
}

void slideAlong(Drag& drag, const Eigen::Vector3d& axis) {
  drag.isLine = true;
  drag.direction = axis;
}

bool isRotationHold(const Hold& hold) { return hold.goal.type == GoalType::Orientation; }

/// In Natural, posing keeps the orientation of a dragged trunk by itself.
void keepOrientation(Drag& drag, const Kinematics& kinematics) {
  drag.request.letsTrunkTurn = false;
  if (!dragsNaturally(drag.before))
    drag.request.holds.push_back(holdRotation(drag.link, kinematics.worldFromLink[drag.link].rotation));
}

/// Fills the request for a point that slides, and the joints that may follow it. In Natural, posing holds the feet.
void pull(Drag& drag, const Kinematics& kinematics) {
  const Document& document = drag.before;
  drag.request.draggedGoal = drag.goal;
  if (drag.subject == Subject::Link) {
    const Transform& worldFromLink = kinematics.worldFromLink[drag.link];
    drag.request.drag = DragGoal{drag.link, worldFromLink.inverse() * drag.start, drag.start, 1.0};
  }
  if (movesWholeFigure(*document.figure, drag.link)) {
    drag.request.freeRoot = true;
    if (document.pins.empty() && !dragsNaturally(document))
      drag.request.holds = feetUnder(document, kinematics, drag.link);
  }
  const Pin* pin = findPin(document, drag.link);
  drag.isTrunk =
      drag.subject == Subject::Link && !(pin && pin->rotation) && bodyMapOf(*document.figure).trunks()[drag.link] != 0;
  if (drag.isTrunk) keepOrientation(drag, kinematics);
  const GoalItem* goal = findGoal(document, drag.goal);
  if (goal && !infoOf(goal->type).hasEndEffector()) return;  // every joint moves it
  drag.candidates =
      goal && !goal->chain.empty() ? goal->chain : joinedAbove(document, drag.link, drag.request.freeRoot);
}

/// Keeps points of a planar figure in its plane, unless that is seen edge on.
void stayInPlane(Drag& drag) {
  if (!drag.before.figure->isPlanar() || std::abs(drag.direction.z()) <= kInPlane) return;
  drag.direction = Eigen::Vector3d::UnitZ();
  drag.across = Eigen::Vector3d::UnitX();
  drag.start.z() = drag.target.z() = 0.0;
}

Eigen::Vector3d presentDirection(const Drag& drag) {
  return drag.lock ? Eigen::Vector3d(drag.axes.col(drag.lock->axis)) : drag.direction;
}

bool goesAlongLine(const Drag& drag) { return drag.lock ? !drag.lock->isPlane : drag.isLine; }

/// The translation at the first ray: firstWay projected by the lock or, without one, pushed along the ray by `depth`.
Eigen::Vector3d wayAtTake(const Drag& drag) {
  if (!drag.lock) {
    const Eigen::Vector3d point = drag.start + drag.firstWay;
    const double length = (point - drag.firstRay.origin).dot(drag.firstRay.direction);
    return drag.firstWay + (drag.depth - 1.0) * length * drag.firstRay.direction;
  }
  const Eigen::Vector3d axis = presentDirection(drag), along = drag.firstWay.dot(axis) * axis;
  return drag.lock->isPlane ? Eigen::Vector3d(drag.firstWay - along) : along;
}

/// Begins the slide or turn with the first ray, for the present lock and depth.
void take(Drag& drag) {
  const Eigen::Vector3d direction = presentDirection(drag);
  if (drag.motion == Drag::Motion::Turn) {
    drag.turn = takeRing(drag.firstRay, drag.start, direction, drag.grabbed);
    return;
  }
  if (drag.motion != Drag::Motion::Slide) return;
  const Eigen::Vector3d point = drag.start + wayAtTake(drag);
  if (goesAlongLine(drag)) drag.slide = takeAlongLine(drag.firstRay, point, direction);
  else
    drag.slide = takeInPlane(drag.firstRay, point, direction,
                             drag.lock ? Eigen::Vector3d(drag.axes.col((drag.lock->axis + 1) % 3)) : drag.across);
}

bool hasMovedView(const render::View& a, const render::View& b) {
  return a.eye != b.eye || a.centre != b.centre || a.up != b.up || a.width != b.width || a.height != b.height ||
         a.fieldOfView != b.fieldOfView || a.orthographicHeight != b.orthographicHeight ||
         a.magnification != b.magnification || a.shift != b.shift;
}

/// Begins the slide or turn anew after the camera has moved; what is dragged stays in place.
void takeAnew(Drag& drag, const render::View& view, double x, double y) {
  drag.view = view;
  drag.firstWay = drag.way;
  drag.depth = 1.0;
  drag.firstRay = render::rayThroughPixel(view, x, y);
  if (const auto at = render::projectToPixel(view, drag.start + drag.way); at && drag.isUnderCursor)
    drag.firstRay = render::rayThroughPixel(view, at->x(), at->y());
  if (drag.motion == Drag::Motion::Turn) {
    const double angle = drag.turn.angle;
    drag.grabbed = drag.start + Eigen::AngleAxisd(angle, drag.turn.axis) * drag.turn.from;
    take(drag);
    drag.turn.angle = angle;
    return;
  }
  take(drag);
}

Transform turnedAbout(const Transform& before, const Eigen::Vector3d& centre, const Eigen::Matrix3d& turn) {
  return {turn * before.rotation, centre + turn * (before.translation - centre)};
}

/// Changes the pose by hand; in inverse mode the targets move along.
template <typename Change>
void moveByHand(const Drag& drag, Document& document, const Change& change) {
  document.pose = drag.before.pose;
  document.goals = drag.before.goals;
  change();
  if (document.mode == Mode::Inverse) bringTargetsAlong(drag.before, document);
}

Eigen::Vector3d inJointFrame(const Drag& drag, int joint, const Eigen::Vector3d& direction) {
  Kinematics kinematics;
  computeTransforms(*drag.before.figure, drag.before.pose, kinematics);
  return worldFromJoint(*drag.before.figure, kinematics, joint).rotation.transpose() * direction;
}

/// Moves what is dragged by drag.way from its place at mouse-down.
bool place(Drag& drag, Document& document) {
  const Eigen::Vector3d& way = drag.way;
  drag.target = drag.start + way;
  if (!drag.target.allFinite()) return false;
  switch (drag.subject) {
    case Subject::Link: drag.request.drag->target = drag.target; return true;
    case Subject::Goal:
      if (GoalItem* goal = findGoal(document, drag.goal)) goal->target = drag.target;
      return true;
    case Subject::PathPoint:
      movePathPoint(document, drag.goal, drag.pathPoint, drag.target);
      followPath(document, drag.goal);
      return true;
    case Subject::Pin:
      for (Pin& pin : document.pins)
        if (const Pin* before = findPin(drag.before, drag.link); before && pin.link == drag.link)
          pin.worldFromLink.translation = before->worldFromLink.translation + way;
      return true;
    case Subject::Obstacle: {
      Obstacle* obstacle = findObstacle(document, drag.obstacle);
      const Obstacle* before = findObstacle(drag.before, drag.obstacle);
      if (obstacle && before) obstacle->worldFromObstacle.translation = before->worldFromObstacle.translation + way;
      return obstacle && before;
    }
    case Subject::Joint:
      moveByHand(drag, document, [&] {
        if (drag.before.figure->joint(drag.link).type == JointType::Free)
          shiftFree(document, drag.link, inJointFrame(drag, drag.link, way));
        else turnJoint(document, drag.link, 0, way.dot(drag.direction));
      });
      return true;
  }
  return false;
}

/// Turns what is dragged by drag.angle about the ring's axis from its orientation at mouse-down.
bool turn(Drag& drag, Document& document) {
  const Eigen::Matrix3d rotation = Eigen::AngleAxisd(drag.angle, drag.turn.axis).toRotationMatrix();
  if (!rotation.allFinite()) return false;
  switch (drag.subject) {
    case Subject::Goal:
      if (GoalItem* goal = findGoal(document, drag.goal))
        goal->targetFrame = rotation * findGoal(drag.before, drag.goal)->targetFrame;
      return true;
    case Subject::Pin:
      for (Pin& pin : document.pins)
        if (const Pin* before = findPin(drag.before, drag.link); before && pin.link == drag.link)
          pin.worldFromLink = turnedAbout(before->worldFromLink, drag.start, rotation);
      return true;
    case Subject::Obstacle: {
      Obstacle* obstacle = findObstacle(document, drag.obstacle);
      const Obstacle* before = findObstacle(drag.before, drag.obstacle);
      if (obstacle && before)
        obstacle->worldFromObstacle = turnedAbout(before->worldFromObstacle, drag.start, rotation);
      return obstacle && before;
    }
    case Subject::Joint:
      moveByHand(drag, document, [&] {
        if (stepSize(drag.before.figure->joint(drag.link).type) == 1) turnJoint(document, drag.link, 0, drag.angle);
        else turnAbout(document, drag.link, inJointFrame(drag, drag.link, drag.turn.axis), drag.angle);
        for (const Drag::Companion& other : drag.companions)
          if (isScalar(drag.before.figure->joint(other.joint)))
            turnJoint(document, other.joint, 0, other.sign * drag.angle);
          else turnAbout(document, other.joint, other.axis, drag.angle);
      });
      return true;
    case Subject::Link:
    case Subject::PathPoint: return false;
  }
  return false;
}

double stepOf(const Modifiers& held, double coarse, double fine) {
  return held.control ? coarse : held.shift ? fine : 0.0;
}

bool moveSlide(Drag& drag, Document& document, const render::Ray& ray, const Modifiers& held) {
  const Eigen::Vector3d atTake = wayAtTake(drag);
  drag.way = atTake + slideBy(drag.slide, ray);
  if (const auto typed = drag.typed.value()) drag.way = withLength(drag.slide, drag.way, *typed * drag.typedUnit);
  else drag.way = inSteps(drag.slide, drag.way, stepOf(held, drag.steps.coarse, drag.steps.fine));
  return place(drag, document);
}

bool moveTurn(Drag& drag, Document& document, const render::Ray& ray, const Modifiers& held) {
  const double angle = turnBy(drag.turn, ray);
  if (!std::isfinite(angle)) return false;
  drag.angle = inSteps(angle, kDegree * stepOf(held, kCoarseTurn, kFineTurn));
  if (const auto typed = drag.typed.value()) drag.angle = *typed * kDegree;
  return turn(drag, document);
}

/// Releases held feet for the rest of the drag, since a foot that has moved has no place to return to.
void letFeetGo(Drag& drag) {
  drag.request.letsFeetGo = true;
  std::erase_if(drag.request.holds, [](const Hold& hold) { return !isRotationHold(hold); });
}

bool isRing(Grip grip) { return grip >= Grip::TurnX && grip <= Grip::TurnView; }

/// Prepares a turn by a ring of a goal's mark, or by the tip of a planar figure's goal, which turns in the plane.
void takeGoalRing(Drag& drag, const GoalItem& goal, const Kinematics& kinematics, const render::View& view) {
  drag.motion = Drag::Motion::Turn;
  drag.start = turnCentreOf(drag.before, kinematics, goal);
  if (drag.grip == Grip::Tip) drag.direction = Eigen::Vector3d::UnitZ();
  else if (drag.grip == Grip::TurnView) drag.direction = -render::forwardDirection(view);
  else drag.direction = goal.targetFrame.col(static_cast<int>(drag.grip) - static_cast<int>(Grip::TurnX));
}

}  // namespace

Drag beginDrag(const Document& document, const Kinematics& kinematics, const Hit& hit, const render::View& view,
               double x, double y) {
  Drag drag = newDrag(document, hit.grip, hit.point, view, x, y);
  if (const Obstacle* obstacle = findObstacle(document, hit.obstacle)) {
    drag.subject = Subject::Obstacle;
    drag.obstacle = hit.obstacle;
    drag.knob = takeObstacle(document, hit, view, x, y);
    if (drag.knob) drag.motion = Drag::Motion::Knob;
    else if (hit.grip == Grip::Lift) slideAlong(drag, Eigen::Vector3d::UnitY());
    else if (obstacle->shape == Obstacle::Shape::Plane) slideAlong(drag, obstacle->worldFromObstacle.rotation.col(1));
    else slideOnGroundSeenFromAbove(drag);
    take(drag);
    return drag;
  }
  const GoalItem* goal = findGoal(document, hit.goal);
  drag.goal = goal ? hit.goal : -1;
  drag.link = goal ? goal->link : hit.link;
  drag.subject = goal ? Subject::Goal : Subject::Link;
  if (hit.grip == Grip::PathPoint) {
    drag.subject = Subject::PathPoint;
    drag.pathPoint = hit.part;
  }
  if (drag.subject == Subject::Goal && (isRing(hit.grip) || (hit.grip == Grip::Tip && document.figure->isPlanar()))) {
    takeGoalRing(drag, *goal, kinematics, view);
  } else if (drag.subject == Subject::Goal && hit.grip != Grip::Target) {
    drag.motion = Drag::Motion::Handle;
    drag.handle = takeHandle(document, kinematics, hit, view, x, y);
  } else {
    stayInPlane(drag);
    if (drag.subject == Subject::Goal && infoOf(goal->type).isLevel) slideOnGroundSeenFromAbove(drag);
  }
  pull(drag, kinematics);
  take(drag);
  return drag;
}

namespace {

/// A drag of the gizmo's subject; takeGizmoDrag() must follow.
Drag newGizmoDrag(const Document& document, const Gizmo& gizmo, Grip grip, const render::View& view, double x,
                  double y) {
  Drag drag = newDrag(document, grip, gizmo.mark.centre, view, x, y);
  drag.subject = gizmo.subject;
  if (drag.subject == Subject::Goal) drag.goal = gizmo.id;
  else if (drag.subject == Subject::Obstacle) drag.obstacle = gizmo.id;
  else drag.link = gizmo.id;
  if (const GoalItem* goal = findGoal(document, drag.goal)) drag.link = goal->link;
  drag.axes = gizmo.mark.axes;
  return drag;
}

/// Fills the request and begins the slide or turn.
void takeGizmoDrag(Drag& drag, const Kinematics& kinematics) {
  if (drag.subject == Subject::Link || drag.subject == Subject::Goal) pull(drag, kinematics);
  if (drag.subject == Subject::Pin) drag.request.draggedPin = drag.link;
  take(drag);
}

/// Turns about the axis of a ring; of several hinges at one place, that of the ring turns.
void holdRing(Drag& drag, const Gizmo& gizmo, int ring) {
  drag.direction = gizmo.mark.axes.col(ring);
  if (const int hinge = gizmo.hinges[ring]; hinge >= 0) drag.link = hinge;
}

/// The ring whose axis is nearest to a direction; -1 if there is none.
int ringSeenBest(const render::GizmoMark& mark, const Eigen::Vector3d& direction) {
  int best = -1;
  for (int ring = 0; ring < 3; ++ring)
    if (mark.rings[ring] &&
        (best < 0 || std::abs(mark.axes.col(ring).dot(direction)) > std::abs(mark.axes.col(best).dot(direction))))
      best = ring;
  return best;
}

}  // namespace

Drag beginFreeDrag(const Document& document, const Kinematics& kinematics, const Gizmo& gizmo, bool turns,
                   const render::View& view, double x, double y) {
  Drag drag = newGizmoDrag(document, gizmo, Grip::None, view, x, y);
  const render::GizmoMark& mark = gizmo.mark;
  if (turns) {
    drag.motion = Drag::Motion::Turn;
    drag.direction = render::towardsEye(view, drag.start);
    drag.grabbed = drag.start + drag.direction;  // near side if seen edge on
    if (const int ring = mark.viewRing ? -1 : ringSeenBest(mark, drag.direction); ring >= 0)
      holdRing(drag, gizmo, ring);
  } else if (mark.isJoint) {
    slideAlong(drag, mark.axes.col(0));
  } else if (drag.subject != Subject::Obstacle) {
    stayInPlane(drag);
  }
  takeGizmoDrag(drag, kinematics);
  return drag;
}

Drag beginGizmoDrag(const Document& document, const Kinematics& kinematics, const Gizmo& gizmo, const Hit& hit,
                    const render::View& view, double x, double y) {
  Drag drag = newGizmoDrag(document, gizmo, hit.grip, view, x, y);
  drag.grabbed = render::backInPlace(view, hit.point);
  const int part = static_cast<int>(hit.grip);
  if (hit.grip >= Grip::RingX) {
    drag.motion = Drag::Motion::Turn;
    drag.direction = render::towardsEye(view, drag.start);
    const int ring = part - static_cast<int>(Grip::RingX);
    if (hit.grip != Grip::RingView) holdRing(drag, gizmo, ring);
  } else if (hit.grip >= Grip::MoveYZ) {
    const int axis = part - static_cast<int>(Grip::MoveYZ);
    drag.direction = gizmo.mark.axes.col(axis);
    drag.across = gizmo.mark.axes.col((axis + 1) % 3);
  } else {
    slideAlong(drag, gizmo.mark.axes.col(part - static_cast<int>(Grip::MoveX)));
  }
  takeGizmoDrag(drag, kinematics);
  return drag;
}

void turnTogether(Drag& drag, const std::vector<int>& joints) {
  if (drag.subject != Subject::Joint || drag.motion != Drag::Motion::Turn) return;
  const Figure& figure = *drag.before.figure;
  Kinematics kinematics;
  computeTransforms(figure, drag.before.pose, kinematics);
  for (std::size_t i = 1; i < joints.size(); ++i) {
    const int joint = joints[i];
    const Joint& j = figure.joint(joint);
    if (joint == drag.link || j.type == JointType::Fixed || j.type == JointType::Prismatic) continue;
    const Eigen::Vector3d axis = worldFromJoint(figure, kinematics, joint).rotation * j.axis;
    drag.companions.push_back(
        {joint, axis.dot(drag.direction) < 0.0 ? -1.0 : 1.0, inJointFrame(drag, joint, drag.direction)});
  }
}

bool moveDrag(Drag& drag, Document& document, const render::View& view, double x, double y, Modifiers held) {
  drag.request.followsLast = std::exchange(drag.hasMoved, true);
  if (held.alt) letFeetGo(drag);
  if (hasMovedView(drag.view, view)) takeAnew(drag, view, x, y);
  switch (drag.motion) {
    case Drag::Motion::Slide: return moveSlide(drag, document, render::rayThroughPixel(view, x, y), held);
    case Drag::Motion::Turn: return moveTurn(drag, document, render::rayThroughPixel(view, x, y), held);
    case Drag::Motion::Handle: {
      GoalItem* goal = findGoal(document, drag.goal);
      return goal && drag.handle && moveHandle(*drag.handle, view, x, y, *goal);
    }
    case Drag::Motion::Knob: {
      Obstacle* obstacle = findObstacle(document, drag.obstacle);
      return obstacle && moveObstacle(*drag.knob, view, x, y, *obstacle);
    }
  }
  return false;
}

bool canLock(const Drag& drag, const AxisLock& lock) {
  const bool isPlanar = drag.before.figure->isPlanar() && drag.subject != Subject::Obstacle;
  const bool hasOneAxis = drag.subject == Subject::Joint && stepSize(drag.before.figure->joint(drag.link).type) == 1;
  if (hasOneAxis) return false;
  if (drag.motion == Drag::Motion::Turn) return !lock.isPlane && !isPlanar;
  if (drag.motion != Drag::Motion::Slide) return false;
  return !isPlanar || lock.isPlane == (lock.axis == 2);
}

void toggleLock(Drag& drag, const AxisLock& lock) {
  drag.lock = drag.lock == lock ? std::nullopt : std::optional(lock);
  take(drag);
}

bool keepsOrientation(const Drag& drag) { return drag.isTrunk && !drag.request.letsTrunkTurn; }

bool toggleOrientation(Drag& drag, const Kinematics& kinematics) {
  if (!drag.isTrunk) return false;
  if (keepsOrientation(drag)) {
    drag.request.letsTrunkTurn = true;
    std::erase_if(drag.request.holds, isRotationHold);
  } else {
    keepOrientation(drag, kinematics);
  }
  drag.hasMoved = false;  // the request changes: the next solve does not continue the last one
  return true;
}

bool pushAway(Drag& drag, double steps) {
  const bool isPlanar = drag.before.figure->isPlanar() && drag.subject != Subject::Obstacle;
  if (drag.motion != Drag::Motion::Slide || drag.lock || drag.isLine || isPlanar || !std::isfinite(steps)) return false;
  drag.depth = std::clamp(drag.depth * std::pow(kPushPerStep, steps), 1.0 / kMostPush, kMostPush);
  take(drag);
  return true;
}

bool changeFollowers(Drag& drag, Document& document, int by) {
  const int count = static_cast<int>(drag.candidates.size());
  if (count == 0 || (drag.subject != Subject::Link && drag.subject != Subject::Goal)) return false;
  const int present = drag.followers < 0 ? count : drag.followers, wanted = std::clamp(present + by, 1, count);
  drag.followers = wanted == count ? -1 : wanted;
  drag.hasMoved = false;  // the request changes: joints that no longer follow go back
  document.pose = drag.before.pose;
  if (drag.request.drag) {
    drag.request.drag->chain = drag.followers < 0 ? std::vector<int>{} : nearest(drag.candidates, wanted);
  } else if (GoalItem* goal = findGoal(document, drag.goal)) {
    goal->chain = drag.followers < 0 ? findGoal(drag.before, drag.goal)->chain : nearest(drag.candidates, wanted);
  }
  return true;
}

bool isStoppedByLimit(const Drag& drag, const Document& document) {
  if (drag.subject != Subject::Joint || drag.link >= document.figure->linkCount()) return false;
  const Joint& joint = document.figure->joint(drag.link);
  if (stepSize(joint.type) != 1) return false;
  const Interval& limits = document.joints[drag.link].limits;
  const double q = document.pose.coordinates[joint.poseIndex];
  return limits.isBounded() && (q <= limits.lower + kAtLimit || q >= limits.upper - kAtLimit);
}

}  // namespace limber::app
