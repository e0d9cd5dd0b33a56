// SPDX-License-Identifier: MIT
// Queries of a figure's tree, and the rules by which BodyMap::limbOf() finds the limb that moves first when a link is
// dragged. They use the tree and its lengths at rest; names are not needed.
//
// Walk from the dragged link to its parent, grandparent, ... A link P on the way is a fork when another moving subtree
// of P reaches at least half as far from P as the subtree through which the walk came, or when P has a free joint. The
// limb is the child of the first fork with everything below it; without a fork it is the whole figure. A subtree
// reaches as far as its farthest joint, site or capsule end at rest.
//
//   no fork    a twist helper, eyes, toes: too short compared with the arm, head or leg that carries them
//   forks      a palm for its fingers, the chest for arms and neck, the pelvis for legs and spine
//
// Links fixed to another link count as part of it: a camera or a flange is no limb, and dragging it drags its carrier.
// A free joint that only turns (translation locked in the figure, as in files that animate every bone) is no fork. The
// cost is linear in the links, unless many branches are almost exactly half as long as the walk's.
#pragma once

#include <vector>

#include "limber/kinematics/figure.h"
#include "limber/kinematics/forward_kinematics.h"

namespace limber {

/// By link: its joint, sites and capsule ends at rest, the joint first; metres, world.
using PlacesOfLinks = std::vector<std::vector<Eigen::Vector3d>>;

/// The link and all links below it, itself first. Linear in their number.
std::vector<int> withAllBelow(const Figure& figure, int link);

/// The lowest common ancestor of two links, which may be one of them; -1 if they have different roots.
int commonAncestor(const Figure& figure, int a, int b);

/// The longest path outward from each link along the joints below it, at rest.
struct OutwardWays {
  std::vector<double> reach;  ///< by link: its length, metres; 0 for a leaf
  std::vector<int> next;      ///< by link: its first link, -1 for a leaf
};
OutwardWays outwardWays(const Figure& figure, const Kinematics& rest);

/// The topmost link to which a link is fixed, or the link itself.
int rigidTopOf(const Figure& figure, int link);

}  // namespace limber
