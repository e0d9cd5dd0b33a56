// SPDX-License-Identifier: MIT
#include "limber/problem/bend.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

constexpr double kNoLength = 1e-6;      // mean link lengths: joints this near to each other are at one point
constexpr double kStraightBend = 1e-3;  // of the limb's length: a smaller bend has no direction
constexpr double kOuterShare = 0.2;     // of a range: a straight angle in this outer part prefers the other side
constexpr double kBentAtRest = 0.02;    // radians: a joint nearer to straight at rest is straight
constexpr double kShortBone = 0.45;     // of the other: a hand and its forearm do not form a limb that folds

bool isLong(const Figure& figure, const Eigen::Vector3d& way) {
  return way.norm() > kNoLength * figure.meanLinkLength();
}

/// A direction perpendicular to a line; deterministic.
Eigen::Vector3d acrossLine(const Eigen::Vector3d& line) {
  const bool isAlongZ = std::abs(line.z()) > 0.9 * line.norm();
  const Eigen::Vector3d aside = isAlongZ ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitZ();
  const Eigen::Vector3d across = aside - aside.dot(line) / std::max(line.squaredNorm(), 1e-300) * line;
  return across.normalized();
}

int preferredSide(const JointSettings& settings, const HingeBend& bend, double rest) {
  const double straight = bend.straight;
  const auto sideOf = [&](double angle) { return angle > straight ? 1 : angle < straight ? -1 : 0; };
  if (settings.preferred) return sideOf(*settings.preferred);
  if (std::min(bend.above, bend.below) < kShortBone * std::max(bend.above, bend.below)) return 0;
  const auto [lower, upper] = settings.limits;
  const double share = std::isfinite(lower) && std::isfinite(upper) ? (straight - lower) / (upper - lower) : 0.5;
  if (share < kOuterShare || share > 1.0 - kOuterShare) return share < 0.5 ? 1 : -1;
  return std::abs(rest - straight) > kBentAtRest ? sideOf(rest) : 0;
}

/// The direction in which a straight limb would bend: the preferred side of the first hinge between the bones.
Eigen::Vector3d preferredDirection(const IkProblem& problem, const Kinematics& kinematics, const GoalItem& goal,
                                   int upper, const Eigen::Vector3d& line) {
  const Figure& figure = *problem.figure;
  for (int i = goal.link; i != upper; i = figure.link(i).parent) {
    if (figure.joint(i).type != JointType::Revolute) continue;
    const Eigen::Vector3d axis = worldFromJoint(figure, kinematics, i).rotation * figure.joint(i).axis;
    const Eigen::Vector3d across = line.cross(axis);
    const auto bend = bendOf(problem, problem.pose, kinematics, i, goal.link, goal.pointInLink);
    if (bend && across.norm() > 0.5 * line.norm()) return (bend->side < 0 ? -1.0 : 1.0) * across.normalized();
  }
  return acrossLine(line);
}

}  // namespace

UpperBone upperBoneOf(const Figure& figure, int link) {
  while (link >= 0 && figure.joint(link).type == JointType::Fixed) link = figure.link(link).parent;
  for (; link >= 0 && figure.link(link).parent >= 0; link = figure.link(link).parent) {
    UpperBone bone{figure.link(link).parent, Eigen::Vector3d::Zero(), figure.joint(link).parentFromJoint.translation};
    int top = bone.link;
    Transform upperFromTop;
    for (; top >= 0 && figure.joint(top).type == JointType::Fixed; top = figure.link(top).parent)
      upperFromTop = upperFromTop * figure.joint(top).parentFromJoint.inverse();
    bone.root = upperFromTop.translation;
    if (top < 0) return {};
    if (isLong(figure, bone.middle - bone.root)) return bone;
  }
  return {};
}

EndEffector farEndOf(const Figure& figure, int link) {
  while (true) {
    int farthest = -1;
    const auto offset = [&](int child) { return figure.joint(child).parentFromJoint.translation; };
    for (const int child : figure.children(link))
      if (farthest < 0 || offset(child).norm() > offset(farthest).norm()) farthest = child;
    if (farthest < 0) return endEffectorOf(figure, link);
    if (isLong(figure, offset(farthest))) return {link, offset(farthest)};
    link = farthest;
  }
}

std::optional<LimbPlace> limbOf(const IkProblem& problem, const Kinematics& kinematics, const GoalItem& goal) {
  const UpperBone bone = upperBoneOf(*problem.figure, goal.link);
  if (bone.link < 0) return std::nullopt;
  const Transform& upper = kinematics.worldFromLink[bone.link];
  LimbPlace limb;
  limb.root = upper * bone.root;
  limb.middle = upper * bone.middle;
  limb.end = kinematics.worldFromLink[goal.link] * goal.pointInLink;
  const Eigen::Vector3d line = limb.end - limb.root, way = limb.middle - limb.root;
  const double length = way.norm() + (limb.end - limb.middle).norm();
  const Eigen::Vector3d across = way - way.dot(line) / std::max(line.squaredNorm(), 1e-300) * line;
  limb.bend = across.norm() > kStraightBend * length ? Eigen::Vector3d(across.normalized())
                                                     : preferredDirection(problem, kinematics, goal, bone.link, line);
  return limb;
}

std::optional<HingeBend> bendOf(const IkProblem& problem, const Pose& pose, const Kinematics& kinematics, int hinge,
                                int link, const Eigen::Vector3d& pointInLink) {
  const Figure& figure = *problem.figure;
  const auto placeOfLink = [&](int i) -> const Transform& { return kinematics.worldFromLink[i]; };
  const Transform frame = worldFromJoint(figure, kinematics, hinge);
  const Eigen::Vector3d axis = frame.rotation * figure.joint(hinge).axis;
  const auto across = [&](const Eigen::Vector3d& way) { return Eigen::Vector3d(way - axis.dot(way) * axis); };
  const Eigen::Vector3d below = across(placeOfLink(link) * pointInLink - frame.translation);
  if (!isLong(figure, below)) return std::nullopt;
  for (int above = figure.link(hinge).parent; above >= 0; above = figure.link(above).parent) {
    const Eigen::Vector3d way = across(frame.translation - placeOfLink(above).translation);
    if (figure.joint(above).type == JointType::Fixed || !isLong(figure, way)) continue;
    HingeBend bend;
    bend.root = placeOfLink(above).translation;
    bend.above = way.norm();
    bend.below = below.norm();
    bend.along = axis.dot(placeOfLink(link) * pointInLink - bend.root);
    bend.angle = std::atan2(axis.dot(way.cross(below)), way.dot(below));
    bend.straight = pose.coordinates[figure.joint(hinge).poseIndex] - bend.angle;
    bend.side = preferredSide(problem.joints[hinge], bend, figure.restPose()[figure.joint(hinge).poseIndex]);
    return bend;
  }
  return std::nullopt;
}

}  // namespace limber
