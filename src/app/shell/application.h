// SPDX-License-Identifier: MIT
// Runs the window with its panels and its picture.
#pragma once

#include "app/settings/start_options.h"

namespace limber::app {

/// Runs until the user closes the window. Returns the exit code: 0, or 1 with a sentence on standard error when there
/// is no display, no OpenGL, or the given file cannot be opened.
int runWindow(const WindowOptions& options);

}  // namespace limber::app
