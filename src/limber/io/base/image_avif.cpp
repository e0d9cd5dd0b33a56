// SPDX-License-Identifier: MIT
#include "limber/io/base/image_codecs.h"

#ifdef LIMBER_HAVE_AVIF
#include <avif/avif.h>

#include <memory>

#include "limber/io/base/image.h"
#endif

namespace limber::io {

namespace {

bool looksLikeAvif(std::string_view bytes) {
  return bytes.size() >= 12 && bytes.substr(4, 4) == "ftyp" && bytes.substr(8, 4) == "avif";
}

#ifdef LIMBER_HAVE_AVIF

struct AvifDeleter {
  void operator()(avifDecoder* decoder) const { avifDecoderDestroy(decoder); }
};
using AvifReader = std::unique_ptr<avifDecoder, AvifDeleter>;

/// A decoder that has read everything but the pixels; null for a damaged picture.
AvifReader parseAvif(std::string_view bytes) {
  AvifReader reader(avifDecoderCreate());
  if (!reader) return nullptr;
  reader->ignoreExif = reader->ignoreXMP = AVIF_TRUE;
  reader->imageDimensionLimit = kMaxImageSide;
  reader->imageSizeLimit = static_cast<std::uint32_t>(kMaxImageSide) * kMaxImageSide;
  reader->imageCountLimit = 1;
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  if (avifDecoderSetIOMemory(reader.get(), data, bytes.size()) != AVIF_RESULT_OK) return nullptr;
  if (avifDecoderParse(reader.get()) != AVIF_RESULT_OK) return nullptr;
  return reader;
}

bool readAvifSize(std::string_view bytes, SkinTexture& out) {
  const AvifReader reader = parseAvif(bytes);
  if (!reader) return false;
  out.width = static_cast<int>(reader->image->width);
  out.height = static_cast<int>(reader->image->height);
  return true;
}

bool readAvifPixels(std::string_view bytes, SkinTexture& out) {
  const AvifReader reader = parseAvif(bytes);
  if (!reader || avifDecoderNextImage(reader.get()) != AVIF_RESULT_OK) return false;
  avifRGBImage picture;
  avifRGBImageSetDefaults(&picture, reader->image);
  picture.depth = 8;
  picture.pixels = out.pixels.data();
  picture.rowBytes = 4 * picture.width;
  return picture.width == static_cast<std::uint32_t>(out.width) &&
         picture.height == static_cast<std::uint32_t>(out.height) &&
         avifImageYUVToRGB(reader->image, &picture) == AVIF_RESULT_OK;
}

#endif

}  // namespace

ImageCodec avifCodec() {
#ifdef LIMBER_HAVE_AVIF
  return {"AVIF", looksLikeAvif, readAvifSize, readAvifPixels};
#else
  return {"AVIF", looksLikeAvif};
#endif
}

}  // namespace limber::io
