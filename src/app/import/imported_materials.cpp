// SPDX-License-Identifier: MIT
#include "app/import/imported_materials.h"

#include <assimp/GltfMaterial.h>
#include <assimp/scene.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "limber/io/base/file.h"
#include "limber/io/base/image.h"
#include "limber/io/base/referred_file.h"
#include "limber/io/base/text.h"

namespace limber::app {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostImageBytes = 256u << 20;
constexpr double kLeastCutOut = 0.01, kMostBetween = 0.1;  // shares of pixels: transparent; partly transparent

bool isPng(std::string_view bytes) { return bytes.starts_with("\x89PNG"); }
bool isJpeg(std::string_view bytes) { return bytes.starts_with("\xff\xd8"); }

/// False for images that cannot have alpha. Does not decode them.
bool mayHaveAlpha(std::string_view bytes) {
  constexpr std::size_t kColorType = 25;  // in a PNG's header: 0 grey, 2 colour; both may name a clear colour
  if (isPng(bytes) && bytes.size() > kColorType && (bytes[kColorType] == 0 || bytes[kColorType] == 2))
    return bytes.find("tRNS") != std::string_view::npos;
  return !isJpeg(bytes);
}

/// How a texture's alpha is used.
enum class TextureAlpha { None, CutOut, Gradual };

TextureAlpha alphaOf(std::string_view bytes) {
  if (!mayHaveAlpha(bytes)) return TextureAlpha::None;
  io::ImageBudget budget;
  const auto picture = io::decodeImage(bytes, budget);
  if (!picture) return TextureAlpha::None;
  std::size_t clear = 0, between = 0;
  for (std::size_t i = 3; i < picture->pixels.size(); i += 4) {
    if (picture->pixels[i] < 16) ++clear;
    else if (picture->pixels[i] < 240) ++between;
  }
  const double all = static_cast<double>(picture->pixels.size()) / 4.0;
  if (static_cast<double>(between) > kMostBetween * all) return TextureAlpha::Gradual;
  return static_cast<double>(clear) >= kLeastCutOut * all ? TextureAlpha::CutOut : TextureAlpha::None;
}

/// The PNG of an uncompressed image.
std::string pngOf(const aiTexture& texture) {
  if (std::max(texture.mWidth, texture.mHeight) > static_cast<unsigned>(io::kMaxImageSide)) return {};
  SkinTexture out{static_cast<int>(texture.mWidth), static_cast<int>(texture.mHeight), {}};
  const std::size_t count = std::size_t{texture.mWidth} * texture.mHeight;
  for (std::size_t i = 0; i < count; ++i) {
    const aiTexel& texel = texture.pcData[i];
    out.pixels.insert(out.pixels.end(), {texel.r, texel.g, texel.b, texel.a});
  }
  return io::encodeImage(out);
}

std::string percentEncoded(const std::string& path) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  const bool isText = io::isUtf8(path);
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > ' ' && (byte < 0x80 || isText) && c != '%' && c != ':' && c != '?' && c != '#') out += c;
    else out += {'%', kHex[byte >> 4], kHex[byte & 15]};
  }
  return out;
}

/// The URI of a file that a scene names by its path on the machine on which the scene was made: its path below the
/// folder of `file` if it is found there, else its name alone.
std::string uriOf(std::string path, const fs::path& file) {
  std::ranges::replace(path, '\\', '/');
  const std::string name = path.substr(path.rfind('/') + 1);
  for (const std::string& candidate : {path, name, file.stem().string() + ".fbm/" + name, "textures/" + name})
    if (io::findUri(percentEncoded(candidate), file, {})) return percentEncoded(candidate);
  return percentEncoded(name);
}

std::string textureName(const aiMaterial& material, std::initializer_list<aiTextureType> types) {
  aiString path;
  for (const aiTextureType type : types)
    if (material.GetTexture(type, 0, &path) == aiReturn_SUCCESS && path.length > 0) return {path.data, path.length};
  return {};
}

std::array<double, 4> colorOf(const aiMaterial& material) {
  aiColor4D color(1.0f, 1.0f, 1.0f, 1.0f);
  if (material.Get(AI_MATKEY_BASE_COLOR, color) != aiReturn_SUCCESS) material.Get(AI_MATKEY_COLOR_DIFFUSE, color);
  std::array<double, 4> out{};
  for (unsigned i = 0; i < 4; ++i) {
    const auto value = static_cast<double>(color[i]);
    out[i] = std::isfinite(value) ? std::clamp(value, 0.0, 1.0) : 1.0;
  }
  return out;
}

}  // namespace

ImportedMaterials::ImportedMaterials(const aiScene& scene, const fs::path& file, io::GltfArrays& arrays)
    : scene_(scene), file_(file), arrays_(arrays) {
  for (unsigned i = 0; i < scene.mNumMaterials; ++i) materials_.push_back(materialOf(*scene.mMaterials[i]));
}

int ImportedMaterials::coordinatesOf(unsigned material) const {
  return material < coordinates_.size() ? coordinates_[material] : -1;
}

void ImportedMaterials::moveInto(io::OrderedJson& json) {
  if (!materials_.empty()) json["materials"] = std::move(materials_);
  if (!textures_.empty()) json["textures"] = std::move(textures_);
  if (!images_.empty()) json["images"] = std::move(images_);
}

io::OrderedJson ImportedMaterials::materialOf(const aiMaterial& material) {
  io::OrderedJson out = io::OrderedJson::object(), surface = {{"metallicFactor", 0.0}};
  aiString name;
  if (material.Get(AI_MATKEY_NAME, name) == aiReturn_SUCCESS && name.length > 0)
    out["name"] = std::string(name.data, name.length);
  int isTwoSided = 0;
  if (material.Get(AI_MATKEY_TWOSIDED, isTwoSided) == aiReturn_SUCCESS && isTwoSided != 0) out["doubleSided"] = true;
  // Programs disagree whether an opacity of 0 or of 1 is solid; a material that would be invisible is treated as solid.
  float opacity = 1.0f;
  material.Get(AI_MATKEY_OPACITY, opacity);
  if (!(opacity > 0.0f)) opacity = 1.0f;
  std::array<double, 4> color = colorOf(material);
  color[3] = opacity < 1.0f ? static_cast<double>(opacity) : 1.0;
  const std::string colorName = textureName(material, {aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE});
  const int texture = colorName.empty() ? -1 : textureOf(colorName);
  int coordinates = -1;
  if (texture >= 0) {
    coordinates = 0;
    for (const aiTextureType type : {aiTextureType_DIFFUSE, aiTextureType_BASE_COLOR})
      material.Get(AI_MATKEY_UVWSRC(type, 0), coordinates);
    surface["baseColorTexture"] = {{"index", texture}};
    if (std::ranges::all_of(color.begin(), color.begin() + 3, [](double c) { return c == 0.0; }))
      std::fill_n(color.begin(), 3, 1.0);  // the colour is not meant as a factor
  }
  coordinates_.push_back(coordinates);
  surface["baseColorFactor"] = color;
  if (const char* mode = alphaModeOf(material, colorName, opacity)) out["alphaMode"] = mode;
  out["pbrMetallicRoughness"] = std::move(surface);
  return out;
}

/// Opacity below 1 blends, and so does the alpha of a colour texture that is also the opacity texture. Alpha that is
/// solid or clear nearly everywhere cuts out. Other textures may store anything in their alpha, such as gloss.
const char* ImportedMaterials::alphaModeOf(const aiMaterial& material, const std::string& colorName,
                                           float opacity) const {
  if (opacity < 1.0f) return "BLEND";
  const TextureAlpha alpha = colorName.empty() ? TextureAlpha::None : alphaOf(bytesOf(colorName));
  if (alpha == TextureAlpha::CutOut) return "MASK";
  if (alpha == TextureAlpha::Gradual && textureName(material, {aiTextureType_OPACITY}) == colorName) return "BLEND";
  return nullptr;
}

int ImportedMaterials::textureOf(const std::string& name) {
  const auto [known, isNew] = textureAt_.try_emplace(name, -1);
  if (!isNew) return known->second;
  if (const int image = imageOf(name); image >= 0) {
    textures_.push_back({{"source", image}});
    known->second = static_cast<int>(textures_.size()) - 1;
  }
  return known->second;
}

int ImportedMaterials::imageOf(const std::string& name) {
  if (scene_.GetEmbeddedTexture(name.c_str())) {
    std::string bytes = bytesOf(name);
    if (!isPng(bytes) && !isJpeg(bytes)) {  // glTF allows no other format
      io::ImageBudget budget;
      const auto picture = io::decodeImage(bytes, budget);
      if (!picture) return -1;
      bytes = io::encodeImage(*picture);
    }
    images_.push_back(
        {{"bufferView", arrays_.addView(bytes)}, {"mimeType", isPng(bytes) ? "image/png" : "image/jpeg"}});
  } else {
    images_.push_back({{"uri", uriOf(name, file_)}});
  }
  return static_cast<int>(images_.size()) - 1;
}

/// The bytes of an image; empty when there are none.
std::string ImportedMaterials::bytesOf(const std::string& name) const {
  if (const aiTexture* inside = scene_.GetEmbeddedTexture(name.c_str())) {
    if (inside->mHeight > 0) return pngOf(*inside);
    return {reinterpret_cast<const char*>(inside->pcData), inside->mWidth};
  }
  auto bytes = io::readUri(uriOf(name, file_), file_, {}, kMostImageBytes);
  return bytes ? std::move(*bytes) : std::string();
}

}  // namespace limber::app
