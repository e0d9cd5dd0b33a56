// SPDX-License-Identifier: MIT
// The ground of a plot whose values are shown by their logarithm.
#pragma once

#include <imgui.h>

namespace limber::app {

/// Fills the plot's area, and draws lines at powers of ten, the labels left of it: as many as there is room for.
///
/// corner, size  of the area, screen coordinates
/// low, high     powers of ten at its lower and upper edge, low < high
void drawDecades(const ImVec2& corner, const ImVec2& size, int low, int high);

}  // namespace limber::app
