// SPDX-License-Identifier: MIT
// The centre of mass and the support polygon.
#pragma once

#include "render/draw_list.h"

namespace limber::render {

/// Appends the centre of mass as a ball with its plumb line, and the support polygon of the planted feet on the ground.
/// Inside the polygon: blue, with a ring around the foot of the plumb line. Outside: red, with a cross there and a line
/// to the nearest point of the polygon. Nothing for a figure that cannot fall. list.figureSize must be set.
void appendBalance(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list);

}  // namespace limber::render
