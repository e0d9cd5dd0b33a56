// SPDX-License-Identifier: MIT
// Pictures of every format that textures have, made by the encoders of their libraries.
#include "limber/io/base/image.h"

#include <gtest/gtest.h>

#ifdef LIMBER_HAVE_WEBP
#include <webp/encode.h>
#endif
#ifdef LIMBER_HAVE_AVIF
#include <avif/avif.h>
#endif

#include "gltf_sample.h"
#include "limber/io/gltf/gltf.h"
#include "results.h"
#include "support/says.h"

namespace limber::io::image_test {
namespace {

/// Colours that run smoothly over the picture, so that lossy formats keep them well.
SkinTexture gradient() {
  SkinTexture out{.width = 24, .height = 16};
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x)
      for (const int value : {10 * x, 12 * y, 128, 255 - 4 * x}) out.pixels.push_back(static_cast<std::uint8_t>(value));
  return out;
}

Result<SkinTexture> decoded(const std::string& bytes) {
  ImageBudget budget;
  return decodeImage(bytes, budget);
}

/// The largest difference of a colour.
int differenceOf(const SkinTexture& a, const SkinTexture& b) {
  EXPECT_EQ(a.width, b.width);
  EXPECT_EQ(a.height, b.height);
  EXPECT_EQ(a.pixels.size(), b.pixels.size());
  int most = 0;
  for (std::size_t i = 0; i < std::min(a.pixels.size(), b.pixels.size()); ++i)
    most = std::max(most, std::abs(int{a.pixels[i]} - int{b.pixels[i]}));
  return most;
}

/// A figure whose one material has the texture, by the extension of its format.
FigureSource dressedIn(const std::string& picture, const std::string& textureExtension) {
  test::GltfSample sample = test::twoJoints();
  const int view = sample.view(std::vector<char>(picture.begin(), picture.end()));
  sample.json["images"] = {{{"bufferView", view}}};
  sample.json["textures"] = {{{"extensions", {{textureExtension, {{"source", 0}}}}}}};
  sample.json["materials"] = {
      {{"pbrMetallicRoughness", {{"baseColorFactor", {1.0, 0.5, 0.25, 1.0}}, {"baseColorTexture", {{"index", 0}}}}}}};
  sample.json["meshes"][0]["primitives"][0]["material"] = 0;
  sample.json["extensionsRequired"] = {textureExtension};
  return test::valueOf(readGltf(sample.glb(), "f.glb", {}));
}

/// The mesh is shown with its base colour, and a note says why.
void expectBaseColour(const FigureSource& source, const std::string& note) {
  ASSERT_TRUE(source.skin);
  EXPECT_EQ(source.skin->materials.at(0).texture, -1);
  EXPECT_EQ(source.skin->materials.at(0).color, Eigen::Vector4f(1.0f, 0.5f, 0.25f, 1.0f));
  EXPECT_TRUE(test::hasNote(source.notes, note)) << note;
}

/// Broken copies are refused or decoded, and nothing else happens.
void expectPoliteToChanges(const std::string& picture) {
  for (std::size_t at = 0; at < picture.size(); ++at) {
    std::string broken = picture;
    broken[at] = static_cast<char>(~broken[at]);
    decoded(broken);
    const auto cut = decoded(picture.substr(0, at));
    EXPECT_TRUE(cut || !cut.error().cause.empty());
  }
}

TEST(Image, APngIsRead) { EXPECT_EQ(differenceOf(test::valueOf(decoded(encodeImage(gradient()))), gradient()), 0); }

TEST(Image, Ktx2IsLeftOutAndSaid) {
  expectBaseColour(dressedIn("\xABKTX 20\xBB\r\n\x1A\nand so on", "KHR_texture_basisu"), "is of the format KTX 2");
}

// Only the size of a picture is known before its pixels are decoded.
TEST(Image, PicturesBeyondTheBudgetAreNotDecoded) {
  std::string large = encodeImage(gradient());
  large.replace(16, 8, std::string("\0\0\x20\0\0\0\x20\0", 8));  // 8192 x 8192
  ImageBudget budget;
  EXPECT_EQ(test::messageOf(decodeImage(large, budget)), "is a damaged image");
  EXPECT_EQ(budget.pixels, 0u);
  EXPECT_TRUE(test::says(test::messageOf(decodeImage(encodeImage(gradient()), budget)), {"pixels"}));
}

#ifdef LIMBER_HAVE_WEBP

std::string webpOf(const SkinTexture& picture) {
  std::uint8_t* bytes = nullptr;
  const std::size_t size =
      WebPEncodeLosslessRGBA(picture.pixels.data(), picture.width, picture.height, 4 * picture.width, &bytes);
  std::string out(reinterpret_cast<const char*>(bytes), size);
  WebPFree(bytes);
  return out;
}

TEST(Image, WebpIsRead) {
  EXPECT_EQ(differenceOf(test::valueOf(decoded(webpOf(gradient()))), gradient()), 0);
  const FigureSource source = dressedIn(webpOf(gradient()), "EXT_texture_webp");
  EXPECT_TRUE(source.notes.empty()) << source.notes.front();
  ASSERT_EQ(source.skin->textures.size(), 1u);
  EXPECT_EQ(source.skin->materials.at(0).texture, 0);
  EXPECT_EQ(differenceOf(source.skin->textures[0], gradient()), 0);
}

TEST(Image, BrokenWebpLeavesTheBaseColour) {
  const std::string whole = webpOf(gradient());
  expectBaseColour(dressedIn(whole.substr(0, whole.size() / 2), "EXT_texture_webp"), "images[0]");
  std::string large = whole;  // VP8L: 14 bits of width - 1, 14 bits of height - 1 after a byte of signature
  large.replace(21, 4, "\xff\x3f\xfe\x0f");
  expectBaseColour(dressedIn(large, "EXT_texture_webp"), "is larger than 8192 x 8192");
  expectPoliteToChanges(whole);
}

#else
TEST(Image, WebpIsLeftOutAndSaid) {
  expectBaseColour(dressedIn(std::string("RIFF\0\0\0\0WEBP", 12), "EXT_texture_webp"), "is of the format WebP");
  GTEST_SKIP() << "Limber was built without libwebp";
}
#endif

#ifdef LIMBER_HAVE_AVIF

std::string avifOf(const SkinTexture& picture) {
  avifImage* image = avifImageCreate(picture.width, picture.height, 8, AVIF_PIXEL_FORMAT_YUV444);
  avifRGBImage pixels;
  avifRGBImageSetDefaults(&pixels, image);
  pixels.pixels = const_cast<std::uint8_t*>(picture.pixels.data());
  pixels.rowBytes = 4 * pixels.width;
  avifEncoder* encoder = avifEncoderCreate();
  encoder->speed = AVIF_SPEED_FASTEST;
  encoder->minQuantizer = encoder->maxQuantizer = encoder->minQuantizerAlpha = encoder->maxQuantizerAlpha = 8;
  avifRWData data = AVIF_DATA_EMPTY;
  const bool isMade =
      avifImageRGBToYUV(image, &pixels) == AVIF_RESULT_OK && avifEncoderWrite(encoder, image, &data) == AVIF_RESULT_OK;
  std::string out = isMade ? std::string(reinterpret_cast<const char*>(data.data), data.size) : std::string();
  avifRWDataFree(&data);
  avifEncoderDestroy(encoder);
  avifImageDestroy(image);
  return out;
}

TEST(Image, AvifIsRead) {
  constexpr int kLoss = 6;  // of 255, at this quality
  const std::string bytes = avifOf(gradient());
  if (bytes.empty()) GTEST_SKIP() << "this libavif has no encoder";
  const FigureSource source = dressedIn(bytes, "EXT_texture_avif");
  EXPECT_TRUE(source.notes.empty()) << source.notes.front();
  ASSERT_EQ(source.skin->textures.size(), 1u);
  EXPECT_LE(differenceOf(source.skin->textures[0], gradient()), kLoss);
}

TEST(Image, BrokenAvifLeavesTheBaseColour) {
  const std::string whole = avifOf(gradient());
  if (whole.empty()) GTEST_SKIP() << "this libavif has no encoder";
  expectBaseColour(dressedIn(whole.substr(0, whole.size() / 2), "EXT_texture_avif"), "images[0]");
  expectPoliteToChanges(whole);
}

#else
TEST(Image, AvifIsLeftOutAndSaid) {
  expectBaseColour(dressedIn(std::string("\0\0\0\x1c"
                                         "ftypavif",
                                         12),
                             "EXT_texture_avif"),
                   "is of the format AVIF");
  GTEST_SKIP() << "Limber was built without libavif";
}
#endif

}  // namespace
}  // namespace limber::io::image_test
