// SPDX-License-Identifier: MIT
#include "limber/io/gltf/gltf_parts.h"

#include <algorithm>
#include <cmath>

#include "limber/io/base/image.h"
#include "limber/io/base/referred_file.h"

namespace limber::io {

namespace {

constexpr std::uintmax_t kMaxImageFileBytes = 256u << 20;

/// Images, each decoded when a material first uses it.
class Pictures {
 public:
  Pictures(const GltfFile& file, std::vector<SkinTexture>& textures) : file_(file), textures_(textures) {}

  /// The index of the image's texture; -1 when it cannot be read.
  int placeOf(int image) {
    const auto [found, isNew] = places_.emplace(image, -1);
    if (isNew) found->second = decode(image);
    return found->second;
  }

 private:
  int decode(int image) {
    const JsonValue& value = file_.list("images")[image];
    const auto refuse = [&](const std::string& cause) {
      file_.note("The texture images[" + std::to_string(image) + "] " + cause + "; it is left out.");
      return -1;
    };
    Result<SkinTexture> picture = Error{};
    if (const int view = file_.indexOf(value, "bufferView", "bufferViews"); view >= 0) {
      picture = decodeImage(file_.bufferView(view), budget_);
    } else if (const auto uri = value.find("uri")) {
      const Result<std::string> bytes = readUri(uri->text(), file_.path(), file_.context(), kMaxImageFileBytes);
      for (const std::string& name : bytes.error().missing) file_.miss(name);
      if (!bytes) return refuse(bytes.error().cause);
      picture = decodeImage(*bytes, budget_);
    } else {
      value.fail("has neither uri nor bufferView");
    }
    if (!picture) return refuse(picture.error().cause);
    textures_.push_back(std::move(*picture));
    return static_cast<int>(textures_.size()) - 1;
  }

  const GltfFile& file_;
  std::vector<SkinTexture>& textures_;
  std::map<int, int> places_;
  ImageBudget budget_;
};

Eigen::Vector4f readColor(const JsonValue& value) {
  Eigen::Vector4f out = Eigen::Vector4d(value.numbers(4).data()).cast<float>();
  return out.cwiseMax(0.0f).cwiseMin(1.0f);
}

float numberOr(const JsonValue& value, const char* key, double missing) {
  const auto member = value.find(key);
  return static_cast<float>(member ? member->numberIn(-1e6, 1e6) : missing);
}

Eigen::Vector2f pairOr(const JsonValue& value, const char* key, const Eigen::Vector2f& missing) {
  const auto member = value.find(key);
  if (!member) return missing;
  const std::vector<double> numbers = member->numbers(2);
  if (std::abs(numbers[0]) > 1e6 || std::abs(numbers[1]) > 1e6) member->fail("is beyond 1e6");
  return Eigen::Vector2d(numbers.data()).cast<float>();
}

/// KHR_texture_transform: an offset, a clockwise rotation in the image, and a scale.
GltfTextureUse readUse(const JsonValue& info) {
  GltfTextureUse out;
  if (const auto set = info.find("texCoord")) out.coordinates = set->integerIn(0, 1'000'000);
  const auto transform = extension(info, "KHR_texture_transform");
  if (!transform) return out;
  if (const auto set = transform->find("texCoord")) out.coordinates = set->integerIn(0, 1'000'000);
  out.change = Eigen::Translation2f(pairOr(*transform, "offset", Eigen::Vector2f::Zero())) *
               Eigen::Rotation2Df(-numberOr(*transform, "rotation", 0.0)) *
               Eigen::Scaling(pairOr(*transform, "scale", Eigen::Vector2f::Ones()));
  return out;
}

/// The image of a texture, else that of an extension for another format; -1 without one.
int imageOf(const GltfFile& file, int texture) {
  const JsonValue& value = file.list("textures")[texture];
  int image = file.indexOf(value, "source", "images");
  for (const char* format : {"EXT_texture_webp", "EXT_texture_avif", "KHR_texture_basisu"})
    if (const auto other = extension(value, format); image < 0 && other)
      image = file.indexOf(*other, "source", "images");
  if (image < 0)
    file.note("The texture textures[" + std::to_string(texture) + "]" +
              " is of a kind that is not read (PNG, JPEG, WebP and AVIF are); it is left out.");
  return image;
}

void readTexture(const GltfFile& file, const JsonValue& info, Pictures& pictures, SkinMaterial& material,
                 GltfTextureUse& use) {
  const int image = imageOf(file, file.index(info.at("index"), "textures"));
  if (image >= 0) material.texture = pictures.placeOf(image);
  use = readUse(info);
}

void readAlpha(const JsonValue& value, SkinMaterial& material) {
  if (const auto cutoff = value.find("alphaCutoff"))
    material.alphaCutoff = static_cast<float>(std::clamp(cutoff->number(), 0.0, 2.0));  // above 1 nothing is visible
  const auto mode = value.find("alphaMode");
  if (mode && mode->text() == "MASK") material.alpha = SkinAlpha::Mask;
  if (mode && mode->text() == "BLEND") material.alpha = SkinAlpha::Blend;
}

void readMaterial(const GltfFile& file, const JsonValue& value, Pictures& pictures, SkinMaterial& material,
                  GltfTextureUse& use) {
  if (const auto name = value.find("name")) material.name = name->text();
  if (const auto isDoubleSided = value.find("doubleSided")) material.isDoubleSided = isDoubleSided->boolean();
  readAlpha(value, material);
  material.color.setOnes();
  auto surface = value.find("pbrMetallicRoughness");
  const char* color = "baseColorFactor";
  const char* texture = "baseColorTexture";
  if (const auto glossy = extension(value, "KHR_materials_pbrSpecularGlossiness")) {
    surface = glossy;
    color = "diffuseFactor";
    texture = "diffuseTexture";
  }
  if (!surface) return;
  if (const auto factor = surface->find(color)) material.color = readColor(*factor);
  if (const auto info = surface->find(texture)) readTexture(file, *info, pictures, material, use);
}

/// Reads alpha settings of a toon material of VRM 0, which are those of its Unity shader.
void readToonAlpha(const JsonValue& toon, SkinMaterial& material) {
  const auto numbers = toon.find("floatProperties");
  const auto number = [&](const char* key) { return numbers ? numbers->find(key) : std::nullopt; };
  if (const auto mode = number("_BlendMode")) {
    const double which = mode->number();  // 2 and 3 differ only in depth writing
    material.alpha = which >= 2.0 ? SkinAlpha::Blend : which >= 1.0 ? SkinAlpha::Mask : SkinAlpha::Opaque;
  }
  if (const auto cutoff = number("_Cutoff"))
    material.alphaCutoff = static_cast<float>(std::clamp(cutoff->number(), 0.0, 2.0));
  if (const auto cull = number("_CullMode")) material.isDoubleSided = cull->number() == 0.0;
}

/// VRM 0 stores the properties of toon materials in a separate list in the order of the materials.
void readToonMaterials(const GltfFile& file, Pictures& pictures, GltfMaterials& out) {
  const auto vrm = extension(file.root(), "VRM");
  const auto properties = vrm ? vrm->find("materialProperties") : std::nullopt;
  if (!properties) return;
  const std::vector<JsonValue> list = properties->elements();
  for (std::size_t i = 0; i < std::min(list.size(), out.materials.size()); ++i) {
    const auto shader = list[i].find("shader");
    if (!shader || shader->text() != "VRM/MToon") continue;
    readToonAlpha(list[i], out.materials[i]);
    if (out.materials[i].texture >= 0) continue;
    const auto colors = list[i].find("vectorProperties"), textures = list[i].find("textureProperties");
    if (const auto color = colors ? colors->find("_Color") : std::nullopt) out.materials[i].color = readColor(*color);
    if (const auto texture = textures ? textures->find("_MainTex") : std::nullopt)
      if (const int image = imageOf(file, file.index(*texture, "textures")); image >= 0)
        out.materials[i].texture = pictures.placeOf(image);
  }
}

}  // namespace

GltfMaterials readGltfMaterials(const GltfFile& file) {
  GltfMaterials out;
  Pictures pictures(file, out.textures);
  const std::vector<JsonValue>& list = file.list("materials");
  out.materials.resize(list.size());
  out.uses.resize(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) readMaterial(file, list[i], pictures, out.materials[i], out.uses[i]);
  readToonMaterials(file, pictures, out);
  return out;
}

}  // namespace limber::io
