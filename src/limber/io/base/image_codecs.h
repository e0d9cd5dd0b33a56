// SPDX-License-Identifier: MIT
// Image formats that are read by separate libraries. decodeImage() checks the size that a codec reads, and allocates
// the memory for the pixels.
#pragma once

#include <string_view>

#include "limber/scene/skin.h"

namespace limber::io {

struct ImageCodec {
  std::string_view name;
  bool (*looksLike)(std::string_view bytes) = nullptr;
  /// Sets width and height; false for a damaged picture. Null where Limber was built without the library.
  bool (*readSize)(std::string_view bytes, SkinTexture& out) = nullptr;
  /// Fills out.pixels, which has its size; false for a damaged picture.
  bool (*readPixels)(std::string_view bytes, SkinTexture& out) = nullptr;
};

ImageCodec webpCodec();
ImageCodec avifCodec();

}  // namespace limber::io
