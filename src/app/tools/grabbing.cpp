// SPDX-License-Identifier: MIT
// Moves, turns and resets the selection by keys.
#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

#include "app/drag/obstacle_handles.h"
#include "app/tools/tools.h"
#include "limber/problem/goal_error.h"
#include "limber/problem/joint_turn.h"
#include "limber/problem/new_goal.h"

namespace limber::app {

namespace {

/// The hit that a press on the gizmo's subject would give.
Hit hitOf(const Gizmo& gizmo) {
  Hit hit;
  hit.point = gizmo.mark.centre;
  if (gizmo.subject == Subject::Goal) hit.goal = gizmo.id;
  else if (gizmo.subject == Subject::Obstacle) hit.obstacle = gizmo.id;
  else hit.link = gizmo.id;
  return hit;
}

bool canBeGrabbed(const Gizmo& gizmo, Grabbed what) {
  const auto& mark = gizmo.mark;
  const auto has = [](const std::array<bool, 3>& parts) { return std::ranges::find(parts, true) != parts.end(); };
  return what == Grabbed::Place ? has(mark.arrows) : has(mark.rings);
}

std::string whyNot(const Stage& stage, Grabbed what) {
  const Document& document = stage.document();
  const Selection& selection = document.selection;
  if (selection.joint < 0 && selection.goal < 0 && selection.obstacle < 0)
    return "select a link, a target or an obstacle first: click on it";
  if (what == Grabbed::Turn) return "this cannot be turned";
  if (document.mode != Mode::Inverse) return "links and targets are moved in inverse mode: Space switches";
  return "this cannot be moved";
}

/// The joint and its ancestors at the same point, such as the three hinges of a shoulder.
std::vector<int> jointsAtOnePoint(const Figure& figure, int joint) {
  std::vector<int> joints = {joint};
  for (int parent = figure.link(joint).parent; parent >= 0; joint = parent, parent = figure.link(parent).parent) {
    const bool isSamePoint =
        figure.joint(joint).parentFromJoint.translation.isZero(1e-9) && figure.link(parent).capsules.empty();
    if (!isSamePoint) break;
    joints.push_back(parent);
  }
  return joints;
}

void clearJoint(Document& document, int joint, Grabbed what) {
  const Figure& figure = *document.figure;
  const Joint& j = figure.joint(joint);
  const Pose rest = restPose(figure);
  const bool isPlace = what == Grabbed::Place;
  const auto take = [&](int first, int count) {
    document.pose.coordinates.segment(j.poseIndex + first, count) =
        rest.coordinates.segment(j.poseIndex + first, count);
  };
  switch (j.type) {
    case JointType::Fixed: return;
    case JointType::Prismatic:
      if (isPlace) take(0, 1);
      return;
    case JointType::Revolute:
    case JointType::Ball:
      if (!isPlace) take(0, poseSize(j.type));
      return;
    case JointType::Free:
      if (isPlace) take(0, 3);
      else setJointRotation(figure, joint, jointRotation(figure, rest, joint), document.pose);
      return;
  }
}

void clearJoints(Document& document, const std::vector<int>& joints, Grabbed what) {
  const Document before = document;
  for (const int joint : joints)
    if (!document.joints[joint].locked) clearJoint(document, joint, what);
  clampToLimits(document, document.pose);
  if (document.mode == Mode::Inverse) bringTargetsAlong(before, document);
}

void clearGoal(Document& document, const Kinematics& kinematics, GoalItem& goal, Grabbed what) {
  GoalItem present = goal;
  moveTargetToEndEffector(document, kinematics, present);
  if (what == Grabbed::Place) goal.target = present.target;
  else goal.targetFrame = present.targetFrame;
}

}  // namespace

void grabSelected(Stage& stage, Grabbed what) {
  Pointer& pointer = stage.pointer;
  if (pointer.isModal) cancelTool(stage);
  if (pointer.tool || stage.ui.planting) return;
  updateScene(stage);
  const Document& document = stage.document();
  const auto kind = what == Grabbed::Place ? GizmoTool::Kind::Move : GizmoTool::Kind::Turn;
  const auto gizmo =
      gizmoOf(document, stage.picture.kinematics, {kind, stage.picture.gizmo.isLocal, stage.picture.gizmo.world});
  if (!gizmo || !canBeGrabbed(*gizmo, what)) return stage.say(whyNot(stage, what));
  pointer.pressed = hitOf(*gizmo);
  auto drag = beginFreeDrag(document, stage.picture.kinematics, *gizmo, what == Grabbed::Turn, stage.picture.view(),
                            pointer.x, pointer.y);
  drag->turnTogether(turnedTogether(partsOf(document), document.selection));
  pointer.tool = makeDragTool(std::move(drag));
  pointer.button = Button::Left;
  pointer.isClick = false;
  pointer.isModal = true;
  pointer.tool->begin(stage);
}

void clearSelected(Stage& stage, Grabbed what) {
  const Selection selection = stage.document().selection;
  const Figure& figure = *stage.document().figure;
  stage.solving.cancel();
  const std::string label = what == Grabbed::Place ? "clear the place" : "clear the rotation";
  const Obstacle fresh = newBox(stage.picture.drawList.figureSize, stage.picture.drawList.groundHeight);
  const bool isAll = selection.joint < 0 && selection.goal < 0 && selection.obstacle < 0;
  std::vector<int> joints;
  for (const int joint : selection.allLinks())
    std::ranges::copy(jointsAtOnePoint(figure, joint), std::back_inserter(joints));
  for (int i = 0; isAll && i < figure.linkCount(); ++i) joints.push_back(i);
  const bool isChanged = stage.editor.edit(label, "", [&](Document& d) {
    if (Obstacle* obstacle = findObstacle(d, selection.obstacle)) {
      if (what == Grabbed::Place) obstacle->worldFromObstacle.translation = fresh.worldFromObstacle.translation;
      else obstacle->worldFromObstacle.rotation.setIdentity();
    } else if (GoalItem* goal = findGoal(d, selection.goal)) {
      clearGoal(d, stage.picture.kinematics, *goal, what);
    } else {
      clearJoints(d, joints, what);
    }
  });
  stage.say(!isChanged ? "nothing to clear here"
                       : std::string(what == Grabbed::Place ? "place" : "rotation") + (isAll ? " of all joints" : "") +
                             " cleared, Ctrl+Z undoes");
}

void chooseTool(Stage& stage, GizmoTool::Kind kind) {
  GizmoTool& tool = stage.picture.gizmo;
  if (tool.kind == kind && kind != GizmoTool::Kind::Select) return toggleAxes(stage);
  tool.kind = kind;
  if (kind == GizmoTool::Kind::Select) return stage.say("no gizmo: drag the figure itself");
  const bool isMove = kind == GizmoTool::Kind::Move;
  if (gizmoOf(stage.document(), stage.picture.kinematics, tool))
    return stage.say((isMove ? "move gizmo, " : "rotate gizmo, ") +
                     keyIn(stage, isMove ? Command::MoveTool : Command::TurnTool) + " changes its axes");
  stage.say(isMove ? "move gizmo: on a target, a link, a pinned link or an obstacle, once it is selected"
                   : "rotate gizmo: on a joint, a target with a direction or an obstacle, once it is selected");
}

void toggleAxes(Stage& stage) {
  stage.picture.gizmo.isLocal = !stage.picture.gizmo.isLocal;
  stage.say(stage.picture.gizmo.isLocal ? "axes of the selection" : "axes of the world");
}

}  // namespace limber::app
