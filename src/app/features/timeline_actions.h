// SPDX-License-Identifier: MIT
// Timeline actions of keys, menus and the Timeline panel: step, go to keys, set and remove keys, bake.
#pragma once

#include "app/editing/editing.h"
#include "app/jobs/job.h"

namespace limber::app {

/// Tolerance of a bake to keys, radians: a sixth of a degree.
inline constexpr double kBakeKeysWithin = 0.003;

void goToTime(Editing& editing, double time, const std::string& gesture);
/// True if the arrow keys step through time and not through other things.
bool arrowsMeanTime(const Editing& editing);
void stepFrame(Editing& editing, int by);
void goToFrame(Editing& editing, int frame);
void goToKey(Editing& editing, int direction);
void keyPresentPose(Editing& editing);
/// Finds the stances of the shown motion and holds them; of a motion with stances that are held, lets the feet slide.
void findMotionStances(Editing& editing);
void keyPresentGoals(Editing& editing);
void removePresentKey(Editing& editing);

/// Bakes in `job`; the resulting motion or keys are one undo step. False if nothing can be baked.
bool startBake(Editing& editing, Job& job, BakeAs what);

}  // namespace limber::app
