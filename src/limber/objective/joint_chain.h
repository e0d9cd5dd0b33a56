// SPDX-License-Identifier: MIT
// The assembler: the coordinates that a solver may change, given the joints that each goal may use (Zhao and Badler
// 1994, sections 9 and 10).
//
//   Theta   the union of all chains (28): the active coordinates
//   M_i     the index table of a goal (29): indices in Theta of the coordinates that move its links
//
// A joint of another goal's chain that moves a goal's links is also in that goal's table, and so in its gradient.
#pragma once

#include <span>
#include <vector>

#include "limber/kinematics/coupling.h"
#include "limber/kinematics/figure.h"

namespace limber {

/// The joints that one goal may use.
struct JointChain {
  std::vector<int> links;   ///< of the goal; empty for the whole figure
  std::vector<int> joints;  ///< that it names; empty for every joint above its links
  /// Uses, of the joints above its links, only those below a joint that another chain moves: so a pin moves no joint
  /// of a figure that does not pull at it.
  bool onlyCompensates = false;
  /// Uses the joints that move the two sides of this loop, if another chain moves one of them; no links, no joints.
  const LoopClosure* loop = nullptr;
};

struct ChainUnion {
  std::vector<int> active;    ///< Theta: step coordinates, ascending
  std::vector<char> isEmpty;  ///< by chain: it names joints, and none of them can move
};

/// M_i: indices in `active`, ascending, of the coordinates that move the chain's links, directly or through a follower.
std::vector<int> tableOf(const Figure& figure, const Couplings& couplings, const JointChain& chain,
                         const std::vector<int>& active);

/// `usable` has one entry for each step coordinate, 0 for locked ones. A follower in a chain stands for its drivers and
/// is never active itself; if it is locked, its drivers are not usable. If no chain names a joint, every usable
/// coordinate is active.
ChainUnion uniteChains(const Figure& figure, const Couplings& couplings, std::span<const JointChain> chains,
                       std::span<const char> usable);

}  // namespace limber
