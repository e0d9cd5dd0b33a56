// SPDX-License-Identifier: MIT
// Named directions of the parts of a human body, for goals that aim or direct them.
#pragma once

#include <string_view>
#include <vector>

#include "limber/problem/new_goal.h"

namespace limber {

/// An end effector whose x is an axis that has a name.
struct NamedAxis {
  std::string_view name;  ///< "face", "fingers", "palm"
  EndEffector end;
};

/// The axes of a head or hand, the most likely one first. Links below one, such as eyes and hair, have its axes. Empty
/// for other links, and for figures without a human body.
///
///   face      out of the head, in the direction that the body faces at rest: at right angles to the vertical and
///             to the line through both hips
///   fingers   from the wrist to the roots of the fingers, else along the hand
///   palm      out of the palm: at right angles to fingers and thumb; a missing thumb is taken to point forward at rest
std::vector<NamedAxis> namedAxes(const Figure& figure, int link);

}  // namespace limber
