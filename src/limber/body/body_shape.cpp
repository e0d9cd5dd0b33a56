// SPDX-License-Identifier: MIT
// The parts of a human body by its shape at rest. Every limb is the longest path outward from the point where one side
// leaves the middle. Joints that are nearly at one point count as one (hinges in a row); the two longest successive
// segments are thigh and shank, or upper arm and forearm.
#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/body/body_map.h"
#include "limber/kinematics/forward_kinematics.h"

namespace limber {

namespace {

constexpr double kUpright = 0.3;        // of a unit normal: how far the mirror plane may lean
constexpr double kAtOnePlace = 0.08;    // of a limb's length
constexpr double kGreatLimb = 0.45;     // of the legs' length: shorter ones are ears, breasts, tails
constexpr double kLikeEachOther = 0.5;  // least ratio of the lengths of thigh and shank, or of upper arm and forearm
constexpr double kStraightDown = 0.85;  // of a leg's length: least descent
constexpr double kOffTheGround = 0.25;  // of the shoulders' height: hands are higher

/// One limb of the left side.
struct ShapeLimb {
  int fork = -1;                        ///< link in the middle to which it is attached
  std::vector<int> links;               ///< moving links from there outward, one per point: the last of several
  std::vector<Eigen::Vector3d> places;  ///< of these
  double length = 0.0;
  std::size_t upper = 0;  ///< index of the thigh or upper arm in the links
};

class BodyShape {
 public:
  BodyShape(const BodyMap& body, const Symmetry& symmetry)
      : figure_(body.figure()), symmetry_(symmetry), rest_(transformsOf(figure_, symmetry.rest)),
        ways_(outwardWays(figure_, rest_)) {
    for (int i = 0; i < figure_.linkCount(); ++i) ground_ = std::min(ground_, placeOf(i).y());
  }

  BodyPlaces recognise() {
    std::vector<ShapeLimb> limbs = findLimbs();
    if (limbs.size() < 2) return {};
    std::ranges::sort(limbs, {}, [](const ShapeLimb& limb) { return limb.places.back().y(); });
    const ShapeLimb legs = limbs.front();
    std::erase_if(limbs, [&](const ShapeLimb& limb) { return limb.length < kGreatLimb * legs.length; });
    if (limbs.size() != 2) return {};
    const ShapeLimb& arms = limbs.back();
    if (!areLegs(legs) || !areArms(arms, legs)) return {};
    isTurned_ = toesPoint(legs).dot(symmetry_.normal.cross(Eigen::Vector3d::UnitY())) < 0.0;
    BodyPlaces places;
    if (!nameMiddle(legs, arms, places)) return {};
    nameLimb(legs, {BodyPart::UpperLeg, BodyPart::LowerLeg, BodyPart::Foot, BodyPart::Toes}, places);
    nameLimb(arms, {BodyPart::UpperArm, BodyPart::LowerArm, BodyPart::Hand}, places);
    if (arms.upper > 0) namePair(arms.links[arms.upper - 1], BodyPart::Clavicle, places);
    return places;
  }

 private:
  Eigen::Vector3d placeOf(int link) const { return rest_.worldFromLink[link].translation; }
  bool isMiddle(int link) const { return symmetry_.partner[link] == link; }

  std::vector<ShapeLimb> findLimbs() const {
    std::vector<ShapeLimb> limbs;
    for (int i = 0; i < figure_.linkCount(); ++i) {
      const int fork = figure_.link(i).parent;
      if (fork < 0 || symmetry_.side[i] != BodySide::Left || symmetry_.partner[i] < 0) continue;
      if (symmetry_.side[fork] == BodySide::Left) continue;
      ShapeLimb limb = limbFrom(i);
      limb.fork = fork;
      if (findUpper(limb)) limbs.push_back(std::move(limb));
    }
    return limbs;
  }

  ShapeLimb limbFrom(int first) const {
    ShapeLimb limb;
    limb.length = ways_.reach[first];
    for (int link = first; link >= 0; link = ways_.next[link]) {
      const bool isMoving = stepSize(figure_.joint(link).type) > 0;
      const bool isSamePlace =
          !limb.links.empty() && (placeOf(link) - limb.places.back()).norm() < kAtOnePlace * limb.length;
      if (!isMoving && (isSamePlace || ways_.next[link] >= 0)) continue;
      if (isSamePlace) limb.links.back() = link;
      else {
        limb.links.push_back(link);
        limb.places.push_back(placeOf(link));
      }
    }
    return limb;
  }

  /// Finds the two longest successive segments. False if their lengths differ too much.
  static bool findUpper(ShapeLimb& limb) {
    double best = 0.0;
    for (std::size_t i = 0; i + 2 < limb.places.size(); ++i) {
      const double first = (limb.places[i + 1] - limb.places[i]).norm(),
                   second = (limb.places[i + 2] - limb.places[i + 1]).norm();
      const double shorter = std::min(first, second);
      if (shorter < kLikeEachOther * std::max(first, second) || shorter <= best) continue;
      best = shorter;
      limb.upper = i;
    }
    return best > 0.0;
  }

  bool areLegs(const ShapeLimb& limb) const {
    const Eigen::Vector3d leg = limb.places[limb.upper] - limb.places[limb.upper + 2];
    return leg.y() > kStraightDown * leg.norm() && limb.places.back().y() - ground_ < 0.2 * leg.norm();
  }

  /// The direction of the foot from the ankle; zero if it has no length.
  static Eigen::Vector3d toesPoint(const ShapeLimb& legs) {
    const Eigen::Vector3d foot = legs.places.back() - legs.places[legs.upper + 2];
    return {foot.x(), 0.0, foot.z()};
  }

  bool areArms(const ShapeLimb& arms, const ShapeLimb& legs) const {
    const double shoulder = arms.places[arms.upper].y(), hip = legs.places[legs.upper].y();
    if (shoulder < hip + 0.3 * (hip - ground_)) return false;
    return arms.places.back().y() - ground_ > kOffTheGround * (shoulder - ground_);
  }

  /// Hips, spine, neck and head; false where no head is above the arms.
  bool nameMiddle(const ShapeLimb& legs, const ShapeLimb& arms, BodyPlaces& places) const {
    if (!figure_.isAncestorOrSelf(legs.fork, arms.fork) || legs.fork == arms.fork) return false;
    places[legs.fork] = {BodyPart::Hips, BodySide::Middle};
    for (int link = arms.fork; link != legs.fork; link = figure_.link(link).parent)
      if (stepSize(figure_.joint(link).type) > 0) places[link] = {BodyPart::Spine, BodySide::Middle};
    std::vector<int> above;
    int highest = -1;
    for (const int child : figure_.children(arms.fork))
      if (isMiddle(child) && stepSize(figure_.joint(child).type) > 0 &&
          (highest < 0 || placeOf(child).y() > placeOf(highest).y()))
        highest = child;
    for (int link = highest; link >= 0; link = middleChild(link)) above.push_back(link);
    if (above.empty() || placeOf(above.back()).y() < arms.places[arms.upper].y()) return false;
    for (std::size_t i = 0; i + 1 < above.size(); ++i) places[above[i]] = {BodyPart::Neck, BodySide::Middle};
    places[above.back()] = {BodyPart::Head, BodySide::Middle};
    return true;
  }

  int middleChild(int link) const {
    for (const int child : figure_.children(link))
      if (isMiddle(child) && stepSize(figure_.joint(child).type) > 0 && placeOf(child).y() > placeOf(link).y())
        return child;
    return -1;
  }

  void nameLimb(const ShapeLimb& limb, std::initializer_list<BodyPart> parts, BodyPlaces& places) const {
    std::size_t i = limb.upper;
    for (const BodyPart part : parts) {
      if (i >= limb.links.size()) return;
      namePair(limb.links[i++], part, places);
    }
  }

  void namePair(int left, BodyPart part, BodyPlaces& places) const {
    places[left] = {part, isTurned_ ? BodySide::Right : BodySide::Left};
    places[symmetry_.partner[left]] = {part, isTurned_ ? BodySide::Left : BodySide::Right};
  }

  const Figure& figure_;
  const Symmetry& symmetry_;
  Kinematics rest_;
  OutwardWays ways_;
  double ground_ = std::numeric_limits<double>::infinity();
  bool isTurned_ = false;  ///< the toes show that the symmetry's left is the body's right
};

}  // namespace

const BodyPlaces& BodyMap::placesByNamesOrShape() const {
  return placesByNamesOrShape_.get([&] {
    if (isPerson()) return places();
    const Symmetry* found = symmetry().symmetry.get();
    const bool hasPlane = found && !found->isByNames && std::abs(found->normal.y()) <= kUpright;
    return hasPlane ? BodyShape(*this, *found).recognise() : BodyPlaces{};
  });
}

}  // namespace limber
