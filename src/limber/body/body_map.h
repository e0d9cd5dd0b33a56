// SPDX-License-Identifier: MIT
// What body a figure is. bodyMapOf() is the only place that recognises one: a figure's map is made once, kept with the
// figure, and shared by all threads.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "limber/body/anatomy.h"
#include "limber/body/body_roles.h"
#include "limber/body/footholds.h"
#include "limber/body/limb.h"
#include "limber/body/parts.h"
#include "limber/body/pose_parts.h"
#include "limber/body/symmetry.h"
#include "limber/kinematics/lazy.h"

namespace limber {

/// The findings on one figure. They depend on the figure alone, and each is computed when it is first requested.
class BodyMap {
 public:
  explicit BodyMap(const Figure& figure) : figure_(figure) {}
  BodyMap(const BodyMap&) = delete;
  BodyMap& operator=(const BodyMap&) = delete;

  const Figure& figure() const { return figure_; }
  /// Transforms of the rest pose.
  const Kinematics& rest() const;
  /// The place of a link's joint at rest.
  const Eigen::Vector3d& jointAtRest(int link) const { return rest().worldFromLink[link].translation; }
  /// By link: its bone's name in the file if it has one, else the link's own name.
  const std::vector<std::string>& names() const;

  /// The parts of a human body by names, first those of the file's bones, else those of the links. Empty for others.
  const BodyPlaces& places() const;
  /// True for a figure whose names are those of a human body.
  bool isPerson() const { return !places().empty(); }
  /// The first link that is this part by names; -1 for none.
  int find(BodyPart part, BodySide side) const { return linkAt(places(), {part, side}); }
  /// The parts of a human body by names, else by the shape at rest (body_shape.cpp).
  const BodyPlaces& placesByNamesOrShape() const;
  /// The links of the pose prior's parts; empty for a figure that is no human body.
  /// cost  linear in the links; that of symmetry() if names do not determine them
  const std::optional<BodyRoles>& roles() const;
  /// The parts by which a pose is retargeted. Empty for a figure that has neither a human body nor a hand.
  const PoseParts& poseParts() const;
  /// The parts that a person would name.
  const NamedParts& parts() const;
  /// A figure without two sides has a note that says why.
  /// cost  O(links x candidate planes), of which there are at most 64; O(links) for a figure that does not branch
  const FoundSymmetry& symmetry() const;

  /// The longest edge of the bounding box of the joints at rest, along the world's axes; metres.
  double size() const;
  const OutwardWays& ways() const;
  /// By link: 1 for the links of the limb that moves first when `link` is dragged (limb.h).
  std::vector<char> limbOf(int link) const;
  /// By link: 1 for trunks, which with the links fixed to them carry two limbs or more in the sense of hasLimbs(), such
  /// as the pelvis with legs and spine, or the chest with arms.
  const std::vector<char>& trunks() const;
  /// True if two moving subtrees of one link each reach, from their own joints, at least a third of size() along one of
  /// the world's axes. Legs, arms and the fingers of a hand do; the fingers of a gripper at the end of an arm do not.
  bool hasLimbs() const;
  /// The feet on which the figure stands at rest, by the rule for figures other than people, free or fixed to the
  /// world: the ends of limbs that come down to about its lowest point.
  const std::vector<Foothold>& feetAtRest() const;

  const PlacesOfLinks& outline() const;

 private:
  const std::vector<int>& limbCounts() const;

  const Figure& figure_;
  Lazy<Kinematics> rest_;
  Lazy<std::vector<std::string>> names_;
  Lazy<BodyPlaces> places_, placesByNamesOrShape_;
  Lazy<std::optional<BodyRoles>> roles_;
  Lazy<PoseParts> poseParts_;
  Lazy<NamedParts> parts_;
  Lazy<FoundSymmetry> symmetry_;
  Lazy<double> size_;
  Lazy<OutwardWays> ways_;
  Lazy<PlacesOfLinks> outline_;
  Lazy<std::vector<int>> limbCounts_;
  Lazy<std::vector<char>> trunks_;
  Lazy<std::vector<Foothold>> feetAtRest_;
};

/// The map of a figure. It lives as long as the figure.
const BodyMap& bodyMapOf(const Figure& figure);

}  // namespace limber
