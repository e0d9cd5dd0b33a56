// SPDX-License-Identifier: MIT
#include "io/obj.h"

#include <cctype>
#include <charconv>
#include <initializer_list>
#include <span>

#include "scene/skinning.h"

namespace limber::io {

namespace {

/// Numbers in the fewest digits that give the same float back.
void appendLine(const char* keyword, std::initializer_list<double> numbers, std::string& text) {
  text += keyword;
  for (const double number : numbers) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, static_cast<float>(number)).ptr;
    text += ' ';
    text.append(digits, end);
  }
  text += '\n';
}

/// A name ends at the line's end, and many readers end it at a space.
std::string objectName(const std::string& name, std::size_t index) {
  std::string out = name.empty() ? "surface" + std::to_string(index) : name;
  for (char& c : out)
    if (std::isspace(static_cast<unsigned char>(c)) || std::iscntrl(static_cast<unsigned char>(c))) c = '_';
  return out;
}

/// Where the vertices of an object begin among all of the file, counted from 1.
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

}  // namespace

Result<std::string> formatObj(const Document& document) {
  if (!document.skin || document.skin->surfaces.empty())
    return Error{"", "", "OBJ holds surfaces, and this figure has no skin"};
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  std::vector<Eigen::Affine3d> worldFromSkin;
  computeBoneTransforms(*document.skin, kinematics, worldFromSkin);

  std::string text = "# " + objectName(document.figure->name(), 0) + ", posed in Limber; metres, y up\n";
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
    appendFaces(surface, first, text);
    first.vertex += surface.positions.size();
    first.texture += surface.textureCoordinates.size();
    firstBone += surface.bones.size();
  }
  return text;
}

}  // namespace limber::io
