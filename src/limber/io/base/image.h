// SPDX-License-Identifier: MIT
// Pictures as textures: PNG and JPEG (and what else stb_image knows of the common ones), in bounded memory.
#pragma once

#include <string>
#include <string_view>

#include "limber/io/base/result.h"
#include "limber/scene/skin.h"

namespace limber::io {

inline constexpr int kMaxImageSide = 8192;

/// The cause of an error says what is wrong with it, without file or place. Takes 600 MB at most while it works.
Result<SkinTexture> decodeImage(std::string_view bytes);

/// The bytes of a PNG file.
std::string encodeImage(const SkinTexture& texture);

}  // namespace limber::io
