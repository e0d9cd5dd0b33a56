// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "limber/goals/aim_goal.h"
#include "limber/goals/centre_of_mass_goal.h"
#include "limber/goals/direction_goal.h"
#include "limber/goals/distance_goal.h"
#include "limber/goals/line_goal.h"
#include "limber/goals/link_feature.h"
#include "limber/goals/orientation_goal.h"
#include "limber/goals/plane_goal.h"
#include "limber/goals/position_goal.h"
#include "limber/goals/position_orientation_goal.h"
#include "limber/goals/relative_goal.h"
#include "limber/goals/swivel_goal.h"
#include "limber/kinematics/shortest_turn.h"
#include "limber/problem/bend.h"
#include "limber/problem/goal_error.h"
#include "limber/problem/goal_place.h"
#include "limber/problem/goal_types.h"

namespace limber {

namespace {

using Made = std::unique_ptr<Goal>;

/// The goal in new memory, or in that of `same`, which has the same type.
template <class G>
Made put(G&& goal, Goal* same) {
  if (!same) return std::make_unique<G>(std::move(goal));
  static_cast<G&>(*same) = std::move(goal);
  return nullptr;
}

PositionGoal positionOf(const GoalItem& i, const Figure& figure, double weight) {
  return {i.link, i.pointInLink, i.target, weight, figure.meanLinkLength()};
}

OrientationGoal orientationOf(const GoalItem& i, double weight) {
  return {i.link, i.frameInLink, i.targetFrame, i.directionScale, weight};
}

template <PlaneGoal::Side side>
Made makePlane(const GoalItem& i, const Figure& figure, double weight, Goal* same) {
  return put(PlaneGoal(i.link, i.pointInLink, i.target, i.targetFrame.col(0), side, weight, figure.meanLinkLength()),
             same);
}

/// The error of the rotation, or of the one direction that is not free; -1 if both are free.
double angleLeft(const StandingGoal& g, const Eigen::Matrix3d& wanted) {
  const bool asksX = g.item.directionScale[0] > 0.0, asksY = g.item.directionScale[1] > 0.0;
  if (asksX && asksY) return logarithm(Eigen::Quaterniond(g.frame.transpose() * wanted)).norm();
  if (asksX) return angleBetween(g.frame.col(0), wanted.col(0));
  return asksY ? angleBetween(g.frame.col(1), wanted.col(1)) : -1.0;
}

/// The squared differences of the target's x and y from the frame's, each times its scale.
double squaredChord(const StandingGoal& g) {
  double sum = 0.0;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const auto column = static_cast<Eigen::Index>(axis);
    const double c = g.item.directionScale[axis];
    sum += c * c * (g.item.targetFrame.col(column) - g.frame.col(column)).squaredNorm();
  }
  return sum;
}

/// The frame, rotated by the shortest turn that brings its x along a direction.
Eigen::Matrix3d pointed(const Eigen::Matrix3d& frame, const Eigen::Vector3d& way) {
  if (!(way.norm() > 0.0)) return frame;
  return shortestTurn(frame.col(0), way) * frame;
}

void lookUp(GoalItem& goal, const Transform&, double) { goal.targetFrame = frameAlong(Eigen::Vector3d::UnitY()); }

/// The point, moved along the line from `from` until the goal allows the distance; along `aside` if both coincide.
Eigen::Vector3d atAllowedDistance(const GoalItem& goal, const Eigen::Vector3d& from, const Eigen::Vector3d& point,
                                  const Eigen::Vector3d& aside) {
  const Eigen::Vector3d way = point - from;
  const double distance = way.norm();
  const double allowed = std::max(std::min(std::max(distance, goal.distance.lower), goal.distance.upper), 0.0);
  if (allowed == distance || !std::isfinite(allowed)) return point;
  return from + allowed * (distance > 0.0 ? Eigen::Vector3d(way / distance) : aside);
}

double distanceOf(const StandingGoal& g) { return (g.point - otherPointOf(g.kinematics, g.item)).norm(); }

void askForDistance(const StandingGoal& now, GoalItem& goal) {
  if (!isTied(goal)) {
    goal.target = atAllowedDistance(goal, now.point, goal.target, Eigen::Vector3d::UnitX());
    return;
  }
  const double distance = distanceOf(now);
  goal.distance = {distance, distance};
}

Eigen::Matrix3d otherFrameOf(const StandingGoal& g) {
  return isTied(g.item) ? g.kinematics.worldFromLink[g.item.otherLink].rotation * g.item.frameInOther
                        : g.item.targetFrame;
}

void askForRelation(const StandingGoal& now, GoalItem& goal) {
  if (!isTied(goal)) return;
  const Transform& worldFromOther = now.kinematics.worldFromLink[goal.otherLink];
  const Transform otherFromEnd = worldFromOther.inverse() * Transform{now.frame, now.point};
  goal.pointInOther = otherFromEnd.translation;
  goal.frameInOther = otherFromEnd.rotation;
}

/// The largest error of the sliding joints, and of the turning joints.
GoalError keptError(const StandingGoal& g) {
  const Figure& figure = *g.problem.figure;
  const std::vector<int>& chain = g.item.chain;
  GoalError error;
  if (g.item.kept.coordinates.size() != figure.poseSize()) return error;
  Eigen::VectorXd step;
  difference(figure, g.problem.pose, g.item.kept, step);
  for (int i = 0; i < figure.linkCount(); ++i) {
    if (!chain.empty() && std::find(chain.begin(), chain.end(), i) == chain.end()) continue;
    const Joint& joint = figure.joint(i);
    const int size = stepSize(joint.type), slides = joint.type == JointType::Prismatic ? 1 : size == 6 ? 3 : 0;
    const auto left = step.segment(joint.stepIndex, size);
    if (slides > 0) error.length = std::max(error.length, left.head(slides).norm());
    if (size > slides) error.angle = std::max(error.angle, left.tail(size - slides).norm());
  }
  return error;
}

Made makeSwivel(const GoalItem& i, const Figure& figure, double weight, Goal* same) {
  const UpperBone bone = upperBoneOf(figure, i.link);
  return put(SwivelGoal({bone.link, bone.root, bone.middle}, i.link, i.pointInLink, i.targetFrame.col(0), weight,
                        figure.meanLinkLength()),
             same);
}

GoalError swivelError(const StandingGoal& g) {
  const auto limb = limbOf(g.problem, g.kinematics, g.item);
  if (!limb) return {};
  return {-1.0, std::abs(swivelAngle(limb->root, limb->middle, limb->end, g.targetAxis(),
                                     g.problem.figure->meanLinkLength()))};
}

void placeSwivel(const StandingGoal& g, GoalPlace& place) {
  place.wantedFrame = g.item.targetFrame;
  if (const auto limb = limbOf(g.problem, g.kinematics, g.item)) {
    place.point = place.wanted = limb->middle;
    place.frame = pointed(place.frame, limb->bend);
  }
}

void askForBend(const StandingGoal& now, GoalItem& goal) {
  goal.target = now.point;
  if (const auto limb = limbOf(now.problem, now.kinematics, goal)) goal.targetFrame = frameAlong(limb->bend);
}

// Keeps rows compact, several fields per line.
// clang-format off
constexpr GoalTypeInfo kTable[] = {
    {.type = GoalType::Position, .name = "position", .label = "position",
     .about = "brings a point to a target",
     .equation = "(6)", .point = true, .target = true, .isPlace = true,
     .make = [](const GoalItem& i, const Figure& figure, double weight, Goal* same) {
       return put(positionOf(i, figure, weight), same);
     },
     .error = [](const StandingGoal& g) -> GoalError { return {g.offset().norm()}; },
     .place = [](const StandingGoal& g, GoalPlace& place) { place.wanted = g.item.target; },
     .paper = [](const StandingGoal&, const Eigen::Vector3d& gap) { return std::optional(gap.squaredNorm()); }},
    {.type = GoalType::Orientation, .name = "orientation", .label = "orientation",
     .about = "turns the end effector's x and y to given directions; each can be left free",
     .equation = "(9)", .axes = 2, .targetAxis = "x along",
     .make = [](const GoalItem& i, const Figure&, double weight, Goal* same) {
       return put(orientationOf(i, weight), same);
     },
     .error = [](const StandingGoal& g) -> GoalError { return {-1.0, angleLeft(g, g.item.targetFrame)}; },
     .place = [](const StandingGoal& g, GoalPlace& place) { place.wantedFrame = g.item.targetFrame; },
     .paper = [](const StandingGoal& g, const Eigen::Vector3d&) { return std::optional(squaredChord(g)); }},
    {.type = GoalType::PositionOrientation, .name = "position_orientation", .label = "position and orientation",
     .about = "brings a point to a target and turns its frame to given directions",
     .equation = "(12)", .point = true, .axes = 2, .target = true, .targetAxis = "x along", .share = true,
     .isPlace = true,
     .make = [](const GoalItem& i, const Figure& figure, double weight, Goal* same) {
       return put(PositionOrientationGoal(positionOf(i, figure, weight), orientationOf(i, weight), i.positionShare,
                                          weight), same);
     },
     .error = [](const StandingGoal& g) -> GoalError {
       return {g.offset().norm(), angleLeft(g, g.item.targetFrame)};
     },
     .place = [](const StandingGoal& g, GoalPlace& place) {
       place.wanted = g.item.target;
       place.wantedFrame = g.item.targetFrame;
     },
     .paper = [](const StandingGoal& g, const Eigen::Vector3d& gap) {
       const double share = g.item.positionShare;
       return std::optional(share * gap.squaredNorm() + (1.0 - share) * squaredChord(g));
     }},
    {.type = GoalType::Direction, .name = "direction", .label = "direction",
     .about = "turns the end effector's x to a given direction; rotation about it is free",
     .axes = 1, .targetAxis = "x along",
     .make = [](const GoalItem& i, const Figure&, double weight, Goal* same) {
       return put(DirectionGoal(i.link, i.frameInLink.col(0), i.targetFrame.col(0), i.directionScale[0], weight), same);
     },
     .error = [](const StandingGoal& g) -> GoalError { return {-1.0, angleBetween(g.frame.col(0), g.targetAxis())}; },
     .place = [](const StandingGoal& g, GoalPlace& place) { place.wantedFrame = pointed(g.frame, g.targetAxis()); }},
    {.type = GoalType::Aim, .name = "aim", .label = "aim",
     .about = "points the head, hand or tool at a target",
     .equation = "(13)", .point = true, .axes = 1, .target = true,
     .make = [](const GoalItem& i, const Figure& figure, double weight, Goal* same) {
       return put(AimGoal(i.link, i.pointInLink, i.frameInLink.col(0), i.target, i.directionScale[0], weight,
                          figure.meanLinkLength()), same);
     },
     .error = [](const StandingGoal& g) -> GoalError {
       const Eigen::Vector3d way = g.item.target - g.point;
       return {-1.0, way.norm() > 0.0 ? angleBetween(g.frame.col(0), way) : 0.0};
     },
     .place = [](const StandingGoal& g, GoalPlace& place) {
       place.wanted = g.item.target;
       place.wantedFrame = pointed(g.frame, -g.offset());
     },
     .paper = [](const StandingGoal& g, const Eigen::Vector3d& gap) {
       const double c = g.item.directionScale[0];
       return gap.isZero(0.0) ? std::nullopt
                              : std::optional(c * c * (gap.normalized() - g.frame.col(0)).squaredNorm());
     },
     .begin = [](GoalItem& goal, const Transform& end, double unit) { goal.target += unit * end.rotation.col(0); },
     .present = [](const StandingGoal& now, GoalItem& goal) {
       goal.target = now.point + (goal.target - now.point).norm() * now.frame.col(0);
     }},
    {.type = GoalType::Line, .name = "line", .label = "on a line",
     .about = "keeps a point on a line",
     .equation = "(16)", .point = true, .target = true, .targetAxis = "Line along",
     .make = [](const GoalItem& i, const Figure& figure, double weight, Goal* same) {
       return put(LineGoal(i.link, i.pointInLink, i.target, i.targetFrame.col(0), weight, figure.meanLinkLength()),
                  same);
     },
     .error = [](const StandingGoal& g) -> GoalError {
       return {(g.offset() - g.targetAxis().dot(g.offset()) * g.targetAxis()).norm()};
     },
     .place = [](const StandingGoal& g, GoalPlace& place) {
       place.wanted = g.item.target + g.targetAxis().dot(g.offset()) * g.targetAxis();
     },
     .paper = [](const StandingGoal& g, const Eigen::Vector3d& gap) {
       return std::optional((gap - gap.dot(g.targetAxis()) * g.targetAxis()).squaredNorm());
     }},
    {.type = GoalType::Plane, .name = "plane", .label = "on a plane",
     .about = "keeps a point on a plane, as a hand on a table",
     .equation = "(18)", .point = true, .target = true, .targetAxis = "Normal",
     .make = makePlane<PlaneGoal::Side::On>,
     .error = [](const StandingGoal& g) -> GoalError { return {std::abs(g.targetAxis().dot(g.offset()))}; },
     .place = [](const StandingGoal& g, GoalPlace& place) {
       place.wanted -= g.targetAxis().dot(g.offset()) * g.targetAxis();
     },
     .paper = [](const StandingGoal& g, const Eigen::Vector3d& gap) {
       return std::optional(gap.dot(g.targetAxis()) * gap.dot(g.targetAxis()));
     },
     .begin = lookUp},
    {.type = GoalType::HalfSpace, .name = "half_space", .label = "beside a plane",
     .about = "keeps a point on the side of a plane that its normal points to",
     .equation = "(20)", .point = true, .target = true, .targetAxis = "Normal",
     .make = makePlane<PlaneGoal::Side::HalfSpace>,
     .error = [](const StandingGoal& g) -> GoalError { return {std::max(-g.targetAxis().dot(g.offset()), 0.0)}; },
     .place = [](const StandingGoal& g, GoalPlace& place) {
       place.wanted -= std::min(g.targetAxis().dot(g.offset()), 0.0) * g.targetAxis();
     },
     .paper = [](const StandingGoal& g, const Eigen::Vector3d& gap) {
       const double below = gap.dot(g.targetAxis());
       return std::optional(below < 0.0 ? 0.0 : below * below);
     },
     .begin = lookUp},
    {.type = GoalType::Distance, .name = "distance", .label = "distance",
     .about = "keeps a point within a distance of a target or of another link's point",
     .point = true, .target = true, .distance = true, .other = OtherLink::Optional,
     .make = [](const GoalItem& i, const Figure& figure, double weight, Goal* same) {
       const DistanceGoal::End other{i.otherLink, i.otherLink < 0 ? i.target : i.pointInOther};
       return put(DistanceGoal({i.link, i.pointInLink}, other, i.distance, weight, figure.meanLinkLength()), same);
     },
     .error = [](const StandingGoal& g) -> GoalError {
       const double distance = distanceOf(g);
       return {std::max({g.item.distance.lower - distance, distance - g.item.distance.upper, 0.0})};
     },
     .place = [](const StandingGoal& g, GoalPlace& place) {
       place.wanted = atAllowedDistance(g.item, otherPointOf(g.kinematics, g.item), g.point, Eigen::Vector3d::UnitY());
     },
     .begin = [](GoalItem& goal, const Transform&, double unit) { goal.distance = {0.0, unit}; },
     .present = askForDistance,
     .fault = [](const GoalItem& i, const Figure&) -> const char* {
       const bool isSome = i.distance.lower <= i.distance.upper && i.distance.upper >= 0.0;
       return isSome ? nullptr : "the distance has bounds that no two points can keep";
     }},
    {.type = GoalType::Relative, .name = "relative", .label = "relative to a link",
     .about = "keeps a point and its frame at those of another link: two hands on one tube",
     .point = true, .axes = 2, .share = true, .other = OtherLink::Required,
     .make = [](const GoalItem& i, const Figure& figure, double weight, Goal* same) {
       return put(RelativeGoal({i.link, i.pointInLink, i.frameInLink}, {i.otherLink, i.pointInOther, i.frameInOther},
                               i.directionScale, i.positionShare, weight, figure.meanLinkLength()), same);
     },
     .error = [](const StandingGoal& g) -> GoalError { return {distanceOf(g), angleLeft(g, otherFrameOf(g))}; },
     .place = [](const StandingGoal& g, GoalPlace& place) {
       place.wanted = otherPointOf(g.kinematics, g.item);
       place.wantedFrame = otherFrameOf(g);
     },
     .present = askForRelation},
    {.type = GoalType::KeepPose, .name = "keep_pose", .label = "keep pose",
     .about = "pulls every joint to a stored pose",
     .kept = true, .newName = "pose",
     .error = keptError,
     .place = [](const StandingGoal& g, GoalPlace& place) {
       place.point = place.wanted = g.kinematics.worldFromLink[g.item.link].translation;
     },
     .present = [](const StandingGoal& now, GoalItem& goal) { goal.kept = now.problem.pose; },
     .fault = [](const GoalItem& i, const Figure& figure) -> const char* {
       return isValid(figure, i.kept) ? nullptr : "its stored pose does not fit this figure";
     }},
    {.type = GoalType::CentreOfMass, .name = "centre_of_mass", .label = "centre of mass",
     .about = "keeps the centre of mass above or below a target",
     .target = true, .isLevel = true, .newName = "balance",
     .make = [](const GoalItem& i, const Figure& figure, double weight, Goal* same) {
       return put(CentreOfMassGoal(figure, i.target, weight, figure.meanLinkLength()), same);
     },
     .error = [](const StandingGoal& g) -> GoalError {
       const Eigen::Vector3d off = centreOfMassOf(*g.problem.figure, g.kinematics) - g.item.target;
       return {std::hypot(off.x(), off.z())};
     },
     .place = [](const StandingGoal& g, GoalPlace& place) {
       place.point = centreOfMassOf(*g.problem.figure, g.kinematics);
       place.wanted = {g.item.target.x(), place.point.y(), g.item.target.z()};
     },
     .present = [](const StandingGoal& now, GoalItem& goal) {
       goal.target = centreOfMassOf(*now.problem.figure, now.kinematics);
     },
     .fault = [](const GoalItem&, const Figure& figure) -> const char* {
       return CentreOfMassGoal::isDefined(figure) ? nullptr : "the figure has no mass to balance";
     }},
    {.type = GoalType::Swivel, .name = "swivel", .label = "swivel",
     .about = "turns the bend of a knee or an elbow toward a direction, about the line through both ends of the limb; "
              "all other goals take precedence",
     .point = true, .targetAxis = "Bends toward", .isBend = true, .isGentle = true, .newName = " swivel",
     .make = makeSwivel,
     .error = swivelError,
     .place = placeSwivel,
     .present = askForBend,
     .fault = [](const GoalItem& i, const Figure& figure) -> const char* {
       return upperBoneOf(figure, i.link).link >= 0 ? nullptr : "its link has no bone above it to bend against";
     }},
};
// clang-format on
static_assert(isOfAllGoalTypes(kTable), "a goal type has no row, or its row is out of order");

}  // namespace

std::span<const GoalTypeInfo> goalTypes() { return kTable; }

}  // namespace limber
