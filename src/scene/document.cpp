// SPDX-License-Identifier: MIT
#include "scene/document.h"

#include <algorithm>
#include <cassert>

#include "kinematics/forward_kinematics.h"
#include "scene/new_goal.h"

namespace limber {

namespace {

/// The assignment's weights leave a millimetre on an arm of a metre; a figure that is dragged should meet its target.
constexpr double kFigureRestWeight = 0.1;
/// A chain keeps those weights: up to pi w_reg / w_tar = 0.003 links of its error are the pull to rest, not a miss.
constexpr double kChainReachedTolerance = 1e-2;

/// Links in one line, hinged in the plane or all on balls: the assignment's chain or its sister, not a robot's arm.
bool isChain(const Figure& figure) {
  const JointType type = figure.joint(0).type;
  if (type != JointType::Ball && !(type == JointType::Revolute && figure.isPlanar())) return false;
  for (int i = 0; i < figure.linkCount(); ++i)
    if (figure.joint(i).type != type || figure.link(i).parent != i - 1) return false;
  return true;
}

}  // namespace

Document makeDocument(std::shared_ptr<const Figure> figure, std::shared_ptr<const Motion> motion) {
  assert(figure);
  Document document;
  document.figure = std::move(figure);
  document.motion = std::move(motion);
  const Figure& f = *document.figure;
  for (const Joint& joint : f.joints())
    document.joints.push_back(
        {joint.limits, joint.ballLimits, joint.rigidity, joint.locked, joint.translationLocked});
  document.couplingEnabled.assign(f.couplings().size(), 1);
  document.linearLimitEnabled.assign(f.linearLimits().size(), 1);
  document.pose = restPose(f);
  if (document.motion && document.motion->frameCount > 0) document.pose = document.motion->poseAt(f, 0);
  const bool chain = isChain(f);
  document.solver.reference = chain ? RestReference::RestPose : RestReference::StartPose;
  if (chain) document.solver.reachedTolerance = kChainReachedTolerance;
  else document.solver.restWeight = kFigureRestWeight;
  if (const int tip = f.findSite("tip"); chain && tip >= 0) {
    const Site& site = f.sites()[static_cast<std::size_t>(tip)];
    addGoal(document, site.link, site.linkFromSite.translation);
  }
  return document;
}

const GoalItem* findGoal(const Document& document, int id) {
  const auto found = std::find_if(document.goals.begin(), document.goals.end(),
                                  [&](const GoalItem& goal) { return goal.id == id; });
  return found == document.goals.end() ? nullptr : &*found;
}

GoalItem* findGoal(Document& document, int id) {
  return const_cast<GoalItem*>(findGoal(static_cast<const Document&>(document), id));
}

int addGoal(Document& document, int link, const Eigen::Vector3d& pointInLink) {
  return addGoal(document, GoalType::Position, {.link = link, .point = pointInLink});
}

void removeGoal(Document& document, int id) {
  std::erase_if(document.goals, [&](const GoalItem& goal) { return goal.id == id; });
  if (document.selection.goal == id) document.selection.goal = -1;
}

void moveTargetsToEndEffectors(Document& document) {
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  for (GoalItem& goal : document.goals) moveTargetToEndEffector(document, kinematics, goal);
}

void setMode(Document& document, Mode mode) {
  if (mode == Mode::Inverse && document.mode != Mode::Inverse) moveTargetsToEndEffectors(document);
  document.mode = mode;
}

void resetPose(Document& document) {
  document.pose = restPose(*document.figure);
  clampToLimits(document, document.pose);
  moveTargetsToEndEffectors(document);
}

void turnJoint(Document& document, int joint, int coordinate, double amount) {
  const Joint& j = document.figure->joint(joint);
  if (coordinate < 0 || coordinate >= stepSize(j.type)) return;
  Eigen::VectorXd step = Eigen::VectorXd::Zero(document.figure->stepSize());
  step[j.stepIndex + coordinate] = amount;
  integrate(*document.figure, document.pose, step, document.pose);
  clampToLimits(document, document.pose);
  wrapAngles(*document.figure, document.pose);
}

void clampToLimits(const Document& document, Pose& pose) {
  for (int i = 0; i < document.figure->linkCount(); ++i) {
    const Joint& joint = document.figure->joint(i);
    if (joint.type != JointType::Revolute && joint.type != JointType::Prismatic) continue;
    const Interval& limits = document.joints[static_cast<std::size_t>(i)].limits;
    double& q = pose.coordinates[joint.poseIndex];
    q = std::clamp(q, limits.lower, limits.upper);
  }
}

void showFrame(Document& document, int frame) {
  if (!document.motion || document.motion->frameCount == 0) return;
  document.frame = std::clamp(frame, 0, document.motion->frameCount - 1);
  document.pose = document.motion->poseAt(*document.figure, document.frame);
  moveTargetsToEndEffectors(document);
}

}  // namespace limber
