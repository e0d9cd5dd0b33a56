// SPDX-License-Identifier: MIT
// Padlocks at pinned links.
#pragma once

#include "render/draw_list.h"

namespace limber::render {

/// A pin holds if no point within a link's length of it is off by more than this, in figure sizes.
inline constexpr double kPinTolerance = 1e-4;

/// True if the pin holds. figureSize as in DrawList.
bool isHeld(const Figure& figure, const Kinematics& kinematics, const Pin& pin, double figureSize);

/// Appends a padlock at the target of each pinned point: green if it holds; else red, with lines from the point, and
/// from the link's end, to their targets. A ring around it means that the rotation is pinned, too; a padlock without a
/// body that only the rotation is. list.figureSize must be set.
void appendPins(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list);

}  // namespace limber::render
