// SPDX-License-Identifier: MIT
// Images as textures: PNG, JPEG and the other formats of stb_image, WebP and AVIF, in bounded memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "limber/io/base/result.h"
#include "limber/scene/skin.h"

namespace limber::io {

inline constexpr int kMaxImageSide = 8192;

/// The pixels that the images of one file may have together: 256 MiB.
struct ImageBudget {
  std::size_t pixels = std::size_t{1} << 26;
};

/// The size is taken off the budget before the pixels are decoded, also those of a damaged image. Errors have a cause
/// only; the caller adds file and place. Needs at most 600 MB of memory.
Result<SkinTexture> decodeImage(std::string_view bytes, ImageBudget& budget);

/// The bytes of a PNG file.
std::string encodeImage(const SkinTexture& texture);

}  // namespace limber::io
