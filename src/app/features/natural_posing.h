// SPDX-License-Identifier: MIT
// A person's pose from what is planted, by how people stand (posing/body_prior.h): one undo step each, solved in slices
// as every solve is.
#pragma once

namespace limber::app {

struct Editing;

/// The whole body, from any pose, for the planted goals and pins.
void poseBodyFromTargets(Editing& editing);

/// Pins, planted goals and the feet that stand stay; the rest stands as people do.
void relaxRest(Editing& editing);

}  // namespace limber::app
