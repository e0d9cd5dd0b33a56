// SPDX-License-Identifier: MIT
#include "limber/posing/mirror_images.h"

#include <algorithm>
#include <utility>

#include "limber/body/mirror.h"
#include "limber/posing/posed_problem.h"

namespace limber {

namespace {

constexpr double kIsOwnImage = 1e-9;  // mean link lengths

/// Adds the image of a goal, unless the goal is its own image or the image's link has a goal.
void addImage(const IkProblem& problem, const Mirror& mirror, const GoalItem& goal, const std::string& name,
              std::vector<GoalItem>& images) {
  GoalItem image = goal;
  if (!mirrorGoal(*problem.figure, *problem.symmetry, mirror, image)) return;
  const double near = kIsOwnImage * problem.figure->meanLinkLength();
  const bool isOwn = image.link == goal.link && (image.pointInLink - goal.pointInLink).norm() < near &&
                     (image.target - goal.target).norm() < near && image.targetFrame.isApprox(goal.targetFrame, 1e-9);
  const auto isAsked = [&](const GoalItem& other) { return other.enabled && other.link == image.link; };
  if (isOwn || (image.link != goal.link && std::any_of(problem.goals.begin(), problem.goals.end(), isAsked))) return;
  image.id = -1;
  image.name = name;
  images.push_back(std::move(image));
}

void addHold(const IkProblem& problem, const Mirror& mirror, Hold hold, PosingRequest& request) {
  if (mirrorGoal(*problem.figure, *problem.symmetry, mirror, hold.goal)) request.holds.push_back(std::move(hold));
}

/// Adds holds for the image of a pin: one point, or three if the rotation is pinned, too.
void addPinImage(const IkProblem& problem, const Mirror& mirror, const Pin& pin, PosingRequest& request) {
  const int partner = problem.symmetry->partner[pin.link];
  if (partner < 0 || partner == pin.link || findPin(problem, partner) || !pin.position) return;
  const double length = problem.figure->meanLinkLength();
  const auto hold = [&](const Eigen::Vector3d& point) {
    addHold(problem, mirror, holdPoint(pin.link, point, pin.worldFromLink * point), request);
  };
  hold(pin.pointInLink);
  if (!pin.rotation) return;
  hold(pin.pointInLink + length * Eigen::Vector3d::UnitX());
  hold(pin.pointInLink + length * Eigen::Vector3d::UnitY());
}

}  // namespace

PosingRequest withMirrorImages(const IkProblem& problem, PosingRequest request) {
  if (!problem.symmetry) return request;
  const Symmetry& symmetry = *problem.symmetry;
  const Pose& start = request.startPose ? *request.startPose : problem.pose;
  if (!isValid(*problem.figure, start)) return request;
  const Mirror mirror = mirrorAt(*problem.figure, symmetry, start);
  for (const GoalItem& goal : problem.goals)
    if (goal.enabled && goal.anyOf < 0) addImage(problem, mirror, goal, "mirror image", request.images);
  if (request.drag) addImage(problem, mirror, itemOf(*request.drag), "mirror image of the drag", request.images);
  for (const Pin& pin : problem.pins) addPinImage(problem, mirror, pin, request);
  const std::vector<Hold> holds = request.holds;
  for (const Hold& hold : holds) {
    const int partner = symmetry.partner[hold.goal.link];
    const auto isOfPartner = [&](const Hold& other) { return other.goal.link == partner; };
    if (partner >= 0 && std::none_of(holds.begin(), holds.end(), isOfPartner)) addHold(problem, mirror, hold, request);
  }
  return request;
}

BodySide leadingSide(const IkProblem& problem, const PosingRequest& request) {
  const auto sideOf = [&](int link) { return link < 0 ? BodySide::Middle : problem.symmetry->side[link]; };
  for (const int link : {request.drag ? request.drag->link : -1, request.leadingLink})
    if (const BodySide side = sideOf(link); side != BodySide::Middle) return side;
  return BodySide::Left;
}

}  // namespace limber
