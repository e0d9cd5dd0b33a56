// SPDX-License-Identifier: MIT
// Mirror, flip and live symmetry for keys and menus. Targets move with the pose; each action is one undo step.
#pragma once

#include <optional>

#include "limber/problem/anatomy.h"

namespace limber::app {

struct Editing;

/// Copies one side to the other. Without `from` it is the side of the selected joint or goal, else the left one.
void mirrorPose(Editing& editing, std::optional<BodySide> from = {});
void flipPose(Editing& editing);
/// When symmetry is switched on, the pose becomes symmetric: the side that mirrorPose() would copy stays.
void toggleSymmetry(Editing& editing);

}  // namespace limber::app
