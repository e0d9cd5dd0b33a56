// SPDX-License-Identifier: MIT
#include "limber/posing/gaze.h"

#include <algorithm>
#include <cmath>

#include "limber/body/body_map.h"
#include "limber/goals/level_goal.h"
#include "limber/goals/position_goal.h"
#include "limber/problem/goal_types.h"

namespace limber {

namespace {

constexpr double kLiesBelow = 0.5;  // cosine of the trunk's lean: a body that leans more counts as lying
constexpr double kLevel = 1000.0;   // weight of the axis that stays level
constexpr double kInPlace = 40.0;   // weight of the head's place, for a shift by a mean link length
constexpr double kAhead = 0.5;      // cosine of the angle from the head's forward direction to a line of sight

/// By link: columns left, up and forward of the standing body in the link's frame, in the T-pose or at rest.
using LinkAxes = std::vector<Eigen::Matrix3d>;

/// The link that carries the limb of `link`: the chest for a head. -1 if the limb is the whole figure.
int carrierOf(const Figure& figure, int link) {
  const std::vector<char> limb = bodyMapOf(figure).limbOf(link);
  while (link >= 0 && limb[link]) link = figure.link(link).parent;
  return link;
}

LinkAxes axesOf(const Figure& figure, const Symmetry& symmetry) {
  const Kinematics rest = transformsOf(figure, symmetry.rest);
  const Eigen::Vector3d up = Eigen::Vector3d::UnitY();
  const Eigen::Vector3d left = (symmetry.normal - symmetry.normal.dot(up) * up).normalized();
  Eigen::Matrix3d body;
  body << left, up, left.cross(up);
  LinkAxes axes;
  for (const Transform& world : rest.worldFromLink) axes.push_back(world.rotation.transpose() * body);
  return axes;
}

Gaze gazeOf(const Figure& figure, const Sight& sight, int head, int carrier, const LinkAxes& axes,
            const Kinematics& start) {
  Gaze gaze{.sight = sight, .head = head};
  const Eigen::Vector3d left = axes[sight.link].col(0);
  gaze.left = (left - left.dot(sight.direction) * sight.direction).normalized();
  const Eigen::Vector3d trunk = start.worldFromLink[carrier].rotation * axes[carrier].col(1);
  if (trunk.y() < kLiesBelow) gaze.up = trunk;
  for (int i = sight.link; i != carrier; i = figure.link(i).parent) gaze.neck.push_back(i);
  for (int i = carrier; figure.link(i).parent >= 0 && !figure.isFreeRoot(i); i = figure.link(i).parent)
    gaze.spine.push_back({i, axes[i].col(1)});
  return gaze;
}

bool looksAhead(const Sight& sight, const LinkAxes& axes) {
  return std::abs(axes[sight.link].col(2).dot(sight.direction)) >= kAhead;
}

/// True for a link on the middle plane of an animal or robot that is attached to a trunk and carries no limbs.
bool isHeadOf(const Figure& figure, const Symmetry& symmetry, int link, int carrier) {
  return symmetry.partner[link] == link && carrier >= 0 && !bodyMapOf(figure).trunks()[link];
}

}  // namespace

bool isGaze(const GoalItem& goal) {
  return (goal.type == GoalType::Aim || goal.type == GoalType::Direction) && !isTied(goal);
}

std::vector<Gaze> findGazes(const IkProblem& problem, std::span<const Sight> sights, const Kinematics& start) {
  std::vector<Gaze> gazes;
  const Figure& figure = *problem.figure;
  const BodyMap& body = bodyMapOf(figure);
  if (sights.empty() || !body.hasLimbs()) return gazes;
  if (const auto& roles = body.roles()) {
    const int head = roles->find(BodyPart::Head);
    for (const Sight& sight : sights) {
      if (head < 0 || !figure.isAncestorOrSelf(head, sight.link) || !looksAhead(sight, roles->linkFromTPose)) continue;
      const int carrier = carrierOf(figure, sight.link);
      if (carrier >= 0) gazes.push_back(gazeOf(figure, sight, head, carrier, roles->linkFromTPose, start));
    }
    return gazes;
  }
  const auto symmetry = problem.symmetry ? problem.symmetry : body.symmetry().symmetry;
  if (!symmetry || symmetry->isByNames || std::abs(symmetry->normal.y()) > kAhead) return gazes;
  const LinkAxes axes = axesOf(figure, *symmetry);
  for (const Sight& sight : sights) {
    const int carrier = carrierOf(figure, sight.link);
    if (isHeadOf(figure, *symmetry, sight.link, carrier) && looksAhead(sight, axes))
      gazes.push_back(gazeOf(figure, sight, sight.link, carrier, axes, start));
  }
  return gazes;
}

bool isOfGaze(const GoalItem& goal, const Gaze& gaze) {
  return isGaze(goal) && goal.link == gaze.sight.link && goal.frameInLink.col(0) == gaze.sight.direction;
}

std::vector<std::unique_ptr<Goal>> makeGazeGoals(const Gaze& gaze, const Kinematics& start, double weight,
                                                 double meanLinkLength) {
  std::vector<std::unique_ptr<Goal>> goals;
  goals.push_back(std::make_unique<LevelGoal>(gaze.sight.link, gaze.left, gaze.up, kLevel * weight));
  if (gaze.sight.isDragged)
    goals.push_back(std::make_unique<PositionGoal>(gaze.head, Eigen::Vector3d::Zero(),
                                                   start.worldFromLink[gaze.head].translation, kInPlace * weight,
                                                   meanLinkLength));
  return goals;
}

}  // namespace limber
