// SPDX-License-Identifier: MIT
#include "limber/body/arm_pairs.h"

#include <algorithm>

#include "limber/body/body_map.h"

namespace limber {

namespace {

bool isOfBody(BodyPart part) {
  switch (part) {
    case BodyPart::Hips:
    case BodyPart::Spine:
    case BodyPart::Neck:
    case BodyPart::Head:
    case BodyPart::UpperLeg:
    case BodyPart::LowerLeg: return true;
    default: return false;
  }
}

/// The two nearest parts of the spine above the arm that have capsules.
std::vector<int> carriersOf(const Figure& figure, const BodyPlaces& places, int upperArm) {
  std::vector<int> carriers;
  for (int link = figure.link(upperArm).parent; link >= 0 && carriers.size() < 2; link = figure.link(link).parent) {
    const auto place = places.find(link);
    if (place != places.end() && place->second.part == BodyPart::Spine && !figure.link(link).capsules.empty())
      carriers.push_back(link);
  }
  return carriers;
}

}  // namespace

std::vector<std::pair<int, int>> findArmPairs(const Figure& figure) {
  const BodyMap& body = bodyMapOf(figure);
  const BodyPlaces& places = body.places();
  std::vector<std::pair<int, int>> pairs;
  std::vector<int> arms[2];
  for (const BodySide side : {BodySide::Left, BodySide::Right}) {
    const int upper = body.find(BodyPart::UpperArm, side), lower = body.find(BodyPart::LowerArm, side);
    if (upper < 0 || lower < 0) return {};
    const std::vector<int> carriers = carriersOf(figure, places, upper);
    std::vector<int>& arm = arms[side == BodySide::Right];
    for (int link = upper; link < figure.linkCount(); ++link) {
      if (!figure.isAncestorOrSelf(upper, link) || figure.link(link).capsules.empty()) continue;
      arm.push_back(link);
      const bool isUpper = !figure.isAncestorOrSelf(lower, link);
      for (const auto& [other, place] : places)
        if (isOfBody(place.part) && !figure.isAncestorOrSelf(upper, other) &&
            !(isUpper && std::ranges::find(carriers, other) != carriers.end()))
          pairs.emplace_back(link, other);
    }
  }
  for (const int left : arms[0])
    for (const int right : arms[1]) pairs.emplace_back(left, right);
  return pairs;
}

}  // namespace limber
