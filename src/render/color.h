// SPDX-License-Identifier: MIT
#pragma once

namespace limber::render {

/// An sRGB colour with components in [0, 1].
struct Color {
  float red = 1.0f, green = 1.0f, blue = 1.0f, alpha = 1.0f;

  bool operator==(const Color&) const = default;
};

}  // namespace limber::render
