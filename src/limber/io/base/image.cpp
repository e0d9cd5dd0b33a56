// SPDX-License-Identifier: MIT
#include "limber/io/base/image.h"

#include <stb_image_write.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "limber/io/base/image_codecs.h"

namespace limber::io {

namespace {

// stb_image allocates as much memory as the compressed data of a PNG demand, regardless of the image size in its
// header. Therefore each block stores its size, and the decoding on a thread has a memory budget.
constexpr std::size_t kDecodingBudget = std::size_t{600} << 20;
constexpr std::size_t kBlockHeader = alignof(std::max_align_t);
thread_local std::size_t decodingBytes = 0;

void giveBack(void* block) {
  if (!block) return;
  char* start = static_cast<char*>(block) - kBlockHeader;
  std::size_t size = 0;
  std::memcpy(&size, start, sizeof size);
  decodingBytes -= size;
  std::free(start);
}

void* take(std::size_t size) {
  if (size > kDecodingBudget - decodingBytes) return nullptr;
  char* start = static_cast<char*>(std::malloc(size + kBlockHeader));
  if (!start) return nullptr;
  std::memcpy(start, &size, sizeof size);
  decodingBytes += size;
  return start + kBlockHeader;
}

void* takeMore(void* block, std::size_t oldSize, std::size_t size) {
  void* out = take(size);
  if (!out) return nullptr;
  if (block) std::memcpy(out, block, oldSize < size ? oldSize : size);
  giveBack(block);
  return out;
}

}  // namespace

}  // namespace limber::io

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STBI_NO_PSD
#define STBI_NO_PIC
#define STBI_NO_PNM
#define STBI_NO_GIF
#define STBI_MAX_DIMENSIONS (1 << 24)
#define STBI_MALLOC(size) limber::io::take(size)
#define STBI_REALLOC_SIZED(block, oldSize, size) limber::io::takeMore(block, oldSize, size)
#define STBI_FREE(block) limber::io::giveBack(block)
#include <stb_image.h>

namespace limber::io {

namespace {

/// stb_image does not report the size of a PNG that it refuses as too large.
bool readPngSize(std::string_view bytes, SkinTexture& out) {
  constexpr std::size_t kWidth = 16, kHeight = 20, kEnd = 24;
  constexpr int kMost = 1 << 24;
  if (!bytes.starts_with("\x89PNG\r\n\x1A\n") || bytes.size() < kEnd) return false;
  const auto number = [&](std::size_t place) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[place + i]);
    return static_cast<int>(std::min<std::uint32_t>(value, kMost));
  };
  out.width = number(kWidth);
  out.height = number(kHeight);
  return true;
}

bool readStbSize(std::string_view bytes, SkinTexture& out) {
  int channels = 0;
  return readPngSize(bytes, out) ||
         stbi_info_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()), static_cast<int>(bytes.size()),
                               &out.width, &out.height, &channels) != 0;
}

bool readStbPixels(std::string_view bytes, SkinTexture& out) {
  int channels = 0;
  stbi_uc* pixels = stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()),
                                          static_cast<int>(bytes.size()), &out.width, &out.height, &channels, 4);
  if (!pixels) return false;
  const bool isAsInHeader =
      4 * static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height) == out.pixels.size();
  if (isAsInHeader) out.pixels.assign(pixels, pixels + out.pixels.size());
  stbi_image_free(pixels);
  return isAsInHeader;
}

bool looksLikeKtx2(std::string_view bytes) { return bytes.starts_with("\xABKTX 20\xBB\r\n\x1A\n"); }

const ImageCodec& codecOf(std::string_view bytes) {
  static const std::vector<ImageCodec> codecs = {
      webpCodec(),
      avifCodec(),
      {"KTX 2", looksLikeKtx2},  // no library in Debian 12 reads it
      {"PNG or JPEG", [](std::string_view) { return true; }, readStbSize, readStbPixels},
  };
  return *std::ranges::find_if(codecs, [&](const ImageCodec& codec) { return codec.looksLike(bytes); });
}

}  // namespace

Result<SkinTexture> decodeImage(std::string_view bytes, ImageBudget& budget) {
  const auto fault = [](const std::string& cause) { return Error{"", "", cause}; };
  if (bytes.size() > (std::size_t{256} << 20)) return fault("is larger than 256 MiB");
  const ImageCodec& codec = codecOf(bytes);
  if (!codec.readSize) return fault("is of the format " + std::string(codec.name) + ", which this build does not read");
  SkinTexture out;
  if (!codec.readSize(bytes, out) || out.width < 1 || out.height < 1)
    return fault("is not an image in a supported format (PNG, JPEG, WebP, AVIF)");
  if (out.width > kMaxImageSide || out.height > kMaxImageSide) return fault("is larger than 8192 x 8192");
  const std::size_t pixels = static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height);
  if (pixels > budget.pixels) return fault("needs more pixels than the images of one file may have together");
  budget.pixels -= pixels;
  out.pixels.resize(4 * pixels);
  if (!codec.readPixels(bytes, out)) return fault("is a damaged image");
  return out;
}

std::string encodeImage(const SkinTexture& texture) {
  std::string bytes;
  const auto append = [](void* to, void* data, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data), size);
  };
  stbi_write_png_to_func(append, &bytes, texture.width, texture.height, 4, texture.pixels.data(), 4 * texture.width);
  return bytes;
}

}  // namespace limber::io
