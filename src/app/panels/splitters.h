// SPDX-License-Identifier: MIT
// The edges between the parts of the window, which the user can drag.
#pragma once

#include "app/settings/layout.h"

namespace limber::app {

/// Draws thin strips over the edges: a drag resizes a part, a double click restores its default size. `em` is the
/// height of the text in pixels.
void drawSplitters(const Layout& layout, double em, PartSizes& sizes);

}  // namespace limber::app
