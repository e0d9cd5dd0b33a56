// SPDX-License-Identifier: MIT
// The background of a plot with a logarithmic axis.
#pragma once

#include <imgui.h>

namespace limber::app {

/// Fills the plot's area, and draws as many lines at powers of ten as there is room for, with labels on the left.
///
/// corner, size  the area, in screen coordinates
/// low, high     exponents of ten at its lower and upper edge, low < high
void drawDecades(const ImVec2& corner, const ImVec2& size, int low, int high);

}  // namespace limber::app
