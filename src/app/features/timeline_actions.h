// SPDX-License-Identifier: MIT
// What keys, menus and the Timeline panel do with the timeline: step, go to keys, key and remove keys, bake.
#pragma once

#include "app/editing/editing.h"
#include "app/jobs/job.h"

namespace limber::app {

/// The finest that a bake to keys gives up, radians: a sixth of a degree.
inline constexpr double kBakeKeysWithin = 0.003;

void goToTime(Editing& editing, double time, const std::string& gesture);
void stepFrame(Editing& editing, int by);  ///< of the timeline, else of the motion
void goToKey(Editing& editing, int direction);
void keyPresentPose(Editing& editing);
void keyPresentGoals(Editing& editing);
void removePresentKey(Editing& editing);

/// Bakes beside the window; the motion, or the keys, are one step. False where there is nothing to bake.
bool startBake(Editing& editing, Job& job, BakeAs what);

}  // namespace limber::app
