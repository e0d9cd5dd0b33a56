// SPDX-License-Identifier: MIT
#include "limber/io/base/image_codecs.h"

#ifdef LIMBER_HAVE_WEBP
#include <webp/decode.h>
#endif

namespace limber::io {

namespace {

bool looksLikeWebp(std::string_view bytes) {
  return bytes.starts_with("RIFF") && bytes.substr(0, 12).ends_with("WEBP");
}

#ifdef LIMBER_HAVE_WEBP

bool readWebpSize(std::string_view bytes, SkinTexture& out) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return WebPGetInfo(data, bytes.size(), &out.width, &out.height) != 0;
}

bool readWebpPixels(std::string_view bytes, SkinTexture& out) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return WebPDecodeRGBAInto(data, bytes.size(), out.pixels.data(), out.pixels.size(), 4 * out.width) != nullptr;
}

#endif

}  // namespace

ImageCodec webpCodec() {
#ifdef LIMBER_HAVE_WEBP
  return {"WebP", looksLikeWebp, readWebpSize, readWebpPixels};
#else
  return {"WebP", looksLikeWebp};
#endif
}

}  // namespace limber::io
