// SPDX-License-Identifier: MIT
#include "limber/problem/role_pose.h"

#include <algorithm>
#include <cmath>

#include "limber/kinematics/forward_kinematics.h"

namespace limber {

bool RolePose::hasHand(BodySide side) const {
  return std::ranges::any_of(turns,
                             [&](const auto& entry) { return isOfHand(entry.first.part) && entry.first.side == side; });
}

RolePose rolePoseOf(const Figure& figure, const PoseParts& parts, const Pose& pose) {
  RolePose out;
  const Kinematics now = transformsOf(figure, pose);
  for (const auto& [place, links] : parts.links) {
    Eigen::Matrix3d axes = parts.worldFromBody, base = Eigen::Matrix3d::Identity();
    if (isOfHand(place.part)) {
      const HandParts& hand = parts.hands.at(place.side);
      axes = hand.palmFromHand;
      base = now.worldFromLink[hand.palm].rotation.transpose();
    }
    for (const int link : links) {
      const Eigen::Matrix3d turn =
          axes.transpose() * base * now.worldFromLink[link].rotation * parts.linkFromStraight[link];
      out.turns[place].push_back(Eigen::Quaterniond(turn).normalized());
    }
  }
  if (!parts.hasBody || !(parts.legLength > 0.0)) return out;
  const Kinematics rest = transformsOf(figure, restPose(figure));
  const int hips = parts.links.at({PosePart::Hips, BodySide::Middle}).front();
  const Eigen::Vector3d shift =
      parts.worldFromBody.transpose() * (now.worldFromLink[hips].translation - rest.worldFromLink[hips].translation);
  out.shift = Eigen::Vector2d(shift.x(), shift.z()) / parts.legLength;
  out.clearance = (lowestPoint(figure, parts, now) - groundOf(figure, parts)) / parts.legLength;
  for (const BodySide side : {BodySide::Left, BodySide::Right})
    if (const auto lowest = lowestOfFoot(figure, parts, now, side))
      out.feet[side] = (*lowest - *lowestOfFoot(figure, parts, rest, side)) / parts.legLength;
  return out;
}

Eigen::Quaterniond turnAlong(const Eigen::Quaterniond& from, const std::vector<Eigen::Quaterniond>& turns,
                             double place) {
  const double count = static_cast<double>(turns.size()), reached = std::clamp(place, 0.0, 1.0) * count;
  const auto last = static_cast<std::size_t>(std::clamp(std::ceil(reached - 1e-9), 1.0, count)) - 1;
  const double part = reached - static_cast<double>(last);
  if (part >= 1.0 - 1e-9) return turns[last];
  return (last == 0 ? from : turns[last - 1]).slerp(part, turns[last]);
}

}  // namespace limber
