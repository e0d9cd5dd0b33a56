// SPDX-License-Identifier: MIT
// Actions of keys and menus that set the whole pose; each is one undo step.
#pragma once

#include <optional>

#include "limber/body/anatomy.h"

namespace limber::app {

struct Editing;

// Mirror, flip and live symmetry (mirroring.cpp). Targets move with the pose.

/// Copies one side to the other. Without `from` it is the side of the selected joint or goal, else the left one.
void mirrorPose(Editing& editing, std::optional<BodySide> from = {});
void flipPose(Editing& editing);
/// When symmetry is switched on, the pose becomes symmetric: the side that mirrorPose() would copy stays.
void toggleSymmetry(Editing& editing);

// Natural human poses from goals, by a prior of human poses (posing/body_prior.h), solved in slices like every solve
// (natural_posing.cpp).

/// Poses the whole body for the goals and pins; the result does not depend on the present pose.
void poseBodyFromTargets(Editing& editing);

/// Pins, goals and standing feet stay; the rest of the body takes the most natural pose.
void relaxRest(Editing& editing);

}  // namespace limber::app
