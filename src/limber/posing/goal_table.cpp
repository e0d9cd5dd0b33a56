// SPDX-License-Identifier: MIT
#include "limber/posing/goal_table.h"

#include <cassert>
#include <cmath>

#include "limber/goals/aim_goal.h"
#include "limber/goals/centre_of_mass_goal.h"
#include "limber/goals/direction_goal.h"
#include "limber/goals/distance_goal.h"
#include "limber/goals/line_goal.h"
#include "limber/goals/orientation_goal.h"
#include "limber/goals/plane_goal.h"
#include "limber/goals/position_goal.h"
#include "limber/goals/position_orientation_goal.h"
#include "limber/goals/relative_goal.h"
#include "limber/goals/swivel_goal.h"
#include "limber/problem/bend.h"

namespace limber {

namespace {

using Made = std::unique_ptr<Goal>;

PositionGoal positionOf(const GoalItem& i, const Figure& figure, double weight) {
  return {i.link, i.pointInLink, i.target, weight, figure.meanLinkLength()};
}

OrientationGoal orientationOf(const GoalItem& i, double weight) {
  return {i.link, i.frameInLink, i.targetFrame, i.directionScale, weight};
}

Made makePosition(const GoalItem& i, const Figure& figure, double weight) {
  return std::make_unique<PositionGoal>(positionOf(i, figure, weight));
}

Made makeOrientation(const GoalItem& i, const Figure&, double weight) {
  return std::make_unique<OrientationGoal>(orientationOf(i, weight));
}

Made makePositionOrientation(const GoalItem& i, const Figure& figure, double weight) {
  return std::make_unique<PositionOrientationGoal>(positionOf(i, figure, weight), orientationOf(i, weight),
                                                   i.positionShare, weight);
}

Made makeDirection(const GoalItem& i, const Figure&, double weight) {
  return std::make_unique<DirectionGoal>(i.link, i.frameInLink.col(0), i.targetFrame.col(0), i.directionScale[0],
                                         weight);
}

Made makeAim(const GoalItem& i, const Figure& figure, double weight) {
  return std::make_unique<AimGoal>(i.link, i.pointInLink, i.frameInLink.col(0), i.target, i.directionScale[0], weight,
                                   figure.meanLinkLength());
}

Made makeLine(const GoalItem& i, const Figure& figure, double weight) {
  return std::make_unique<LineGoal>(i.link, i.pointInLink, i.target, i.targetFrame.col(0), weight,
                                    figure.meanLinkLength());
}

Made makePlane(const GoalItem& i, const Figure& figure, double weight) {
  const auto side = i.type == GoalType::HalfSpace ? PlaneGoal::Side::HalfSpace : PlaneGoal::Side::On;
  return std::make_unique<PlaneGoal>(i.link, i.pointInLink, i.target, i.targetFrame.col(0), side, weight,
                                     figure.meanLinkLength());
}

Made makeDistance(const GoalItem& i, const Figure& figure, double weight) {
  const DistanceGoal::End other{i.otherLink, i.otherLink < 0 ? i.target : i.pointInOther};
  return std::make_unique<DistanceGoal>(DistanceGoal::End{i.link, i.pointInLink}, other, i.distance, weight,
                                        figure.meanLinkLength());
}

Made makeRelative(const GoalItem& i, const Figure& figure, double weight) {
  return std::make_unique<RelativeGoal>(RelativeGoal::End{i.link, i.pointInLink, i.frameInLink},
                                        RelativeGoal::End{i.otherLink, i.pointInOther, i.frameInOther},
                                        i.directionScale, i.positionShare, weight, figure.meanLinkLength());
}

Made makeCentreOfMass(const GoalItem& i, const Figure& figure, double weight) {
  return std::make_unique<CentreOfMassGoal>(figure, i.target, weight, figure.meanLinkLength());
}

Made makeSwivel(const GoalItem& i, const Figure& figure, double weight) {
  const UpperBone bone = upperBoneOf(figure, i.link);
  return std::make_unique<SwivelGoal>(SwivelGoal::Upper{bone.link, bone.root, bone.middle}, i.link, i.pointInLink,
                                      i.targetFrame.col(0), weight, figure.meanLinkLength());
}

constexpr GoalConstruction kTable[] = {
    {GoalType::Position, "position", "(6)", makePosition},
    {GoalType::Orientation, "orientation", "(9)", makeOrientation},
    {GoalType::PositionOrientation, "position_orientation", "(12)", makePositionOrientation},
    {GoalType::Direction, "direction", "", makeDirection},
    {GoalType::Aim, "aim", "(13)", makeAim},
    {GoalType::Line, "line", "(16)", makeLine},
    {GoalType::Plane, "plane", "(18)", makePlane},
    {GoalType::HalfSpace, "half_space", "(20)", makePlane},
    {GoalType::Distance, "distance", "", makeDistance},
    {GoalType::Relative, "relative", "", makeRelative},
    {GoalType::KeepPose, "keep_pose", "", nullptr},
    {GoalType::CentreOfMass, "centre_of_mass", "", makeCentreOfMass},
    {GoalType::Swivel, "swivel", "", makeSwivel},
};

bool isScale(double value) { return value >= 0.0 && std::isfinite(value); }

bool isLink(int link, const Figure& figure) { return link >= 0 && link < figure.linkCount(); }

/// What is wrong with the other end of a goal between two links.
std::string findOtherFault(const GoalItem& i, const Figure& figure) {
  if (i.type == GoalType::Relative && i.otherLink < 0) return "names no other link";
  if (i.otherLink < 0) return {};
  if (!isLink(i.otherLink, figure)) return "names another link that does not exist";
  if (i.otherLink == i.link) return "ties a link to itself";
  if (!i.pointInOther.allFinite() || !isRotation(i.frameInOther)) return "the other end effector is not finite";
  return {};
}

std::string findOwnFault(const GoalItem& i, const Figure& figure) {
  if (!isScale(i.weight)) return "the weight is not a number >= 0";
  for (const int joint : i.chain)
    if (!isLink(joint, figure)) return "the chain names a joint that does not exist";
  if (i.type == GoalType::KeepPose)
    return isValid(figure, i.kept) ? "" : "the pose that it keeps is not one of this figure";
  if (!i.target.allFinite()) return "the target is not finite";
  if (i.type == GoalType::CentreOfMass)
    return CentreOfMassGoal::isDefined(figure) ? "" : "the figure has no mass to balance";
  if (!isLink(i.link, figure)) return "names a link that does not exist";
  if (!i.pointInLink.allFinite()) return "the end effector is not finite";
  if (!isRotation(i.frameInLink) || !isRotation(i.targetFrame)) return "a frame is not a rotation";
  if (!isScale(i.directionScale[0]) || !isScale(i.directionScale[1])) return "a direction's scale is not a number >= 0";
  if (!(i.positionShare >= 0.0 && i.positionShare <= 1.0)) return "the share of the position is outside [0, 1]";
  if (i.type == GoalType::Swivel && upperBoneOf(figure, i.link).link < 0)
    return "its link has no bone above it to bend against";
  if (i.type == GoalType::Distance && !(i.distance.lower <= i.distance.upper && i.distance.upper >= 0.0))
    return "the distance has bounds that no two points can keep";
  if (i.type == GoalType::Distance || i.type == GoalType::Relative) return findOtherFault(i, figure);
  return {};
}

}  // namespace

std::span<const GoalConstruction> goalConstructions() { return kTable; }

const GoalConstruction& constructionOf(GoalType type) {
  const GoalConstruction& construction = kTable[static_cast<std::size_t>(type)];
  assert(construction.type == type && "the table stands in the order of GoalType");
  return construction;
}

std::unique_ptr<Goal> makeGoal(const GoalItem& item, const Figure& figure, double weight) {
  const auto make = constructionOf(item.type).make;
  return make ? make(item, figure, weight) : nullptr;
}

std::string findFault(const GoalItem& item, const Figure& figure) {
  const std::string fault = findOwnFault(item, figure);
  return fault.empty() ? fault : goalInWords(item) + ": " + fault;
}

std::string goalInWords(const GoalItem& item) {
  return item.name.empty() ? "goal " + std::to_string(item.id) : "goal \"" + item.name + "\"";
}

std::vector<int> linksOf(const GoalItem& item) {
  if (item.type == GoalType::KeepPose || item.type == GoalType::CentreOfMass) return {};
  if (item.otherLink >= 0 && (item.type == GoalType::Distance || item.type == GoalType::Relative))
    return {item.link, item.otherLink};
  return {item.link};
}

}  // namespace limber
