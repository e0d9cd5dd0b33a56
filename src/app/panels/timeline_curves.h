// SPDX-License-Identifier: MIT
// The curve editor of the timeline: the keyed numbers of the selected joint or goal over time.
#pragma once

#include "app/panels/timeline_track.h"

namespace limber::app {

/// Draws the curves below the track, with the track's ruler, in the rest of the window. Dots are dragged in time and
/// value, handles change the ease between two keys; elsewhere a drag scrubs.
void drawCurves(const Session& session, const Ruler& ruler, UiState& ui, CommandQueue& queue);

/// A choice of the way between all keys, or from the key at or before the current time to the next one.
void drawEase(const Session& session, CommandQueue& queue);

}  // namespace limber::app
