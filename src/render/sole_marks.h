// SPDX-License-Identifier: MIT
// The feet that a drag keeps on the ground.
#pragma once

#include "render/draw_list.h"

namespace limber::render {

/// Appends the outline of the contact of each held foot with the ground; a small ring if that is a point.
/// list.figureSize must be set.
void appendSoles(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list);

}  // namespace limber::render
