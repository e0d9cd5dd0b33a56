// SPDX-License-Identifier: MIT
// The command line: verbs that need no display, and options of the window.
#pragma once

#include <optional>
#include <ostream>

#include "app/settings/start_options.h"

namespace limber::app {

/// Runs the verb that the arguments name and returns its exit code (commands.h; `--help` and `--version` are 0).
/// Nothing when the window should open, with `window` filled.
std::optional<int> runCommandLine(int argc, const char* const* argv, WindowOptions& window, std::ostream& out,
                                  std::ostream& err);

}  // namespace limber::app
