// SPDX-License-Identifier: MIT
// Where the centre of mass is, and what it must stay above.
#pragma once

#include "render/draw_list.h"

namespace limber::render {

/// The centre of mass as a ball with its plumb line, and the support polygon of the planted feet on the ground.
/// Inside: blue, a ring around the foot of the plumb line. Outside: red, a cross there, and a line to the nearest point
/// of the polygon. Nothing for a figure that cannot fall. `list` knows the figure's size.
void appendBalance(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list);

}  // namespace limber::render
