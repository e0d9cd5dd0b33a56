// SPDX-License-Identifier: MIT
#include "limber/io/base/image.h"

#include <stb_image_write.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

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
#define STBI_MAX_DIMENSIONS 8192
#define STBI_MALLOC(size) limber::io::take(size)
#define STBI_REALLOC_SIZED(block, oldSize, size) limber::io::takeMore(block, oldSize, size)
#define STBI_FREE(block) limber::io::giveBack(block)
#include <stb_image.h>

namespace limber::io {

static_assert(kMaxImageSide == STBI_MAX_DIMENSIONS);

Result<SkinTexture> decodeImage(std::string_view bytes) {
  const auto fault = [](const std::string& cause) { return Error{"", "", cause}; };
  if (bytes.size() > (std::size_t{256} << 20)) return fault("is larger than 256 MiB");
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int size = static_cast<int>(bytes.size());
  SkinTexture out;
  int channels = 0;
  if (!stbi_info_from_memory(data, size, &out.width, &out.height, &channels))
    return fault("is not an image in a supported format (PNG, JPEG)");
  if (out.width < 1 || out.height < 1 || out.width > kMaxImageSide || out.height > kMaxImageSide)
    return fault("is larger than 8192 x 8192");
  stbi_uc* pixels = stbi_load_from_memory(data, size, &out.width, &out.height, &channels, 4);
  if (!pixels) return fault("is a damaged image");
  out.pixels.assign(
      pixels, pixels + std::size_t{4} * static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height));
  stbi_image_free(pixels);
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
