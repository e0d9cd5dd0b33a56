// SPDX-License-Identifier: MIT
// The edges between the window's parts, which a hand can move.
#pragma once

#include "app/settings/layout.h"

namespace limber::app {

/// Thin strips over the edges: a drag changes the size of the part, a double click gives it back its own.
/// `em` is the height of the text.
void drawSplitters(const Layout& layout, double em, PartSizes& sizes);

}  // namespace limber::app
