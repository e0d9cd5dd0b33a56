// SPDX-License-Identifier: MIT
#include "app/drag/gizmo_subject.h"

#include "app/drag/goal_handles.h"
#include "limber/problem/goal_place.h"
#include "limber/problem/goal_types.h"
#include "limber/problem/new_goal.h"

namespace limber::app {

namespace {

using ToolKind = GizmoTool::Kind;
constexpr double kAtOnePlace = 1e-3;  // of a mean link length
constexpr std::array<bool, 3> kAll = {true, true, true}, kNone = {}, kFirst = {true, false, false};

/// Arrows and squares; a planar figure stays in its plane.
void addArrows(const Document& document, render::GizmoMark& mark) {
  const bool isPlanar = document.figure->isPlanar();
  mark.arrows = {true, true, !isPlanar};
  mark.squares = isPlanar ? std::array<bool, 3>{false, false, true} : kAll;
}

void addRings(const Document& document, render::GizmoMark& mark) {
  const bool isPlanar = document.figure->isPlanar();
  mark.rings = isPlanar ? std::array<bool, 3>{false, false, true} : kAll;
  mark.viewRing = !isPlanar;
}

std::optional<Gizmo> ofObstacle(const Document& document, const GizmoTool& tool) {
  const Obstacle* obstacle = findObstacle(document, document.selection.obstacle);
  if (!obstacle || !obstacle->enabled || tool.kind == ToolKind::Select) return std::nullopt;
  Gizmo gizmo{.subject = Subject::Obstacle, .id = obstacle->id};
  gizmo.mark.centre = obstacle->worldFromObstacle.translation;
  if (tool.kind == ToolKind::Move) {
    gizmo.mark.arrows = gizmo.mark.squares = kAll;
  } else {
    gizmo.mark.rings = kAll;
    gizmo.mark.viewRing = true;
  }
  return gizmo;
}

std::optional<Gizmo> ofGoal(const Document& document, const Kinematics& kinematics, const GizmoTool& tool) {
  const GoalItem* goal = findGoal(document, document.selection.goal);
  if (!goal || !goal->enabled || !isWellFormed(document, *goal) || tool.kind == ToolKind::Select) return std::nullopt;
  Gizmo gizmo{.subject = Subject::Goal, .id = goal->id};
  gizmo.mark.centre = goal->target;
  if (tool.kind == ToolKind::Move) {
    if (!hasMovableTarget(*goal)) return std::nullopt;
    addArrows(document, gizmo.mark);
    for (std::size_t axis = 0; infoOf(goal->type).isLevel && axis < 3; ++axis) {
      const bool isUp = tool.world(1, static_cast<Eigen::Index>(axis)) != 0.0;
      if (isUp) gizmo.mark.arrows[axis] = false;
      else gizmo.mark.squares[axis] = false;
    }
    return gizmo;
  }
  if (!hasTargetFrame(*goal)) return std::nullopt;
  gizmo.mark.centre = turnCentreOf(document, kinematics, *goal);
  addRings(document, gizmo.mark);
  return gizmo;
}

/// The gizmo of a pinned or pulled link.
std::optional<Gizmo> ofLink(const Document& document, const Kinematics& kinematics, const GizmoTool& tool) {
  const int link = document.selection.joint;
  const bool isMove = tool.kind == ToolKind::Move;
  const Pin* pin = findPin(document, link);
  Gizmo gizmo{.subject = pin ? Subject::Pin : Subject::Link, .id = link};
  if (pin && tool.kind != ToolKind::Select && (isMove ? pin->position : pin->rotation)) {
    gizmo.mark.centre = pin->worldFromLink * pin->pointInLink;
  } else if (isMove && !pin && document.mode == Mode::Inverse) {
    const Transform& worldFromLink = kinematics.worldFromLink[link];
    const Figure& figure = *document.figure;
    const bool isTrunk = figure.link(link).parent < 0 || figure.isFreeRoot(link);  // gizmo at its origin, not its end
    gizmo.mark.centre = isTrunk ? worldFromLink.translation : worldFromLink * endEffectorOf(figure, link).point;
  } else {
    return std::nullopt;
  }
  isMove ? addArrows(document, gizmo.mark) : addRings(document, gizmo.mark);
  return gizmo;
}

/// The selected hinges at the place of a joint, itself included, which together turn one body. Empty unless there are
/// two or three.
std::vector<int> hingesAt(const Document& document, const Kinematics& kinematics, int joint) {
  const Figure& figure = *document.figure;
  const auto placeOf = [&](int link) { return kinematics.worldFromLink[link].translation; };
  std::vector<int> hinges;
  for (const int link : document.selection.links)
    if (figure.joint(link).type == JointType::Revolute &&
        (placeOf(link) - placeOf(joint)).norm() < kAtOnePlace * figure.meanLinkLength())
      hinges.push_back(link);
  if (hinges.size() < 2 || hinges.size() > 3 || figure.joint(joint).type != JointType::Revolute) hinges.clear();
  return hinges;
}

/// A ring for each of several hinges in a row.
void addHinges(const Document& document, const Kinematics& kinematics, const std::vector<int>& hinges, Gizmo& gizmo) {
  for (std::size_t i = 0; i < hinges.size(); ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    gizmo.hinges[i] = hinges[i];
    gizmo.mark.rings[i] = true;
    gizmo.mark.axes.col(column) =
        worldFromJoint(*document.figure, kinematics, hinges[i]).rotation * document.figure->joint(hinges[i]).axis;
  }
}

std::optional<Gizmo> ofJoint(const Document& document, const Kinematics& kinematics, const GizmoTool& tool) {
  const Figure& figure = *document.figure;
  const int joint = document.selection.joint;
  const Joint& j = figure.joint(joint);
  Gizmo gizmo{.subject = Subject::Joint, .id = joint};
  gizmo.mark.centre = kinematics.worldFromLink[joint].translation;
  const bool isHinge = j.type == JointType::Revolute;
  if (const std::vector<int> hinges = hingesAt(document, kinematics, joint); !hinges.empty()) {
    addHinges(document, kinematics, hinges, gizmo);
    return gizmo;
  }
  switch (j.type) {
    case JointType::Fixed: return std::nullopt;
    case JointType::Revolute:
    case JointType::Prismatic: {
      const Eigen::Vector3d axis = worldFromJoint(figure, kinematics, joint).rotation * j.axis;
      gizmo.mark.isJoint = true;
      gizmo.mark.axes.col(0) = axis;
      gizmo.mark.axes.col(1) = axis.unitOrthogonal();
      gizmo.mark.axes.col(2) = axis.cross(gizmo.mark.axes.col(1));
      (isHinge ? gizmo.mark.rings : gizmo.mark.arrows) = kFirst;
      return gizmo;
    }
    case JointType::Ball:
    case JointType::Free:
      if (tool.kind == ToolKind::Move && j.type == JointType::Free) gizmo.mark.arrows = gizmo.mark.squares = kAll;
      else gizmo.mark.rings = kAll;
      gizmo.mark.viewRing = gizmo.mark.rings != kNone;
      return gizmo;
  }
  return std::nullopt;
}

}  // namespace

bool hasTargetFrame(const GoalItem& goal) { return infoOf(goal.type).hasTargetFrame() && !infoOf(goal.type).isBend; }

std::optional<Gizmo> gizmoOf(const Document& document, const Kinematics& kinematics, const GizmoTool& tool) {
  auto gizmo = ofObstacle(document, tool);
  if (!gizmo) gizmo = ofGoal(document, kinematics, tool);
  const int joint = document.selection.joint;
  if (!gizmo && joint >= 0 && joint < document.figure->linkCount()) {
    gizmo = ofLink(document, kinematics, tool);
    if (!gizmo) gizmo = ofJoint(document, kinematics, tool);
  }
  if (!gizmo || gizmo->mark.isJoint || gizmo->hinges[0] >= 0) return gizmo;
  const bool isOwn = tool.isLocal || (gizmo->subject == Subject::Joint && tool.kind == ToolKind::Select);
  gizmo->mark.axes = isOwn ? makeDragged(document, gizmo->subject, gizmo->id)->axes(document, kinematics) : tool.world;
  return gizmo;
}

}  // namespace limber::app
