// SPDX-License-Identifier: MIT
#include "limber/body/sole.h"

#include <algorithm>
#include <limits>

#include "limber/body/body_map.h"

namespace limber {

namespace {

constexpr double kLowPart = 0.35;     // of the ankle's height: points no higher above the ground belong to the sole
constexpr double kPointFoot = 0.025;  // of the leg: a shorter sole touches the ground in one point

/// The ends of the capsules of some links, or their origins and sites where none has capsules.
std::vector<SolePoint> pointsOf(const Figure& figure, const std::vector<int>& links) {
  std::vector<SolePoint> points, bare;
  for (const int link : links) {
    bare.push_back({link});
    for (const Site& site : figure.sites())
      if (site.link == link) bare.push_back({link, site.linkFromSite.translation});
    for (const Capsule& capsule : figure.link(link).capsules)
      for (const Eigen::Vector3d& end : {capsule.start, capsule.end}) points.push_back({link, end, capsule.radius});
  }
  return points.empty() ? bare : points;
}

/// Coordinates of points of a level foot: to the left, up, ahead, from the ankle.
class LevelFoot {
 public:
  LevelFoot(const Figure& figure, const PoseParts& parts, int foot)
      : rest_(bodyMapOf(figure).rest()), footFromWorld_(rest_.worldFromLink[foot].inverse()),
        footFromLevel_(parts.linkFromStraight[foot]) {}

  Eigen::Vector3d operator()(const SolePoint& point) const {
    return footFromLevel_.transpose() * (footFromWorld_ * (rest_.worldFromLink[point.link] * point.place));
  }
  Eigen::Vector3d inFoot(const Eigen::Vector3d& level) const { return footFromLevel_ * level; }

 private:
  const Kinematics& rest_;
  Transform footFromWorld_;
  Eigen::Matrix3d footFromLevel_;
};

std::optional<Sole> soleOf(const Figure& figure, const PoseParts& parts, BodySide side) {
  const auto foot = parts.links.find({BodyPart::Foot, side}), toes = parts.links.find({BodyPart::Toes, side});
  if (foot == parts.links.end()) return std::nullopt;
  Sole sole{.side = side, .foot = foot->second.back()};
  if (toes != parts.links.end() && figure.isAncestorOrSelf(sole.foot, toes->second.front()) &&
      toes->second.front() != sole.foot)
    sole.toes = toes->second.front();
  sole.points = pointsOf(figure, withAllBelow(figure, sole.foot));
  const LevelFoot level(figure, parts, sole.foot);
  double ground = std::numeric_limits<double>::infinity(), rear = 0.0, front = 0.0;
  for (const SolePoint& point : sole.points) ground = std::min(ground, level(point).y() - point.radius);
  for (const SolePoint& point : sole.points) {
    const Eigen::Vector3d place = level(point);
    const bool isOfToes = sole.toes >= 0 && figure.isAncestorOrSelf(sole.toes, point.link);
    if (isOfToes || place.y() - point.radius > (1.0 - kLowPart) * std::min(ground, 0.0)) continue;
    rear = std::min(rear, place.z() - point.radius);
    front = std::max(front, place.z());
  }
  const Eigen::Vector3d ball = sole.toes >= 0 ? level({sole.toes}) : Eigen::Vector3d(0.0, 0.0, front);
  sole.heel = level.inFoot({0.0, ground, rear});
  sole.ball = level.inFoot({ball.x(), sole.toes >= 0 ? ball.y() : ground, ball.z()});
  sole.ballHeight = sole.toes >= 0 ? std::max(0.0, ball.y() - ground) : 0.0;
  sole.length = ball.z() - rear > kPointFoot * parts.legLength ? ball.z() - rear : 0.0;
  return sole;
}

}  // namespace

std::vector<Sole> solesOf(const Figure& figure, const PoseParts& parts) {
  std::vector<Sole> soles;
  if (!parts.hasBody || !(parts.legLength > 0.0)) return soles;
  for (const BodySide side : {BodySide::Left, BodySide::Right})
    if (auto sole = soleOf(figure, parts, side)) soles.push_back(std::move(*sole));
  return soles;
}

double lowestOf(const Sole& sole, const Kinematics& kinematics) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const SolePoint& point : sole.points)
    lowest = std::min(lowest, (kinematics.worldFromLink[point.link] * point.place).y() - point.radius);
  return lowest;
}

}  // namespace limber
