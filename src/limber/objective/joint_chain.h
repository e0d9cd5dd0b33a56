// SPDX-License-Identifier: MIT
// The assembler: which coordinates a solver may change when goals name the joints that they may use (Zhao and Badler
// 1994, sections 9 and 10).
//
//   Theta   the union of all chains (28): the active coordinates
//   M_i     the index table of a goal (29): where the coordinates that move its links stand in Theta
//
// Chains are reconciled: a joint of another goal's chain that moves a goal's links is in that goal's table, and so in
// its gradient, too.
#pragma once

#include <span>
#include <vector>

#include "limber/kinematics/coupling.h"
#include "limber/kinematics/figure.h"

namespace limber {

/// What one goal may use.
struct JointChain {
  std::vector<int> links;      ///< that the goal looks at; empty: the whole figure
  std::vector<int> joints;     ///< that it names; empty: every joint above its links
  bool onlyCompensates = false;  ///< brings in, of the joints above its links, those below a joint that another chain
                                 ///< moves: a pin asks nothing of a figure that does not pull at it
};

struct ChainUnion {
  std::vector<int> active;                ///< Theta: step coordinates, ascending
  std::vector<char> isEmpty;              ///< one a chain: it names joints, and none of them can move
};

/// M_i: the coordinates that move the chain's links, themselves or through a follower; places in `active`, ascending.
std::vector<int> tableOf(const Figure& figure, const Couplings& couplings, const JointChain& chain,
                         const std::vector<int>& active);

/// usable: one a step coordinate, 0 for what is locked. A joint that follows others stands for its drivers and is never
/// active itself; its drivers are not usable when it is not.
///
/// Where no chain names a joint, every usable coordinate is active.
ChainUnion uniteChains(const Figure& figure, const Couplings& couplings, std::span<const JointChain> chains,
                       std::span<const char> usable);

}  // namespace limber
