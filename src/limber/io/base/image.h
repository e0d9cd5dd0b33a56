// SPDX-License-Identifier: MIT
// Images as textures: PNG, JPEG and the other formats of stb_image, in bounded memory.
#pragma once

#include <string>
#include <string_view>

#include "limber/io/base/result.h"
#include "limber/scene/skin.h"

namespace limber::io {

inline constexpr int kMaxImageSide = 8192;

/// Errors have a cause only; the caller adds file and place. Needs at most 600 MB of memory.
Result<SkinTexture> decodeImage(std::string_view bytes);

/// The bytes of a PNG file.
std::string encodeImage(const SkinTexture& texture);

}  // namespace limber::io
