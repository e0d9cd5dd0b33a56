// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "limber/body/anatomy.h"

namespace limber {

/// A name without its side. All of these names are of the left side:
///
///   left_hand, hand_left, LeftHand, mixamorig:LeftHand, hand.L, L_Hand, lHand, LHand, leftHand, FL_thigh, lf_foot
///
/// In the two letters of a four-legged figure's legs, one is the side; the other (front, back, hind or rear) stays.
struct SidedName {
  BodySide side = BodySide::Middle;
  std::string stem;  ///< the words without the side, in lower case: equal for the names of both sides
};

SidedName sidedName(std::string_view name);

}  // namespace limber
