// SPDX-License-Identifier: MIT
// The paths of targets.
#pragma once

#include "render/draw_list.h"

namespace limber::render {

/// Appends the path of every enabled goal that has one: a thin grey line with an arrow at its start. That of the
/// selected goal is in the accent colour, with a ball at each point and a smaller ball in a ring at each handle, joined
/// by dashes; the selected point has another ring. A disabled path is dashed.
void appendPaths(const Document& document, const Highlight& highlight, DrawList& list);

}  // namespace limber::render
