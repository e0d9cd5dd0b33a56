// SPDX-License-Identifier: MIT
// Which feet a drag holds on the ground.
#pragma once

#include "render/draw_list.h"

namespace limber::render {

/// The outline of what touches the ground under each held foot; a small ring where that is a point. `list` knows the
/// figure's size.
void appendSoles(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list);

}  // namespace limber::render
