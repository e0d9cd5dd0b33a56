// SPDX-License-Identifier: MIT
// Natural human poses from goals, by a prior of human poses (posing/body_prior.h). Each is one undo step, and is solved
// in slices like every solve.
#pragma once

namespace limber::app {

struct Editing;

/// Poses the whole body for the goals and pins; the result does not depend on the present pose.
void poseBodyFromTargets(Editing& editing);

/// Pins, goals and standing feet stay; the rest of the body takes the most natural pose.
void relaxRest(Editing& editing);

}  // namespace limber::app
