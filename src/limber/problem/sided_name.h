// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "limber/problem/anatomy.h"

namespace limber {

/// A name and the side that it tells, in the ways that figures are named by:
///
///   left_hand, hand_left, LeftHand, mixamorig:LeftHand, hand.L, L_Hand, lHand, LHand, leftHand, FL_thigh, lf_foot
///
/// are all of the left. Of the four legs' two letters one is the side, the other (front, back, hind, rear) stays.
struct SidedName {
  BodySide side = BodySide::Middle;
  std::string stem;  ///< the words without the side, in lower case: equal for the names of both sides
};

SidedName sidedName(std::string_view name);

}  // namespace limber
