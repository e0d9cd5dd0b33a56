// SPDX-License-Identifier: MIT
#include "limber/body/named_axes.h"

#include <Eigen/Geometry>
#include <map>
#include <optional>

#include "limber/body/body_map.h"

namespace limber {

namespace {

const Transform& restOf(const BodyMap& body, int link) { return body.rest().worldFromLink[link]; }

/// The first link with a shape at or below a link.
int carriedBy(const Figure& figure, int link) {
  while (figure.link(link).capsules.empty() && figure.children(link).size() == 1) link = figure.children(link)[0];
  return link;
}

/// Where the body faces; zero where that cannot be told.
Eigen::Vector3d forwardOf(const BodyMap& body) {
  const int left = body.find(BodyPart::UpperLeg, BodySide::Left),
            right = body.find(BodyPart::UpperLeg, BodySide::Right);
  if (left < 0 || right < 0) return Eigen::Vector3d::Zero();
  return (restOf(body, left).translation - restOf(body, right).translation)
      .cross(Eigen::Vector3d::UnitY())
      .stableNormalized();
}

/// The middle and radius of the link's last capsule; the link's joint without capsules.
Capsule middleOf(const Figure& figure, int link) {
  const auto& capsules = figure.link(link).capsules;
  if (capsules.empty()) return {};
  const Capsule& last = capsules.back();
  const Eigen::Vector3d middle = 0.5 * (last.start + last.end);
  return {middle, middle, last.radius};
}

/// An axis along `direction` (world, not zero) that begins on the surface of the link's middle.
NamedAxis axisOf(const BodyMap& body, std::string_view name, int link, const Eigen::Vector3d& direction) {
  const Eigen::Vector3d inLink = restOf(body, link).rotation.transpose() * direction;
  const Capsule middle = middleOf(body.figure(), link);
  return {name, {link, middle.start + middle.radius * inLink, frameAlong(inLink)}};
}

/// The mean of the first joints of such parts below a hand; nothing where there are none.
std::optional<Eigen::Vector3d> rootsOf(const BodyMap& body, BodyPart part, int hand) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  int count = 0;
  for (const auto& [link, place] : body.places()) {
    const auto above = body.places().find(body.figure().link(link).parent);
    const bool isRoot = place.part == part && body.figure().isAncestorOrSelf(hand, link) &&
                        (above == body.places().end() || above->second.part != part);
    if (!isRoot) continue;
    sum += restOf(body, link).translation;
    ++count;
  }
  return count > 0 ? std::optional<Eigen::Vector3d>(sum / count) : std::nullopt;
}

std::vector<NamedAxis> axesOfHand(const BodyMap& body, int hand, BodySide side) {
  const Eigen::Vector3d wrist = restOf(body, hand).translation;
  const EndEffector natural = endEffectorOf(body.figure(), hand);
  const Eigen::Vector3d end = rootsOf(body, BodyPart::Fingers, hand).value_or(restOf(body, hand) * natural.point);
  const Eigen::Vector3d fingers = (end - wrist).stableNormalized();
  const auto thumb = rootsOf(body, BodyPart::Thumb, hand);
  const Eigen::Vector3d toThumb = thumb ? Eigen::Vector3d(*thumb - wrist) : forwardOf(body);
  Eigen::Vector3d palm = fingers.cross(toThumb).stableNormalized();
  if (side == BodySide::Right) palm = -palm;
  std::vector<NamedAxis> axes;
  if (!fingers.isZero()) {
    axes.push_back(axisOf(body, "fingers", hand, fingers));
    axes.back().end.point = restOf(body, hand).inverse() * end;
  }
  if (!palm.isZero()) axes.push_back(axisOf(body, "palm", hand, palm));
  return axes;
}

}  // namespace

std::vector<NamedAxis> namedAxes(const Figure& figure, int link) {
  const BodyMap& body = bodyMapOf(figure);
  int part = link;
  while (part >= 0 && !body.places().contains(part)) part = figure.link(part).parent;
  if (part < 0) return {};
  const BodyPlace place = body.places().at(part);
  const bool isHead = place.part == BodyPart::Head, isHand = place.part == BodyPart::Hand;
  if (!isHead && !isHand) return {};
  part = carriedBy(figure, part);
  if (isHand) return axesOfHand(body, part, place.side);
  const Eigen::Vector3d forward = forwardOf(body);
  if (forward.isZero()) return {};
  return {axisOf(body, "face", part, forward)};
}

}  // namespace limber
