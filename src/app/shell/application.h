// SPDX-License-Identifier: MIT
// The window with its panels and its picture, from the first frame to the last.
#pragma once

#include "app/settings/start_options.h"

namespace limber::app {

/// Runs until the user closes the window. The exit code: 0, or 1 with a sentence on the standard error when there is
/// no display, no OpenGL, or the file asked for cannot be opened.
int runWindow(const WindowOptions& options);

}  // namespace limber::app
