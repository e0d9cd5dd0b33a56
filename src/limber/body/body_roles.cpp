// SPDX-License-Identifier: MIT
#include "limber/body/body_roles.h"

#include <algorithm>
#include <cmath>

#include "limber/body/body_map.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/shortest_turn.h"

namespace limber {

namespace {

constexpr double kNoBone = 1e-6;       // metres: joints nearer to each other do not define a direction
constexpr double kLeansAtMost = 0.87;  // cosine: a body that leans less at rest counts as upright

/// The hips by name, else where the legs meet.
int findHips(const Figure& figure, const BodyPlaces& places) {
  const int named = linkAt(places, {BodyPart::Hips, BodySide::Middle});
  const int left = linkAt(places, {BodyPart::UpperLeg, BodySide::Left}),
            right = linkAt(places, {BodyPart::UpperLeg, BodySide::Right});
  if (named >= 0 && figure.isAncestorOrSelf(named, left) && figure.isAncestorOrSelf(named, right)) return named;
  return commonAncestor(figure, left, right);
}

/// Vertebrae from below: the last is the upper chest, the one before it the chest, all others the spine. A body with
/// fewer than three has no upper chest, or neither chest nor upper chest.
void giveSpineRoles(const Figure& figure, const BodyPlaces& places, int hips, BodyRoles& roles) {
  std::vector<int> spine;
  const int arms = commonAncestor(figure, linkAt(places, {BodyPart::UpperArm, BodySide::Left}),
                                  linkAt(places, {BodyPart::UpperArm, BodySide::Right}));
  for (const auto& [link, place] : places)
    if (place.part == BodyPart::Spine && link != hips && figure.isAncestorOrSelf(hips, link) &&
        (arms < 0 || figure.isAncestorOrSelf(link, arms)))
      spine.push_back(link);
  const int count = static_cast<int>(spine.size()), low = std::max(1, count - 2);
  for (int i = 0; i < count; ++i) {
    const BodyPart part = i < low ? BodyPart::Spine : i == low ? BodyPart::Chest : BodyPart::UpperChest;
    roles.links[spine[i]] = {part, BodySide::Middle, part == BodyPart::Spine ? low : 1};
  }
}

BodyRoles rolesOf(const Figure& figure, const BodyPlaces& places) {
  BodyRoles roles;
  const int hips = findHips(figure, places);
  if (hips < 0) return roles;
  roles.links[hips] = {BodyPart::Hips, BodySide::Middle, 1};
  giveSpineRoles(figure, places, hips, roles);
  const int necks = static_cast<int>(
      std::ranges::count_if(places, [](const auto& entry) { return entry.second.part == BodyPart::Neck; }));
  for (const auto& [link, place] : places)
    if (place.part >= BodyPart::Neck && !isDigit(place.part) && !roles.links.contains(link))
      roles.links[link] = {place.part, place.side, place.part == BodyPart::Neck ? necks : 1};
  return roles;
}

// ---- The T-pose -----------------------------------------------------------------------------------------------------

/// A body at rest, and its axes: to the left, up, forward.
struct RestingBody {
  const Figure& figure;
  const BodyRoles& roles;
  const Kinematics& rest;
  const OutwardWays& ways;
  Eigen::Matrix3d worldFromBody;

  RestingBody(const BodyMap& map, const BodyRoles& r)
      : figure(map.figure()), roles(r), rest(map.rest()), ways(map.ways()) {
    const Eigen::Vector3d hips = middleOf(BodyPart::UpperLeg), arms = middleOf(BodyPart::UpperArm);
    const Eigen::Vector3d across = placeOf(roles.find(BodyPart::UpperLeg, BodySide::Left)) -
                                   placeOf(roles.find(BodyPart::UpperLeg, BodySide::Right)) +
                                   placeOf(roles.find(BodyPart::UpperArm, BodySide::Left)) -
                                   placeOf(roles.find(BodyPart::UpperArm, BodySide::Right));
    Eigen::Vector3d up = (arms - hips).normalized();
    if (up.y() > kLeansAtMost) up = Eigen::Vector3d::UnitY();
    const Eigen::Vector3d left = (across - across.dot(up) * up).normalized();
    worldFromBody << left, up, left.cross(up);
  }
  bool isSound() const { return isRotation(worldFromBody); }
  Eigen::Vector3d placeOf(int link) const { return rest.worldFromLink[link].translation; }
  Eigen::Vector3d middleOf(BodyPart part) const {
    return 0.5 * (placeOf(roles.find(part, BodySide::Left)) + placeOf(roles.find(part, BodySide::Right)));
  }
  /// Along the bone to `next`, in the body's axes; zero where it has no length. Where `next` is -1, to the first joint
  /// of the longest way outward: the middle finger, not the thumb.
  Eigen::Vector3d boneOf(int link, int next) const {
    const Eigen::Vector3d here = placeOf(link);
    if (next < 0) next = ways.next[link];
    while (next >= 0 && (placeOf(next) - here).norm() < kNoBone) next = ways.next[next];
    return next < 0 ? Eigen::Vector3d(Eigen::Vector3d::Zero())
                    : Eigen::Vector3d(worldFromBody.transpose() * (placeOf(next) - here));
  }
  /// The same; of a leaf, to its site.
  Eigen::Vector3d tipOf(int link) const {
    const auto site = std::ranges::find(figure.sites(), link, &Site::link);
    if (!figure.children(link).empty() || site == figure.sites().end()) return boneOf(link, -1);
    const Eigen::Vector3d tip = site->linkFromSite.translation;
    return worldFromBody.transpose() * (rest.worldFromLink[link].rotation * tip);
  }
};

/// The turn of a bone to a wanted direction: `above`, then the shortest turn. An elbow that is bent at rest is so
/// straightened about its own axis.
Eigen::Matrix3d swing(const Eigen::Vector3d& bone, const Eigen::Vector3d& wanted, const Eigen::Matrix3d& above) {
  return bone.norm() > 1e-9 ? shortestTurn(above * bone, wanted).toRotationMatrix() * above : above;
}

/// The turn about the vertical that brings what lies ahead of the ankle ahead of the body.
Eigen::Matrix3d turnAhead(const Eigen::Vector3d& foot) {
  if (std::hypot(foot.x(), foot.z()) < 1e-9) return Eigen::Matrix3d::Identity();
  return Eigen::AngleAxisd(-std::atan2(foot.x(), foot.z()), Eigen::Vector3d::UnitY()).toRotationMatrix();
}

/// Most feet are level at rest, in any pose of the leg. In conventions such as CMU's, whose rest pose spreads the legs,
/// the foot is square to its shank and turns with it. The plane of ankle, toes and their tip, which is upright in the
/// T-pose, tells the two apart.
Eigen::Matrix3d turnOfFoot(const RestingBody& body, int foot, int toes, const Eigen::Matrix3d& shank) {
  const Eigen::Vector3d bone = body.boneOf(foot, toes);
  const Eigen::Vector3d across = bone.cross(toes < 0 ? Eigen::Vector3d::Zero().eval() : body.tipOf(toes));
  const bool goesAlong = std::abs((shank * across).y()) < std::abs(across.y()) - kNoBone * across.norm();
  return goesAlong ? turnAhead(shank * bone) * shank : turnAhead(bone);
}

/// A of a link, in the body's axes. above: A of the link above.
Eigen::Matrix3d turnToTPose(const RestingBody& body, int link, const BodyRole& role, const Eigen::Matrix3d& above) {
  const auto next = [&](BodyPart part) { return body.roles.find(part, role.side); };
  const Eigen::Vector3d outward = (role.side == BodySide::Right ? -1.0 : 1.0) * Eigen::Vector3d::UnitX();
  const Eigen::Vector3d down = -Eigen::Vector3d::UnitY();
  switch (role.part) {
    case BodyPart::UpperArm: return swing(body.boneOf(link, next(BodyPart::LowerArm)), outward, above);
    case BodyPart::LowerArm: return swing(body.boneOf(link, next(BodyPart::Hand)), outward, above);
    case BodyPart::Hand: return swing(body.boneOf(link, -1), outward, above);
    case BodyPart::UpperLeg: return swing(body.boneOf(link, next(BodyPart::LowerLeg)), down, above);
    case BodyPart::LowerLeg: return swing(body.boneOf(link, next(BodyPart::Foot)), down, above);
    case BodyPart::Foot: return turnOfFoot(body, link, next(BodyPart::Toes), above);
    case BodyPart::Toes: return above;
    default: return Eigen::Matrix3d::Identity();
  }
}

bool findFrames(const BodyMap& map, BodyRoles& roles) {
  const Figure& figure = map.figure();
  const RestingBody body(map, roles);
  if (!body.isSound()) return false;
  std::vector<Eigen::Matrix3d> turns;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const int parent = figure.link(i).parent;
    const Eigen::Matrix3d above = parent < 0 ? Eigen::Matrix3d::Identity() : turns[parent];
    const auto role = roles.links.find(i);
    turns.push_back(role == roles.links.end() ? above : turnToTPose(body, i, role->second, above));
    roles.linkFromTPose.push_back(body.rest.worldFromLink[i].rotation.transpose() * body.worldFromBody *
                                  turns.back().transpose());
  }
  return true;
}

}  // namespace

int BodyRoles::find(BodyPart part, BodySide side) const {
  for (const auto& [link, role] : links)
    if (role.part == part && role.side == side) return link;
  return -1;
}

const std::optional<BodyRoles>& BodyMap::roles() const {
  return roles_.get([&]() -> std::optional<BodyRoles> {
    if (placesByNamesOrShape().empty()) return std::nullopt;
    BodyRoles roles = rolesOf(figure_, placesByNamesOrShape());
    if (roles.links.empty() || !findFrames(*this, roles)) return std::nullopt;
    return roles;
  });
}

}  // namespace limber
