// SPDX-License-Identifier: MIT
// The curves that targets follow.
#pragma once

#include "render/draw_list.h"

namespace limber::render {

/// The path of every enabled goal that has one: a line, thin and grey, with an arrow at its start. That of the selected
/// goal is in the accent colour, with a ball at each point and, joined to it by dashes, a smaller ball in a ring at
/// each handle; the chosen point has a ring of its own. A path that is off is dashed.
void appendPaths(const Document& document, const Highlight& highlight, DrawList& list);

}  // namespace limber::render
