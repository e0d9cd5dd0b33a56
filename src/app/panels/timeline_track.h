// SPDX-License-Identifier: MIT
// The track of the timeline: a ruler in seconds, a lane for each kind of item, and the playhead.
#pragma once

#include <imgui.h>

#include "app/session/session.h"
#include "limber/scene/clock.h"

namespace limber::app {

/// Maps times to screen coordinates. The names of lanes are on its left.
struct Ruler {
  ImVec2 corner, size;  ///< of the whole track, with the names
  float left = 0.0f;    ///< of time 0
  float width = 1.0f;   ///< pixels from time 0 to the end
  double length = 1.0;  ///< seconds, > 0
  Clock clock = {};

  float x(double time) const { return left + width * static_cast<float>(time / length); }
  /// Clamped to the clock.
  double time(float at) const;
};

/// The ruler of a track at the cursor that fills the rest of the window.
Ruler rulerHere(const Document& document);

/// Draws the track and handles the mouse on it. A drag anywhere but on an item scrubs. `fills`: it takes the rest of
/// the window. Returns its ruler.
Ruler drawTrack(const Session& session, bool fills, UiState& ui, CommandQueue& queue);

}  // namespace limber::app
