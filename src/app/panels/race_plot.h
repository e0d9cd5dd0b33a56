// SPDX-License-Identifier: MIT
// The plot of a race: the objective or its distance from the best, on a logarithmic axis over iterations or time, and
// the gradient norm of the lane in focus.
#pragma once

#include <imgui.h>

#include "app/features/racing.h"

namespace limber::app {

/// The quantities of the plot, in the order of the enumerators.
inline constexpr const char* kQuantityTitles[] = {"f - best f", "f", "|gradient|"};

/// A short line in the look of a lane, `width` pixels long, centred on the text line at the cursor.
void drawLaneLine(const LaneLook& look, float width);
/// The letter of a lane in a disc, or a ring while it is off; centre and radius in screen coordinates.
void drawLaneLetter(ImDrawList& list, const ImVec2& centre, float radius, const LaneLook& look, bool isOn = true);

/// Fills the rest of the cursor's line, `height` pixels high. A click on a curve shows that iterate.
void drawRacePlot(const Racing& racing, RaceView& view, int hoveredLane, float height);

}  // namespace limber::app
