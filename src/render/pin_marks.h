// SPDX-License-Identifier: MIT
// Padlocks where links are pinned.
#pragma once

#include "render/draw_list.h"

namespace limber::render {

/// A pin holds while no point within a link's length of it is farther off than this part of the figure's size.
inline constexpr double kPinTolerance = 1e-4;

/// True when the pin holds on a figure of a size (DrawList::figureSize).
bool isHeld(const Figure& figure, const Kinematics& kinematics, const Pin& pin, double figureSize);

/// One padlock at each pinned point, where it should be. Held: green. Not: red, with a line from where the point is,
/// and from where the link's end is to where it should be. A ring around it: the rotation is pinned; without a body:
/// only the rotation is. `list` knows the figure's size.
void appendPins(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list);

}  // namespace limber::render
