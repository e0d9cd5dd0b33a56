// SPDX-License-Identifier: MIT
// Pairs of links of a human body that an arm must not pass through.
//
// Links at or below an upper arm keep out of pelvis, spine, neck, head, thighs, shanks, and the other arm. Left out are
// links of the same arm, and the upper arm against the part of the spine that carries it and the one below that: a
// shoulder always touches them.
#pragma once

#include <utility>
#include <vector>

#include "limber/kinematics/figure.h"

namespace limber {

/// The pairs, the link of an arm first; of two arms, the left one's. Empty for a figure whose names are not those of a
/// human body (BodyMap::isPerson()).
std::vector<std::pair<int, int>> findArmPairs(const Figure& figure);

}  // namespace limber
