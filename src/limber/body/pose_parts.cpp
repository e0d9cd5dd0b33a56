// SPDX-License-Identifier: MIT
#include "limber/body/pose_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "limber/body/body_map.h"

namespace limber {

namespace {

constexpr double kOneVertebra = 0.04;  // of the figure's size: hinges nearer to each other turn one vertebra
constexpr double kSameAxis = 0.9;      // cosine: a hinge about an axis of the row belongs to the next vertebra
constexpr double kSunk = 0.1;          // of the figure's size: a body that rests this far below y = 0 stands at 0

/// The links from one to another, ends included; empty if they have no common ancestor.
std::vector<int> wayBetween(const Figure& figure, int from, int to) {
  const int meet = commonAncestor(figure, from, to);
  if (meet < 0) return {};
  std::vector<int> way, down;
  for (int link = from; link != meet; link = figure.link(link).parent) way.push_back(link);
  for (int link = to; link != meet; link = figure.link(link).parent) down.push_back(link);
  if (meet == from || meet == to) way.push_back(meet);  // else it is the base of both and turns neither
  way.insert(way.end(), down.rbegin(), down.rend());
  return way;
}

class PartFinder {
 public:
  PartFinder(const BodyMap& body, PoseParts& parts)
      : body_(body), figure_(body.figure()), rest_(body.rest()), parts_(parts) {}

  void findBody(const BodyRoles& roles) {
    parts_.hasBody = true;
    parts_.linkFromStraight = roles.linkFromTPose;
    for (const auto& [link, role] : roles.links) {
      const bool isOfRow = role.part > BodyPart::Hips && role.part < BodyPart::Head;  // trunk and neck follow
      if (!isOfRow) parts_.links.try_emplace({role.part, role.side}, std::vector{link});
    }
    const int hips = linkOf({BodyPart::Hips, BodySide::Middle});
    parts_.worldFromBody = rest_.worldFromLink[hips].rotation * roles.linkFromTPose[hips];
    const int chest = commonAncestor(figure_, linkOf({BodyPart::UpperArm, BodySide::Left}),
                                     linkOf({BodyPart::UpperArm, BodySide::Right}));
    takeMiddle(wayBetween(figure_, hips, chest), hips, BodyPart::Spine);
    takeNeck(roles, chest);
    for (const BodySide side : {BodySide::Left, BodySide::Right}) findHandOf(side);
    parts_.legLength = legLength();
  }

  void findHand() {
    auto hand = findLoneHand(body_);
    if (!hand) return;
    const int palm = hand->palm;
    const BodySide side = hand->side;
    const Eigen::Matrix3d axes = hand->palmFromHand;
    takeHand(std::move(*hand));
    if (!hasRotation(figure_.joint(palm)) || figure_.link(palm).parent >= 0) return;
    parts_.links[{BodyPart::Hand, side}] = {palm};  // relative to its own rest
    parts_.linkFromStraight[palm] = axes;
    parts_.worldFromBody = rest_.worldFromLink[palm].rotation * axes;
  }

 private:
  int linkOf(BodyPlace place) const {
    const auto found = parts_.links.find(place);
    return found == parts_.links.end() ? -1 : found->second.back();
  }
  Eigen::Vector3d placeOf(int link) const { return rest_.worldFromLink[link].translation; }
  bool hasPart(int link) const {
    return std::ranges::any_of(parts_.links, [&](const auto& entry) { return std::ranges::count(entry.second, link); });
  }

  /// True if the other link is below this one and does not move relative to it.
  bool carries(int link, int other) const {
    if (!figure_.isAncestorOrSelf(link, other)) return false;
    for (; other != link; other = figure_.link(other).parent)
      if (stepSize(figure_.joint(other).type) > 0) return false;
    return true;
  }

  Eigen::Vector3d axisOf(int link) const { return rest_.worldFromLink[link].rotation * figure_.joint(link).axis; }
  bool turnsOtherwise(int link, const std::vector<Eigen::Vector3d>& axes) const {
    return std::ranges::all_of(axes, [&](const auto& axis) { return std::abs(axis.dot(axisOf(link))) < kSameAxis; });
  }

  /// Takes the links of the way that turn, except `without`; of hinges about different axes at one point, the
  /// outermost.
  void takeMiddle(const std::vector<int>& way, int without, BodyPart part) {
    std::vector<int> links;
    std::vector<Eigen::Vector3d> axes;  // of the hinges in the present row
    const double near = kOneVertebra * body_.size();
    for (const int link : way) {
      if (link == without || hasPart(link) || !turnsLink(figure_.joint(link)) || carries(link, without)) continue;
      const int before = links.empty() ? -1 : links.back();
      const bool isInRow = before >= 0 && figure_.joint(link).type == JointType::Revolute &&
                           figure_.joint(before).type == JointType::Revolute &&
                           (placeOf(link) - placeOf(before)).norm() < near && turnsOtherwise(link, axes);
      if (!isInRow) axes.clear();
      axes.push_back(axisOf(link));
      if (isInRow) links.back() = std::max(before, link);
      else links.push_back(link);
    }
    if (!links.empty()) parts_.links[{part, BodySide::Middle}] = std::move(links);
  }

  void takeNeck(const BodyRoles& roles, int chest) {
    const int head = linkOf({BodyPart::Head, BodySide::Middle});
    int top = head;
    if (top < 0)
      for (const auto& [link, role] : roles.links)
        if (role.part == BodyPart::Neck) top = link;
    if (top < 0 || chest < 0 || !figure_.isAncestorOrSelf(chest, top)) return;
    std::vector<int> way = wayBetween(figure_, chest, top);
    // The head's own row of hinges is not a neck.
    if (head >= 0)
      while (way.size() > 1 && figure_.joint(way[way.size() - 2]).type == JointType::Revolute &&
             figure_.joint(head).type == JointType::Revolute && way[way.size() - 2] != chest &&
             (placeOf(way[way.size() - 2]) - placeOf(head)).norm() < kOneVertebra * body_.size())
        way.erase(way.end() - 2);
    takeMiddle(way, chest, BodyPart::Neck);
  }

  void findHandOf(BodySide side) {
    const int palm = linkOf({BodyPart::Hand, side});
    if (palm < 0) return;
    // In the T-pose: the thumb's side ahead, fingers outward, the palm down.
    Eigen::Matrix3d inTPose;
    inTPose << Eigen::Vector3d::UnitZ(), (side == BodySide::Left ? 1.0 : -1.0) * Eigen::Vector3d::UnitX(),
        -Eigen::Vector3d::UnitY();
    if (auto hand = findHandParts(body_, palm, side, parts_.linkFromStraight[palm] * inTPose))
      takeHand(std::move(*hand));
  }

  void takeHand(HandParts hand) {
    parts_.linkFromStraight.resize(figure_.linkCount(), Eigen::Matrix3d::Identity());
    for (std::size_t i = 0; i < kDigitCount; ++i)
      if (!hand.digits[i].empty()) parts_.links[{digitAt(i), hand.side}] = hand.digits[i];
    if (!hand.mitten.empty()) parts_.links[{BodyPart::Fingers, hand.side}] = hand.mitten;
    for (const auto& [link, frame] : hand.linkFromStraight) parts_.linkFromStraight[link] = frame;
    parts_.hands.emplace(hand.side, std::move(hand));
  }

  double legLength() const {
    double length = 0.0;
    int feet = 0;
    const double lowest = lowestPoint(figure_, parts_, rest_);
    for (const BodySide side : {BodySide::Left, BodySide::Right}) {
      const int thigh = linkOf({BodyPart::UpperLeg, side}), shank = linkOf({BodyPart::LowerLeg, side}),
                foot = linkOf({BodyPart::Foot, side});
      if (thigh < 0 || shank < 0) continue;
      ++feet;
      const Eigen::Vector3d ankle = foot >= 0 ? placeOf(foot) : placeOf(shank);
      length += (placeOf(shank) - placeOf(thigh)).norm() + (ankle - placeOf(shank)).norm() + ankle.y() - lowest;
    }
    return feet > 0 ? length / feet : 0.0;
  }

  const BodyMap& body_;
  const Figure& figure_;
  const Kinematics& rest_;
  PoseParts& parts_;
};

}  // namespace

std::optional<BodySide> PoseParts::handOf(const Figure& figure, int link) const {
  if (link < 0) return std::nullopt;
  for (const auto& [side, hand] : hands)
    if (figure.isAncestorOrSelf(hand.palm, link)) return side;
  return std::nullopt;
}

const PoseParts& BodyMap::poseParts() const {
  return poseParts_.get([&] {
    PoseParts parts;
    PartFinder finder(*this, parts);
    if (roles()) finder.findBody(*roles());
    else finder.findHand();
    return parts;
  });
}

double lowestPoint(const Figure& figure, const PoseParts& parts, const Kinematics& kinematics) {
  std::vector<int> all;
  for (const auto& [place, links] : parts.links) {
    const bool isEnd = place.part == BodyPart::Foot || place.part == BodyPart::Toes;
    for (const int link : links)
      if (isEnd) std::ranges::copy(withAllBelow(figure, link), std::back_inserter(all));
      else all.push_back(link);
  }
  return lowestOfLinks(figure, kinematics, all);
}

std::optional<double> lowestOfFoot(const Figure& figure, const PoseParts& parts, const Kinematics& kinematics,
                                   BodySide side) {
  const auto foot = parts.links.find({BodyPart::Foot, side});
  if (foot == parts.links.end()) return std::nullopt;
  return lowestOfLinks(figure, kinematics, withAllBelow(figure, foot->second.front()));
}

double groundOf(const Figure& figure, const PoseParts& parts) {
  const double lowest = lowestPoint(figure, parts, bodyMapOf(figure).rest());
  return lowest < -kSunk * bodyMapOf(figure).size() ? 0.0 : lowest;
}

bool RolePose::hasHand(BodySide side) const {
  return std::ranges::any_of(turns,
                             [&](const auto& entry) { return isDigit(entry.first.part) && entry.first.side == side; });
}

RolePose rolePoseOf(const Figure& figure, const PoseParts& parts, const Pose& pose) {
  RolePose out;
  const Kinematics now = transformsOf(figure, pose);
  for (const auto& [place, links] : parts.links) {
    Eigen::Matrix3d axes = parts.worldFromBody, base = Eigen::Matrix3d::Identity();
    if (isDigit(place.part)) {
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
  const Kinematics& rest = bodyMapOf(figure).rest();
  const int hips = parts.links.at({BodyPart::Hips, BodySide::Middle}).front();
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
