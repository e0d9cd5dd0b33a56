// SPDX-License-Identifier: MIT
#include "app/pose_blend.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace limber::app {

namespace {

constexpr double kAlways = 0.05;    // radians: a smaller difference is none
constexpr double kPerRoot = 4.0;    // radians for the root of a mean link length: twice that of a straight limb of two
                                    // bones, 2 sqrt(2 moved), with a third for the joints above it

double smoothStep(double t) { return t * t * (3.0 - 2.0 * t); }

std::vector<Eigen::Vector3d> targetsOf(const Document& document, const PosingRequest& request) {
  const double unit = document.figure->meanLinkLength();
  std::vector<Eigen::Vector3d> targets;
  for (const GoalItem& goal : document.goals) {
    if (!goal.enabled) continue;
    targets.push_back(goal.target);
    for (int axis = 0; axis < 2; ++axis) targets.push_back(unit * goal.targetFrame.col(axis));
  }
  for (const Pin& pin : document.pins) targets.push_back(pin.worldFromLink.translation);
  if (request.drag) targets.push_back(request.drag->target);
  return targets;
}

}  // namespace

double largestMove(const Figure& figure, const Pose& from, const Pose& to) {
  Eigen::VectorXd step;
  difference(figure, from, to, step);
  double largest = 0.0;
  for (const Joint& joint : figure.joints()) {
    const int size = stepSize(joint.type);
    const int slides = joint.type == JointType::Prismatic ? 1 : size == 6 ? 3 : 0;
    const auto part = step.segment(joint.stepIndex, size);
    const double turn = part.tail(size - slides).norm();
    largest = std::max({largest, part.head(slides).norm() / figure.meanLinkLength(),
                        joint.type == JointType::Revolute ? std::abs(wrapAngle(turn)) : turn});
  }
  return largest;
}

bool isJump(const Figure& figure, const Pose& from, const Pose& to, double moved) {
  return largestMove(figure, from, to) > kAlways + kPerRoot * std::sqrt(moved);
}

void PoseBlend::ask(const Document& document, const PosingRequest& request) {
  const std::vector<Eigen::Vector3d> before = std::exchange(asked_, targetsOf(document, request));
  isSameQuestion_ = request.followsLast && before.size() == asked_.size();
  moved_ = 0.0;
  if (!isSameQuestion_) return;
  for (std::size_t i = 0; i < before.size(); ++i) moved_ = std::max(moved_, (asked_[i] - before[i]).norm());
  moved_ /= document.figure->meanLinkLength();
}

void PoseBlend::arrive(const Document& document, const Pose& before, const Pose& shown, double now) {
  const bool goesOn = isRunning(now) && to_ == before;
  const bool jumps = isJump(*document.figure, before, document.pose, moved_);
  to_ = {};
  if (jumps) {
    from_ = shown;
    started_ = lastJump_ = now;
  }
  if (jumps || goesOn) to_ = document.pose;
}

std::optional<Pose> PoseBlend::at(const Document& document, double now) const {
  if (!isRunning(now) || !(to_ == document.pose)) return std::nullopt;
  Eigen::VectorXd step;
  difference(*document.figure, from_, to_, step);
  for (int i = 0; i < document.figure->linkCount(); ++i) {  // what goes round takes the short way
    double& turn = step[document.figure->joint(i).stepIndex];
    if (goesRound(document, i)) turn = wrapAngle(turn);
  }
  Pose pose;
  integrate(*document.figure, from_, smoothStep((now - started_) / kBlendSeconds) * step, pose);
  clampToLimits(document, pose);
  return pose;
}

std::string PoseBlend::sentence() const {
  return isSameQuestion_ ? "the pose jumps here: another bend is nearer"
                         : "path-independent: what nothing holds goes back to the base pose";
}

}  // namespace limber::app
