// SPDX-License-Identifier: MIT
#include "limber/body/anatomy.h"

#include <algorithm>
#include <array>
#include <optional>

#include "limber/body/body_map.h"
#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/forward_kinematics.h"

namespace limber {

namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kPlay = 2.0 * kDegree;          // largest excess of a rest pose over a range
constexpr double kClearlyBent = 15.0 * kDegree;  // a limb that is bent more shows the axis of its hinge

bool isWholeBody(const Figure& figure, const BodyPlaces& parts) {
  constexpr std::array<std::array<BodyPart, 2>, 2> kLimbs = {
      {{BodyPart::UpperArm, BodyPart::LowerArm}, {BodyPart::UpperLeg, BodyPart::LowerLeg}}};
  for (const BodySide side : {BodySide::Left, BodySide::Right})
    for (const auto& [upper, lower] : kLimbs) {
      const int above = linkAt(parts, {upper, side}), below = linkAt(parts, {lower, side});
      if (above < 0 || below < 0 || !figure.isAncestorOrSelf(above, below)) return false;
    }
  return true;
}

/// A body at rest: where its links are, and which way is which.
struct Body {
  const Figure& figure;
  const BodyPlaces& parts;
  const Kinematics& rest;
  Eigen::Vector3d up, left, forward;

  explicit Body(const BodyMap& map) : figure(map.figure()), parts(map.places()), rest(map.rest()) {
    const Eigen::Vector3d hips =
        0.5 * (placeOf(BodyPart::UpperLeg, BodySide::Left) + placeOf(BodyPart::UpperLeg, BodySide::Right));
    const Eigen::Vector3d arms =
        0.5 * (placeOf(BodyPart::UpperArm, BodySide::Left) + placeOf(BodyPart::UpperArm, BodySide::Right));
    const Eigen::Vector3d across =
        placeOf(BodyPart::UpperArm, BodySide::Left) - placeOf(BodyPart::UpperArm, BodySide::Right);
    up = (arms - hips).normalized();
    left = (across - across.dot(up) * up).normalized();
    forward = left.cross(up);
  }
  bool isSound() const {
    return up.allFinite() && left.allFinite() && std::abs(left.norm() - 1.0) < 1e-6 && std::abs(up.norm() - 1.0) < 1e-6;
  }
  Eigen::Vector3d placeOf(int link) const { return rest.worldFromLink[link].translation; }
  Eigen::Vector3d placeOf(BodyPart part, BodySide side) const { return placeOf(linkAt(parts, {part, side})); }
  /// The direction away from the middle of the body.
  Eigen::Vector3d outward(BodySide side) const { return side == BodySide::Right ? Eigen::Vector3d(-left) : left; }
  /// The direction of the bone: to the mean of the link's children, else that from its parent; unit, or zero without
  /// both.
  Eigen::Vector3d boneOf(int link) const {
    Eigen::Vector3d end = Eigen::Vector3d::Zero();
    for (const int child : figure.children(link)) end += placeOf(child) - placeOf(link);
    if (end.norm() < 1e-9 && figure.link(link).parent >= 0) end = placeOf(link) - placeOf(figure.link(link).parent);
    return end.norm() < 1e-9 ? Eigen::Vector3d::Zero().eval() : Eigen::Vector3d(end.normalized());
  }
  Eigen::Vector3d boneTo(int link, int end) const {
    return end < 0 ? boneOf(link) : Eigen::Vector3d((placeOf(end) - placeOf(link)).normalized());
  }
};

/// Limits with a cone around a direction of the world at rest, degrees.
BallLimits cone(const Body& body, int link, const Eigen::Vector3d& bone, const Eigen::Vector3d& middle, double swing,
                double twist) {
  BallLimits out;
  out.twistAxis = (body.rest.worldFromLink[link].rotation.transpose() * bone).normalized();
  out.coneAxis = (worldFromJoint(body.figure, body.rest, link).rotation.transpose() * middle).normalized();
  out.swing = swing * kDegree;
  out.twist = {-twist * kDegree, twist * kDegree};
  return out;
}

/// The hinge between two parts of a limb. It bends as the limb is bent at rest, or towards a direction if the limb is
/// straight.
std::optional<BallLimits> limbHinge(const Body& body, int upper, int lower, int end, const Eigen::Vector3d& towards,
                                    double most, double play) {
  const Eigen::Vector3d first = body.boneTo(upper, lower), second = body.boneTo(lower, end);
  Eigen::Vector3d axis = second.cross(towards);
  if (first.norm() < 0.5 || second.norm() < 0.5 || axis.norm() < 0.1) return std::nullopt;
  const Eigen::Vector3d bend = first.cross(second);
  double bent = std::atan2(bend.dot(axis.normalized()), first.dot(second));
  if (const double shown = std::atan2(bend.norm(), first.dot(second)); shown > kClearlyBent) {
    axis = bend;
    bent = shown;
  }
  const Eigen::Vector3d unit = axis.normalized();
  BallLimits out = cone(body, lower, unit, unit, play, 180.0);
  out.twist = {0.0 - bent, most * kDegree - bent};
  return out;
}

int countOf(const Body& body, BodyPart part) {
  return static_cast<int>(
      std::ranges::count_if(body.parts, [&](const auto& entry) { return entry.second.part == part; }));
}

std::optional<BallLimits> limitsOf(const Body& body, int link, BodyPlace place) {
  const auto with = [&](BodyPart part) { return linkAt(body.parts, {part, place.side}); };
  const auto around = [&](const Eigen::Vector3d& bone, double swing, double twist) {
    return cone(body, link, bone, bone, swing, twist);
  };
  const Eigen::Vector3d bone = body.boneOf(link);
  if (bone.norm() < 0.5) return std::nullopt;
  switch (place.part) {
    case BodyPart::Hips: return std::nullopt;
    case BodyPart::Spine: return around(body.up, 60.0 / countOf(body, place.part), 45.0 / countOf(body, place.part));
    case BodyPart::Neck:
    case BodyPart::Head: {
      const int count = countOf(body, BodyPart::Neck) + countOf(body, BodyPart::Head);
      return around(body.up, 60.0 / count, 60.0 / count);
    }
    case BodyPart::Clavicle: return around(bone, 35.0, 15.0);
    case BodyPart::UpperArm: {
      const Eigen::Vector3d middle = 0.75 * body.outward(place.side) + 0.55 * body.forward + 0.35 * body.up;
      return cone(body, link, body.boneTo(link, with(BodyPart::LowerArm)), middle, 115.0, 90.0);
    }
    case BodyPart::LowerArm:
      return limbHinge(body, with(BodyPart::UpperArm), link, with(BodyPart::Hand), body.forward, 150.0, 20.0);
    case BodyPart::Hand: return around(bone, 75.0, 80.0);
    case BodyPart::Thumb: return around(bone, 60.0, 30.0);
    case BodyPart::UpperLeg:
      return cone(body, link, body.boneTo(link, with(BodyPart::LowerLeg)), body.forward - body.up, 80.0, 45.0);
    case BodyPart::LowerLeg:
      return limbHinge(body, with(BodyPart::UpperLeg), link, with(BodyPart::Foot), -body.forward, 142.0, 10.0);
    case BodyPart::Foot: return around(bone, 50.0, 35.0);
    case BodyPart::Toes: return around(bone, 70.0, 10.0);
    default: return around(bone, 95.0, 15.0);  // fingers
  }
}

/// Widens limits to contain the rest pose.
void includeRest(const Figure& figure, int link, BallLimits& limits) {
  const SwingTwist rest = swingTwist(limits, jointRotation(figure, restPose(figure), link));
  if (rest.swing > limits.swing) limits.swing = std::min(rest.swing + kPlay, std::numbers::pi);
  if (rest.twist < limits.twist.lower) limits.twist.lower = rest.twist - kPlay;
  if (rest.twist > limits.twist.upper) limits.twist.upper = rest.twist + kPlay;
  limits.twist.lower = std::max(limits.twist.lower, -std::numbers::pi);
  limits.twist.upper = std::min(limits.twist.upper, std::numbers::pi);
}

/// A robot's hip, shoulder or wrist is a row of hinges of that name, whose last one carries the part.
BodyPlaces atEndsOfRows(const Figure& figure, const std::vector<std::string>& names, const BodyPlaces& parts) {
  const auto nextInRow = [&](int link) {
    const SidedName name = bareName(names[link]);
    for (const int child : figure.children(link)) {
      const SidedName other = bareName(names[child]);
      if (figure.joint(child).type == JointType::Revolute && other.side == name.side && other.stem == name.stem)
        return child;
    }
    return -1;
  };
  BodyPlaces out;
  for (const auto& [first, place] : parts) {
    int link = first;
    if (figure.joint(first).type == JointType::Revolute && !maybeSeveral(place.part))
      for (int next = nextInRow(link); next >= 0; next = nextInRow(link)) link = next;
    out[link] = place;
  }
  return out;
}

}  // namespace

BodyPlaces recogniseHumanoid(const Figure& figure, const std::vector<std::string>& names) {
  BodyPlaces out = atEndsOfRows(figure, names, recogniseParts(names));
  return isWholeBody(figure, out) ? out : BodyPlaces{};
}

const BodyPlaces& BodyMap::places() const {
  return places_.get([&] {
    std::vector<std::string> bones, links;
    for (const Link& link : figure_.links()) {
      bones.push_back(link.bone);
      links.push_back(link.name);
    }
    BodyPlaces places;
    if (figure_.namesBones()) places = recogniseHumanoid(figure_, bones);
    return places.empty() ? recogniseHumanoid(figure_, links) : places;
  });
}

bool wantsAnatomicalLimits(const IkProblem& problem) {
  for (const JointSettings& joint : problem.joints)
    if (joint.limits.isBounded() || joint.ballLimits.isBounded()) return false;
  return bodyMapOf(*problem.figure).isPerson();
}

int applyAnatomicalLimits(IkProblem& problem) {
  const Figure& figure = *problem.figure;
  const BodyMap& map = bodyMapOf(figure);
  if (!map.isPerson()) return 0;
  const Body body(map);
  if (!body.isSound()) return 0;
  int count = 0;
  for (const auto& [link, place] : map.places()) {
    if (figure.joint(link).type != JointType::Ball) continue;
    std::optional<BallLimits> limits = limitsOf(body, link, place);
    if (!limits) continue;
    includeRest(figure, link, *limits);
    problem.joints[link].ballLimits = *limits;
    ++count;
  }
  clampToLimits(problem, problem.pose);
  return count;
}

void removeAnatomicalLimits(IkProblem& problem) {
  for (const auto& [link, place] : bodyMapOf(*problem.figure).places())
    problem.joints[link].ballLimits = problem.figure->joint(link).ballLimits;
}

}  // namespace limber
