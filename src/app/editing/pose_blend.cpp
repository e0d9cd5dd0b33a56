// SPDX-License-Identifier: MIT
#include "app/editing/pose_blend.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "limber/body/body_map.h"

namespace limber::app {

namespace {

constexpr double kAlways = 0.05;  // radians: a smaller change is never a jump
constexpr double kPerRoot = 3.0;  // a straight limb of two bones turns by 2 sqrt(2 moved); the joints above it by less

double smoothStep(double t) { return t * t * (3.0 - 2.0 * t); }

/// The length of a link's limb from its base to the end of the link, along the links; metres.
double limbReach(const Figure& figure, int link) {
  const std::vector<char> limb = bodyMapOf(figure).limbOf(link);
  double reach = figure.linkLength(link);
  for (int parent = figure.link(link).parent; parent >= 0 && limb[parent];
       link = parent, parent = figure.link(link).parent)
    reach += figure.joint(link).parentFromJoint.translation.norm();
  return reach > 0.0 ? reach : figure.meanLinkLength();
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
  return largestMove(figure, from, to) > kAlways + kPerRoot * std::sqrt(2.0 * moved);
}

std::vector<PoseBlend::Asked> PoseBlend::whatIsAsked(const Document& document, const PosingRequest& request) {
  std::vector<Asked> asked;
  const auto addGoal = [&](const GoalItem& goal) {
    if (!goal.enabled) return;
    asked.push_back({goal.link, goal.target});
    for (int axis = 0; axis < 2; ++axis) asked.push_back({-1, goal.targetFrame.col(axis)});
  };
  for (const GoalItem& goal : document.goals) addGoal(goal);
  for (const GoalItem& goal : request.images) addGoal(goal);
  for (const Pin& pin : document.pins) asked.push_back({pin.link, pin.worldFromLink.translation});
  if (request.drag) asked.push_back({request.drag->link, request.drag->target});
  return asked;
}

void PoseBlend::ask(const Document& document, const PosingRequest& request) {
  const std::vector<Asked> before = std::exchange(asked_, whatIsAsked(document, request));
  isSameQuestion_ = request.followsLast && std::ranges::equal(before, asked_, {}, &Asked::link, &Asked::link);
  moved_ = 0.0;
  if (!isSameQuestion_) return;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double way = (asked_[i].target - before[i].target).norm();
    if (way == 0.0) continue;
    moved_ = std::max(moved_, asked_[i].link < 0 ? way : way / limbReach(*document.figure, asked_[i].link));
  }
}

void PoseBlend::arrive(const Document& document, const Pose& before, const Pose& shown, double now) {
  const bool goesOn = isRunning(now) && to_ == before;
  const bool isAsked = isSameQuestion_ || document.solver.pathIndependent;
  const bool jumps = isAsked && isJump(*document.figure, before, document.pose, moved_);
  to_ = {};
  if (jumps) {
    from_ = shown;
    started_ = lastJump_ = now;
  }
  if (!jumps && !goesOn) return;
  to_ = document.pose;
  findWay(document, !jumps);
}

/// The step from from_ to to_. Unlimited angles take the shorter way; in a running blend they keep their direction.
void PoseBlend::findWay(const Document& document, bool goesOn) {
  const Eigen::VectorXd begun = way_;
  difference(*document.figure, from_, to_, way_);
  for (int i = 0; i < document.figure->linkCount(); ++i) {
    if (!goesRound(document, i)) continue;
    const int c = document.figure->joint(i).stepIndex;
    way_[c] = goesOn ? begun[c] + wrapAngle(way_[c] - begun[c]) : wrapAngle(way_[c]);
  }
}

std::optional<Pose> PoseBlend::at(const Document& document, double now) const {
  if (!isRunning(now) || !(to_ == document.pose)) return std::nullopt;
  Pose pose;
  integrate(*document.figure, from_, smoothStep((now - started_) / kBlendSeconds) * way_, pose);
  clampToLimits(document, pose);
  return pose;
}

std::string PoseBlend::sentence() const {
  return isSameQuestion_ ? "a limb switched to its other bend (Ctrl+Z undoes it)"
                         : "path-independent: joints that nothing holds return to the base pose";
}

}  // namespace limber::app
