// SPDX-License-Identifier: MIT
#include "limber/io/figure_formats.h"

#include <algorithm>

#include "limber/io/base/text.h"
#include "limber/io/bvh/bvh.h"
#include "limber/io/gltf/gltf.h"
#include "limber/io/mesh/foreign.h"
#include "limber/io/robot/robot.h"

namespace limber::io {

std::span<const FigureFormat> figureFormats() {
  static const std::vector<FigureFormat> formats = {
      {"BVH motion", {".bvh"}, looksLikeBvh, readBvh},
      {"URDF robot", {".urdf", ".xacro"}, looksLikeUrdf, readUrdf},
      {"SDF robot", {".sdf", ".world"}, looksLikeSdf, readSdf},
      {"MuJoCo model (MJCF)", {".mjcf", ".xml"}, looksLikeMjcf, readMjcf},
      {"VRM character", {".vrm"}, looksLikeVrm, readGltf},
      {"glTF model", {".gltf", ".glb"}, looksLikeGltf, readGltf},
      {"FBX character", {".fbx"}, looksLikeFbx, readForeign},
      {"Collada model", {".dae"}, looksLikeCollada, readForeign},
  };
  return formats;
}

const FigureFormat* findFigureFormatByContents(std::string_view bytes) {
  for (const FigureFormat& format : figureFormats())
    if (format.looksLike(bytes)) return &format;
  return nullptr;
}

const FigureFormat* findFigureFormat(std::string_view bytes, const std::filesystem::path& path) {
  if (const FigureFormat* format = findFigureFormatByContents(bytes)) return format;
  const std::string ending = endingOf(path);
  for (const FigureFormat& format : figureFormats())
    if (std::ranges::find(format.endings, ending) != format.endings.end()) return &format;
  return nullptr;
}

std::string endingOf(const std::filesystem::path& path) { return lowerCase(path.extension().string()); }

}  // namespace limber::io
