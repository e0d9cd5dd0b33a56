// SPDX-License-Identifier: MIT
// Mirror, flip and live symmetry, as keys and menus ask for them. Targets come along; each is one step.
#pragma once

#include <optional>

#include "limber/problem/anatomy.h"

namespace limber::app {

struct Editing;

/// One side to the other: without `from` that of the selected joint or goal, else the left one.
void mirrorPose(Editing& editing, std::optional<BodySide> from = {});
void flipPose(Editing& editing);
/// Switched on, the other side takes after the one that a mirror would copy.
void toggleSymmetry(Editing& editing);

}  // namespace limber::app
