// SPDX-License-Identifier: MIT
// The limb that a drag moves: what belongs to the dragged link, and what had better stay. Found from the tree and its
// lengths at rest alone; no names are needed.
#pragma once

#include <vector>

#include "limber/kinematics/figure.h"

namespace limber {

/// The limb that is dragged by a link: one a link, 1 for those in it.
///
/// Walk from the dragged link to its parent, grandparent, ... A link P on the way is a fork when another subtree hangs
/// on it that reaches at least half as far from P as the one through which the walk came, or when P has a free joint.
/// The limb is the child of the first fork with everything below it; without a fork it is the whole figure. A subtree
/// reaches as far as its farthest joint, site or capsule end at rest.
///
///   no fork    a twist helper, eyes, toes: too short beside the arm, head or leg that carries them
///   forks      a palm for its fingers, the chest for arms and neck, the pelvis for legs and spine
///
/// What is fixed to a link counts as part of it: a camera or a flange is no limb, and dragging it drags its carrier. A
/// free joint that only turns (translation locked in the figure, as in files that animate every bone) is no fork.
/// cost    linear in the links, except where branches stay just about half as long as what they hang beside
std::vector<char> findLimb(const Figure& figure, int link);

/// The link and all below it, its own index first; in time linear in them.
std::vector<int> withAllBelow(const Figure& figure, int link);

/// The link itself, or the one above to which it is fixed.
int rigidTopOf(const Figure& figure, int link);

/// The largest edge of the box about the figure's joints at rest, along the world's axes; metres.
double figureSize(const Figure& figure);

/// True for a trunk: a link, with what it is fixed to, on which two limbs or more hang, as hasLimbs counts them: the pelvis
/// with legs and spine, the chest with arms. Linear time.
bool carriesLimbs(const Figure& figure, int link);

/// True when limbs matter: two moving subtrees of one link reach, each from its own joint, at least a third of the
/// figure's size along one of the world's axes. Legs, arms and a hand's fingers do, a gripper at the end of an arm does
/// not. Linear time.
bool hasLimbs(const Figure& figure);

}  // namespace limber
