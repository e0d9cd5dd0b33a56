// SPDX-License-Identifier: MIT
#include "render/goal_marks.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "limber/kinematics/shortest_turn.h"
#include "limber/problem/bend.h"
#include "limber/problem/goal_error.h"
#include "limber/problem/goal_place.h"
#include "limber/problem/goal_types.h"
#include "limber/problem/new_goal.h"
#include "limber/scene/reference_picture.h"
#include "render/limbs.h"
#include "render/marks.h"

namespace limber::render {

namespace {

// Sizes of marks, in radii of the target's ball unless a comment says otherwise.
constexpr double kKnob = 0.7;  // of tips of arrows and of marks that only select
constexpr double kArms = 3.0;  // axes of a goal that is not selected
constexpr double kFootRing = 1.2;
constexpr double kWasher = 1.4;
constexpr double kHead = 1.2;
constexpr double kTick = 0.28;     // in halves of a plane's side
constexpr double kViewRing = 1.2;  // in radii of the other rings
constexpr int kSegments = 24;
constexpr int kLargeSegments = 64;
constexpr float kQuiet = 0.6f;  // opacity of explanatory parts

// Sizes of GoalLook, in mean link lengths unless a comment says otherwise.
constexpr double kMinTargetSize = 0.12;
constexpr double kMaxTargetSize = 0.24;
constexpr double kTargetOverLimb = 1.3;  // in radii of the limb: the target is visible around the end effector
constexpr double kReach = 0.6;
constexpr double kLineExtent = 0.5;       // in figure sizes
constexpr double kBarRadius = 0.006;      // in figure sizes
constexpr double kMinTargetPixels = 7.0;  // radius, if the view is known
constexpr double kMinReachPixels = 55.0;

/// One goal's mark under construction.
struct Mark {
  const Document& document;
  const Kinematics& kinematics;
  const GoalItem& goal;
  const GoalLook& look;
  GoalPlace place;
  Color color;
  DrawList& list;

  double reach() const { return look.selected ? look.reach : 0.5 * look.reach; }
  Stroke thin() const { return {0.14 * look.size, color, goal.id}; }
  Stroke quiet() const { return colored(thin(), withAlpha(color, kQuiet * color.alpha)); }
  /// The stroke of a handle, highlighted under the cursor.
  Stroke handle(const Color& plain, Grip grip) const {
    const bool isHovered = look.hovered && look.hoveredGrip == grip;
    const Stroke stroke = gripped(colored(thin(), withAlpha(isHovered ? lighter(plain) : plain, color.alpha)), grip);
    return isHovered ? thicker(stroke, 1.5) : stroke;
  }
};

/// The target's ball with ring or cross, and the residual as a line between two points.
void appendPlace(const Mark& mark, const Eigen::Vector3d& at, const Eigen::Vector3d& from,
                 const Eigen::Vector3d& wanted) {
  const GoalLook& look = mark.look;
  appendTarget({.target = at,
                .from = from,
                .wanted = wanted,
                .size = look.size,
                .met = look.met,
                .faint = look.faint,
                .hovered = look.hovered && look.hoveredGrip == Grip::Target,
                .selected = look.selected,
                .planar = look.planar,
                .goal = mark.goal.id},
               mark.list);
}

/// A small ball, with a ring if the goal is met: a knob, or a mark that only selects.
void appendKnob(const Mark& mark, const Eigen::Vector3d& at, const Eigen::Vector3d& axis, Grip grip) {
  const double size = kKnob * mark.look.size;
  appendBall(at, size, mark.handle(mark.color, grip), mark.list);
  if (mark.look.met) appendRing(at, axis, 1.75 * size, kSegments, mark.thin(), mark.list);
  if (mark.look.selected)
    appendRing(at, axis, 2.4 * size, kSegments, colored(mark.thin(), withAlpha(kAccent, mark.color.alpha)), mark.list);
}

/// The shortest arc from one direction to another.
void appendTurn(const Mark& mark, const Eigen::Vector3d& centre, const Eigen::Vector3d& from, const Eigen::Vector3d& to,
                double radius) {
  const Eigen::AngleAxisd turn(shortestTurn(from, to));
  if (mark.look.met || !(turn.angle() > 0.0)) return;
  appendArc(centre, radius * from, turn.axis(), turn.angle(), kSegments, mark.thin(), mark.list);
}

/// An arrow whose tip turns the target frame's x axis.
void appendPointer(const Mark& mark, const Eigen::Vector3d& from, double length) {
  const Eigen::Vector3d tip = from + length * mark.goal.targetFrame.col(0);
  appendArrow(from, tip, kHead * mark.look.size, mark.handle(mark.color, Grip::None), mark.list);
  appendBall(tip, kKnob * mark.look.size, mark.handle(mark.color, Grip::Tip), mark.list);
}

void appendTurnRings(const Mark& mark, const Eigen::Vector3d& centre) {
  if (mark.look.ringsRest) return;
  const Grip grips[] = {Grip::TurnX, Grip::TurnY, Grip::TurnZ};
  for (int axis = 0; axis < 3; ++axis)
    appendRing(centre, mark.goal.targetFrame.col(axis), mark.look.reach, kLargeSegments,
               mark.handle(kAxisColors[axis], grips[axis]), mark.list);
  if (!mark.look.view) return;
  appendRing(centre, forwardDirection(*mark.look.view), kViewRing * mark.look.reach, kLargeSegments,
             mark.handle(kQuietGrey, Grip::TurnView), mark.list);
}

/// The target's axes, without free ones, at `at`; the current axes at the end effector.
void appendFrames(const Mark& mark, const Eigen::Vector3d& at) {
  const double length = mark.look.selected ? mark.look.reach : kArms * mark.look.size;
  appendTriad(mark.place.point, mark.place.frame, 0.8 * length, mark.quiet(), mark.list);
  for (int axis = 0; axis < 2; ++axis)
    if (mark.goal.directionScale[axis] > 0.0)
      appendArrow(at, at + length * mark.place.wantedFrame.col(axis), kHead * mark.look.size,
                  thicker(colored(mark.thin(), withAlpha(kAxisColors[axis], mark.color.alpha)), 1.5), mark.list);
  appendTurn(mark, mark.place.point, mark.place.frame.col(0), mark.place.wantedFrame.col(0), 0.8 * length);
}

void appendPosition(const Mark& mark) { appendPlace(mark, mark.goal.target, mark.place.point, mark.place.wanted); }

void appendOrientation(const Mark& mark) {
  const Eigen::Vector3d& centre = mark.place.point;
  const double length = mark.look.selected ? mark.look.reach : kArms * mark.look.size;
  appendFrames(mark, centre);
  appendKnob(mark, centre + length * mark.goal.targetFrame.col(0), mark.goal.targetFrame.col(0), Grip::Tip);
  if (mark.look.selected) appendTurnRings(mark, centre);
}

void appendPositionOrientation(const Mark& mark) {
  appendPosition(mark);
  appendFrames(mark, mark.goal.target);
  if (mark.look.selected) appendTurnRings(mark, mark.goal.target);
}

void appendDirection(const Mark& mark) {
  const Eigen::Vector3d& from = mark.place.point;
  const Eigen::Vector3d tip = from + mark.reach() * mark.goal.targetFrame.col(0);
  appendArrow(from, tip, kHead * mark.look.size, mark.thin(), mark.list);
  appendKnob(mark, tip, mark.goal.targetFrame.col(0), Grip::Tip);
  if (!mark.look.met) appendLine(from, from + mark.reach() * mark.place.frame.col(0), mark.quiet(), mark.list);
  appendTurn(mark, from, mark.place.frame.col(0), mark.goal.targetFrame.col(0), mark.reach());
}

void appendAim(const Mark& mark) {
  const Eigen::Vector3d& from = mark.place.point;
  const double length = (mark.goal.target - from).norm();
  const Eigen::Vector3d end = from + length * mark.place.frame.col(0);
  appendDashes(from, end, 1.5 * mark.look.size, mark.quiet(), mark.list);
  appendPlace(mark, mark.goal.target, end, mark.goal.target);
}

/// A ring around the nearest point of a line or plane.
void appendFoot(const Mark& mark) {
  appendRing(mark.place.wanted, mark.goal.targetFrame.col(0), kFootRing * mark.look.size, kSegments, mark.thin(),
             mark.list);
}

void appendLineGoal(const Mark& mark) {
  const Eigen::Vector3d axis = mark.goal.targetFrame.col(0), &through = mark.goal.target;
  const double foot = axis.dot(mark.place.wanted - through);
  const double extent = mark.look.selected ? mark.look.extent : 0.5 * mark.look.extent;
  appendLine(through + std::min(-extent, foot) * axis, through + std::max(extent, foot) * axis, mark.quiet(),
             mark.list);
  appendFoot(mark);
  appendPosition(mark);
  if (mark.look.selected) appendPointer(mark, through, mark.reach());
}

/// Ticks from a square's corners and the middles of its sides to the allowed side.
void appendTicks(const Mark& mark, const Eigen::Vector3d& u, const Eigen::Vector3d& v, const Eigen::Vector3d& tick) {
  for (int i = -1; i <= 1; ++i)
    for (int k = -1; k <= 1; ++k) {
      if (i == 0 && k == 0) continue;
      const Eigen::Vector3d foot = mark.goal.target + i * u + k * v;
      appendLine(foot, foot + tick, mark.quiet(), mark.list);
    }
}

template <bool isHalfSpace>
void appendPlane(const Mark& mark) {
  const double half = mark.reach();
  const Eigen::Vector3d& centre = mark.goal.target;
  const Eigen::Vector3d u = half * mark.goal.targetFrame.col(1), v = half * mark.goal.targetFrame.col(2);
  appendSquare(centre, u, v, mark.thin(), mark.list);
  if (isHalfSpace) {
    appendTicks(mark, u, v, kTick * half * mark.goal.targetFrame.col(0));
  } else {
    appendLine(centre - u, centre + u, mark.quiet(), mark.list);
    appendLine(centre - v, centre + v, mark.quiet(), mark.list);
  }
  if (!mark.look.met || !isHalfSpace) appendFoot(mark);
  appendPosition(mark);
  if (mark.look.selected) appendPointer(mark, centre, 0.7 * half);
  else
    appendArrow(centre, centre + 0.7 * half * mark.goal.targetFrame.col(0), kHead * mark.look.size, mark.thin(),
                mark.list);
}

void appendBound(const Mark& mark, const Eigen::Vector3d& from, const Eigen::Vector3d& along, double distance,
                 Grip grip) {
  if (!std::isfinite(distance) || !(distance > 0.0)) return;
  appendRing(from + distance * along, along, kWasher * mark.look.size, kSegments,
             thicker(mark.handle(kAccent, grip), 1.3), mark.list);
  if (!mark.look.selected) return;
  const Eigen::Vector3d axis = mark.look.view ? forwardDirection(*mark.look.view) : Eigen::Vector3d::UnitZ();
  appendRing(from, axis, distance, kLargeSegments, colored(mark.thin(), withAlpha(kAccent, kQuiet * mark.color.alpha)),
             mark.list);
}

void appendDistance(const Mark& mark) {
  const Eigen::Vector3d from = otherPointOf(mark.kinematics, mark.goal), way = mark.place.point - from;
  const Eigen::Vector3d along = way.norm() > 0.0 ? Eigen::Vector3d(way.normalized()) : Eigen::Vector3d::UnitY();
  appendLine(from, mark.place.point, mark.quiet(), mark.list);
  const auto& [lower, upper] = mark.goal.distance;
  if (lower < upper) appendBound(mark, from, along, lower, Grip::Shortest);
  appendBound(mark, from, along, upper, Grip::Longest);
  if (mark.goal.otherLink < 0) return appendPosition(mark);
  if (!mark.look.met) appendLine(mark.place.point, mark.place.wanted, thicker(mark.thin(), 1.5), mark.list);
  appendKnob(mark, 0.5 * (from + mark.place.point), along, Grip::Mark);
}

/// What both links hold: a bar from the end effector of the other link to the point where this one should be.
void appendBar(const Mark& mark) {
  const Figure& figure = *mark.document.figure;
  const Eigen::Vector3d start =
      mark.kinematics.worldFromLink[mark.goal.otherLink] * endEffectorOf(figure, mark.goal.otherLink).point;
  if ((mark.place.wanted - start).norm() < figure.meanLinkLength()) return;
  Stroke bar = mark.quiet();
  bar.thickness = std::max(bar.thickness, kBarRadius * mark.list.figureSize);
  appendLine(start, mark.place.wanted, bar, mark.list);
}

void appendRelative(const Mark& mark) {
  if (isTied(mark.goal)) appendBar(mark);
  appendFrames(mark, mark.place.wanted);
  appendLine(mark.place.point, mark.place.wanted, mark.thin(), mark.list);
  appendKnob(mark, 0.5 * (mark.place.point + mark.place.wanted), Eigen::Vector3d::UnitY(), Grip::Mark);
}

void appendKeepPose(const Mark& mark) {
  const auto [right, up] = screenAxes(mark.look.view);
  const double size = 1.6 * mark.look.size;
  const Eigen::Vector3d centre =
      mark.place.point + linkReach(mark.document.figure->link(mark.goal.link)) * right.cross(up) + 2.0 * size * up;
  appendSquare(centre, 0.5 * size * (right + up), 0.5 * size * (right - up), mark.thin(), mark.list);
  appendKnob(mark, centre, right.cross(up), Grip::Mark);
}

void appendCentreOfMass(const Mark& mark) {
  const Eigen::Vector3d &centre = mark.place.point, &target = mark.goal.target;
  const double foot = mark.look.planar ? target.y() : std::min(target.y(), mark.look.ground);
  appendBall(centre, mark.look.size, mark.quiet(), mark.list);
  appendDashes(centre, {centre.x(), foot, centre.z()}, mark.look.size, mark.quiet(), mark.list);
  appendRing({centre.x(), foot, centre.z()}, Eigen::Vector3d::UnitY(), kFootRing * mark.look.size, kSegments,
             mark.quiet(), mark.list);
  appendPlace(mark, target, {centre.x(), target.y(), centre.z()}, target);
}

/// An arrow from the bend in the target direction, projected normal to the dashed line through the limb's ends. The
/// knob turns it on a ring around that line. While unmet an arc from the current bend.
void appendSwivel(const Mark& mark) {
  const auto limb = limbOf(mark.document, mark.kinematics, mark.goal);
  if (!limb) return;
  const Eigen::Vector3d line = (limb->end - limb->root).stableNormalized();
  const Eigen::Vector3d direction = mark.goal.targetFrame.col(0), across = direction - line.dot(direction) * line;
  const Eigen::Vector3d toward = across.norm() > 1e-6 ? Eigen::Vector3d(across.normalized()) : limb->bend;
  const double reach = mark.reach();
  const Eigen::Vector3d tip = limb->middle + reach * toward;
  appendDashes(limb->root, limb->end, 1.5 * mark.look.size, mark.quiet(), mark.list);
  if (mark.look.selected) appendRing(limb->middle, line, reach, kLargeSegments, mark.quiet(), mark.list);
  appendArrow(limb->middle, tip, kHead * mark.look.size, mark.thin(), mark.list);
  appendKnob(mark, tip, toward, Grip::Tip);
  appendTurn(mark, limb->middle, limb->bend, toward, 0.8 * reach);
}

constexpr struct {
  GoalType type;
  void (*append)(const Mark& mark);
} kMarks[] = {
    {GoalType::Position, appendPosition},
    {GoalType::Orientation, appendOrientation},
    {GoalType::PositionOrientation, appendPositionOrientation},
    {GoalType::Direction, appendDirection},
    {GoalType::Aim, appendAim},
    {GoalType::Line, appendLineGoal},
    {GoalType::Plane, appendPlane<false>},
    {GoalType::HalfSpace, appendPlane<true>},
    {GoalType::Distance, appendDistance},
    {GoalType::Relative, appendRelative},
    {GoalType::KeepPose, appendKeepPose},
    {GoalType::CentreOfMass, appendCentreOfMass},
    {GoalType::Swivel, appendSwivel},
};
static_assert(isOfAllGoalTypes(kMarks), "a goal type has no mark, or its mark is out of order");

GoalLook lookOf(const Document& document, const Kinematics& kinematics, const Highlight& highlight,
                const GoalItem& goal, const GoalPlace& place, const DrawList& list) {
  const Figure& figure = *document.figure;
  const double mean = figure.meanLinkLength();
  const auto& idle = highlight.idleGoals;
  const GoalTypeInfo& info = infoOf(goal.type);
  const Eigen::Vector3d& at = info.target ? goal.target : place.point;
  GoalLook look;
  const double limb = info.isPlace ? kTargetOverLimb * limbRadius(figure, goal.link) : 0.0;
  look.size = std::clamp(limb, kMinTargetSize * mean, kMaxTargetSize * mean);
  look.size = std::max(look.size, pixels(highlight, kMinTargetPixels, at));
  look.reach = std::max({kReach * mean, 4.0 * look.size, pixels(highlight, kMinReachPixels, at)});
  look.extent = std::max(kLineExtent * list.figureSize, 2.0 * look.reach);
  look.ground = list.groundHeight;
  look.met = isMet(document, goalErrorOf(document, kinematics, goal));
  look.faint = document.mode == Mode::Forward || std::find(idle.begin(), idle.end(), goal.id) != idle.end();
  look.hovered = goal.id == highlight.hoveredGoal;
  look.hoveredGrip = highlight.hoveredGrip;
  look.selected = goal.id == document.selection.goal;
  look.planar = figure.isPlanar();
  look.ringsRest = look.selected && highlight.goalHasRings;
  look.view = highlight.view;
  return look;
}

void appendDragTarget(const Document& document, const Kinematics& kinematics, const Highlight& highlight,
                      DrawList& list) {
  GoalItem goal;
  goal.link = highlight.dragTargetLink;
  goal.pointInLink = highlight.dragPointInLink;
  goal.target = highlight.dragTarget;
  if (!highlight.hasDragTarget || !isWellFormed(document, goal)) return;
  goal.id = -1;
  Highlight plain = highlight;
  plain.hoveredGoal = -2;
  GoalLook look = lookOf(document, kinematics, plain, goal, placeOfGoal(document, kinematics, goal), list);
  look.selected = look.faint = false;
  appendGoalMark(document, kinematics, goal, look, list);
}

}  // namespace

void appendGoalMark(const Document& document, const Kinematics& kinematics, const GoalItem& goal, const GoalLook& look,
                    DrawList& list) {
  kMarks[static_cast<std::size_t>(goal.type)].append({document, kinematics, goal, look,
                                                      placeOfGoal(document, kinematics, goal),
                                                      targetColor(look.met, false, look.faint), list});
}

void appendGoals(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list) {
  if (highlight.showTargets)
    for (const GoalItem& goal : document.goals) {
      if (!goal.enabled || !isWellFormed(document, goal)) continue;
      if (const auto* picture = pictureOf(document, goal); picture && picture != shownPicture(document)) continue;
      const GoalPlace place = placeOfGoal(document, kinematics, goal);
      appendGoalMark(document, kinematics, goal, lookOf(document, kinematics, highlight, goal, place, list), list);
    }
  appendDragTarget(document, kinematics, highlight, list);
}

}  // namespace limber::render
