// SPDX-License-Identifier: MIT
// Mirror, flip and live symmetry, as keys and menus ask for them. Targets come along; each is one step.
#pragma once

#include <optional>

#include "limber/problem/anatomy.h"

namespace limber::app {

struct Session;

/// One side to the other: without `from` that of the selected joint or goal, else the left one.
void mirrorPose(Session& session, std::optional<BodySide> from = {});
void flipPose(Session& session);
/// Switched on, the other side takes after the one that a mirror would copy.
void toggleSymmetry(Session& session);

}  // namespace limber::app
