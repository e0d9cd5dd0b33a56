// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>
#include <string>

namespace limber::app {

inline constexpr int kPictureWidth = 1400;
inline constexpr int kPictureHeight = 900;

/// `limber render FILE -o PNG`: the figure of a file drawn without a display, framed from three quarters. `output` "-"
/// writes the picture to `out`. Returns the exit code: 0, or 1 with a sentence on `err`.
int runRender(const std::string& file, const std::string& output, int width, int height, std::ostream& out,
              std::ostream& err);

}  // namespace limber::app
