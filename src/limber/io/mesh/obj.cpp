// SPDX-License-Identifier: MIT
#include "limber/io/mesh/obj.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <set>
#include <span>

#include "limber/io/base/image.h"
#include "limber/io/base/text.h"
#include "limber/scene/skin.h"

namespace limber::io {

namespace {

/// Appends a line of numbers with the fewest digits that read back as the same float.
void appendLine(const char* keyword, std::initializer_list<double> numbers, std::string& text) {
  text += keyword;
  for (const double number : numbers) {
    text += ' ';
    appendNumber(static_cast<float>(number), text);
  }
  text += '\n';
}

/// Replaces characters that end names in OBJ files: blanks, control characters and "#", which begins a comment.
std::string asWord(std::string name) {
  for (char& c : name)
    if (std::isspace(static_cast<unsigned char>(c)) || std::iscntrl(static_cast<unsigned char>(c)) || c == '#') c = '_';
  return name;
}

std::string objectName(const std::string& name, std::size_t index) {
  return asWord(name.empty() ? "surface" + std::to_string(index) : name);
}

/// The indices in the file, from 1, of an object's first vertex and texture coordinate.
struct First {
  std::size_t vertex = 1;
  std::size_t texture = 1;
};

void appendFaces(const SkinSurface& surface, const First& first, std::string& text) {
  const bool isTextured = !surface.textureCoordinates.empty(), isFlipped = isMirrored(surface);
  for (std::size_t t = 0; t + 2 < surface.triangles.size(); t += 3) {
    text += 'f';
    for (const std::size_t corner : {std::size_t{0}, isFlipped ? std::size_t{2} : 1, isFlipped ? std::size_t{1} : 2}) {
      const std::size_t vertex = surface.triangles[t + corner];
      const std::string place = std::to_string(first.vertex + vertex);
      text += ' ' + place + '/' + (isTextured ? std::to_string(first.texture + vertex) : std::string()) + '/' + place;
    }
    text += '\n';
  }
}

/// The materials that surfaces use, with unique names.
class MaterialList {
 public:
  explicit MaterialList(const Skin& skin) : skin_(skin), nameOf_(skin.materials.size() + 1) {
    isNeeded_ = std::ranges::any_of(skin.surfaces, [](const SkinSurface& surface) { return surface.material >= 0; });
  }
  bool isNeeded() const { return isNeeded_; }

  /// Writes "usemtl NAME", and the material itself at its first use. -1 is the plain material.
  void use(int material, const std::string& stem, ObjExport& out) {
    if (!isNeeded_) return;
    const SkinMaterial& wanted = material < 0 ? plain_ : skin_.materials[material];
    std::string& name = nameOf_[material + 1];
    if (name.empty()) {
      name = asWord(wanted.name.empty() ? "material" + std::to_string(material) : wanted.name);
      while (!taken_.insert(name).second) name += '_';
      write(wanted, name, stem, out);
    }
    out.text += "usemtl " + name + '\n';
  }

 private:
  void write(const SkinMaterial& material, const std::string& name, const std::string& stem, ObjExport& out) {
    std::string& text = out.materials;
    text += "newmtl " + name + '\n';
    appendLine("Kd",
               {encodedColor(material.color[0]), encodedColor(material.color[1]), encodedColor(material.color[2])},
               text);
    const double alpha = material.alpha == SkinAlpha::Opaque ? 1.0 : static_cast<double>(material.color[3]);
    appendLine("d", {std::clamp(alpha, 0.0, 1.0)}, text);
    text += "illum 1\n";
    if (material.texture < 0) return;
    const auto [picture, isNew] = pictureOf_.try_emplace(material.texture, out.pictures.size());
    if (isNew) out.pictures.push_back(encodeImage(skin_.textures[material.texture]));
    text += "map_Kd " + stem + '_' + std::to_string(picture->second) + ".png\n";
  }

  const Skin& skin_;
  const SkinMaterial plain_{.name = "plain"};
  bool isNeeded_ = false;
  std::vector<std::string> nameOf_;  ///< by material, the plain one first
  std::set<std::string> taken_;
  std::map<int, std::size_t> pictureOf_;  ///< by texture
};

}  // namespace

double encodedColor(float linear) {
  const double c = std::clamp(static_cast<double>(linear), 0.0, 1.0);
  return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1.0 / 2.4) - 0.055;
}

std::string objStem(const std::string& fileName) { return asWord(std::filesystem::path(fileName).stem().string()); }

Result<ObjExport> formatObj(const Document& document, const std::string& stem) {
  if (!document.skin || document.skin->surfaces.empty())
    return Error{"", "", "OBJ holds surfaces, and this figure has no skin"};
  const Kinematics kinematics = transformsOf(*document.figure, document.pose);
  std::vector<Eigen::Affine3d> worldFromSkin;
  computeBoneTransforms(*document.skin, kinematics, worldFromSkin);

  ObjExport out;
  std::string& text = out.text;
  text = "# " + objectName(document.figure->name(), 0) + ", posed in Limber; metres, y up\n";
  MaterialList materials(*document.skin);
  if (materials.isNeeded()) text += "mtllib " + stem + ".mtl\n";
  First first;
  std::size_t firstBone = 0;
  for (std::size_t s = 0; s < document.skin->surfaces.size(); ++s) {
    const SkinSurface& surface = document.skin->surfaces[s];
    const std::span bones(worldFromSkin.data() + firstBone, surface.bones.size());
    text += "o " + objectName(surface.name, s) + '\n';
    std::string normals;
    for (std::size_t i = 0; i < surface.positions.size(); ++i) {
      const Eigen::Affine3d transform = blendedTransform(surface, i, bones);
      const Eigen::Vector3d place = transform * surface.positions[i].cast<double>();
      if (!place.allFinite())
        return Error{"", "", "the pose is not a number where it moves " + objectName(surface.name, s)};
      const Eigen::Vector3d normal = carriedNormal(transform, surface.normals[i].cast<double>());
      appendLine("v", {place.x(), place.y(), place.z()}, text);
      appendLine("vn", {normal.x(), normal.y(), normal.z()}, normals);
    }
    for (const Eigen::Vector2f& place : surface.textureCoordinates)
      appendLine("vt", {place.x(), 1.0 - place.y()}, text);
    text += normals;
    materials.use(surface.material, stem, out);
    appendFaces(surface, first, text);
    first.vertex += surface.positions.size();
    first.texture += surface.textureCoordinates.size();
    firstBone += surface.bones.size();
  }
  return out;
}

}  // namespace limber::io
