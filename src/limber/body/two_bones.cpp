// SPDX-License-Identifier: MIT
#include "limber/body/two_bones.h"

#include <algorithm>

#include "limber/problem/bend.h"

namespace limber {

namespace {

constexpr double kTogether = 0.1;     // of the longest bone: joints nearer to each other count as one
constexpr double kComparable = 0.45;  // of the longer of both bones: the shorter one is at least so long
constexpr double kShortEnd = 0.5;     // of the lower bone: a longer third bone makes a limb of three

/// Joints in about one place.
struct Knot {
  Eigen::Vector3d place = Eigen::Vector3d::Zero();  ///< of the first joint, world, at rest
  std::vector<int> links;
};

/// The moving links from the limb's base through `link` to the end of the longest way outward.
std::vector<int> wayThrough(const BodyMap& body, int link) {
  const Figure& figure = body.figure();
  const std::vector<char> limb = body.limbOf(link);
  std::vector<int> way;
  for (int i = link; i >= 0 && limb[i]; i = figure.link(i).parent) way.push_back(i);
  std::ranges::reverse(way);
  for (int i = body.ways().next[link]; i >= 0; i = body.ways().next[i]) way.push_back(i);
  std::erase_if(way, [&](int i) { return figure.joint(i).type == JointType::Fixed; });
  return way;
}

std::vector<Knot> knotsOf(const Kinematics& rest, const std::vector<int>& way) {
  const auto placeOf = [&](int link) -> const Eigen::Vector3d& { return rest.worldFromLink[link].translation; };
  double longest = 0.0;
  for (std::size_t i = 1; i < way.size(); ++i)
    longest = std::max(longest, (placeOf(way[i]) - placeOf(way[i - 1])).norm());
  std::vector<Knot> knots;
  for (const int link : way) {
    if (knots.empty() || (placeOf(link) - knots.back().place).norm() > kTogether * longest)
      knots.push_back({placeOf(link), {}});
    knots.back().links.push_back(link);
  }
  return knots;
}

/// The end joints up to the first link on which several moving links hang, which is a palm.
std::vector<int> endJointsOf(const Figure& figure, const std::vector<Knot>& knots, std::size_t first) {
  std::vector<int> joints;
  for (std::size_t k = first; k < knots.size(); ++k)
    for (const int link : knots[k].links) {
      joints.push_back(link);
      const auto isMoving = [&](int child) { return figure.joint(child).type != JointType::Fixed; };
      if (std::ranges::count_if(figure.children(link), isMoving) > 1) return joints;
    }
  return joints;
}

/// TwoBones::foldAxis of a limb of a human body: knees fold backward, elbows forward.
Eigen::Vector3d findFoldAxis(const BodyRoles& roles, const TwoBones& bones) {
  const auto role = roles.links.find(bones.lower());
  if (role == roles.links.end()) return Eigen::Vector3d::Zero();
  const Eigen::Matrix3d& axes = roles.linkFromTPose[bones.lower()];  // left, up, ahead
  if (role->second.part == BodyPart::LowerLeg) return axes.col(0);
  if (role->second.part != BodyPart::LowerArm) return Eigen::Vector3d::Zero();
  return role->second.side == BodySide::Left ? Eigen::Vector3d(-axes.col(1)) : Eigen::Vector3d(axes.col(1));
}

bool isComparable(double a, double b) { return std::min(a, b) >= kComparable * std::max(a, b); }

}  // namespace

std::optional<TwoBones> findTwoBones(const BodyMap& body, int link) {
  const Figure& figure = body.figure();
  const Kinematics& rest = body.rest();
  const std::vector<int> way = wayThrough(body, link);
  if (way.empty() || std::ranges::any_of(way, [&](int i) { return body.trunks()[i] != 0; })) return std::nullopt;
  const std::vector<Knot> knots = knotsOf(rest, way);
  const EndEffector tip = farEndOf(figure, way.back());
  std::vector<Eigen::Vector3d> places;
  for (const Knot& knot : knots) places.push_back(knot.place);
  places.push_back(rest.worldFromLink[tip.link] * tip.point);
  const auto boneAfter = [&](std::size_t k) { return (places[k + 1] - places[k]).norm(); };
  std::size_t fold = 0;  // the knot between the two longest bones
  for (std::size_t k = 1; k < knots.size(); ++k)
    if (fold == 0 || boneAfter(k - 1) * boneAfter(k) > boneAfter(fold - 1) * boneAfter(fold)) fold = k;
  if (fold == 0 || !isComparable(boneAfter(fold - 1), boneAfter(fold))) return std::nullopt;
  if (fold + 1 < knots.size() && boneAfter(fold + 1) > kShortEnd * boneAfter(fold)) return std::nullopt;
  TwoBones bones;
  for (std::size_t k = 0; k < fold; ++k)
    bones.rootJoints.insert(bones.rootJoints.end(), knots[k].links.begin(), knots[k].links.end());
  bones.foldJoints = knots[fold].links;
  bones.endJoints = endJointsOf(figure, knots, fold + 1);
  bones.fold = rest.worldFromLink[bones.upper()].inverse() * places[fold];
  bones.end = rest.worldFromLink[bones.lower()].inverse() * places[fold + 1];
  bones.lowerLength = boneAfter(fold);
  if (figure.joint(bones.lower()).type == JointType::Ball && body.roles())
    bones.foldAxis = findFoldAxis(*body.roles(), bones);
  return bones;
}

}  // namespace limber
