// SPDX-License-Identifier: MIT
#include "io/foreign.h"

#include <system_error>

#include "io/child_process.h"
#include "io/gltf.h"
#include "io/resources.h"
#include "kinematics/forward_kinematics.h"

namespace limber::io {

namespace {

constexpr double kSeconds = 4.5;                    // a file may take
constexpr double kSecondsPerByte = 4.0 / (64 << 20);  // and more when it is large

/// GLB, as the child has made it.
Result<std::string> convert(const std::filesystem::path& path, const char* kind, const OpenContext& context) {
  const auto program = findProgram();
  if (!program)
    return Error{path.string(), "", "the program \"limber\", which reads this format in a child process, is not there"};
  std::error_code ignored;
  const auto size = std::filesystem::file_size(path, ignored);
  ChildLimits limits;
  limits.seconds = kSeconds + (ignored ? 0.0 : kSecondsPerByte * static_cast<double>(size));
  Result<std::string> glb =
      runChild(*program, {"import-worker", kind, path.string()}, limits, context, "reading the file");
  if (!glb) return Error{path.string(), "", glb.error().cause};
  return glb;
}

}  // namespace

bool looksLikeFbx(std::string_view bytes) {
  return bytes.starts_with("Kaydara FBX Binary") || bytes.starts_with("; FBX ");
}

bool looksLikeCollada(std::string_view bytes) {
  return bytes.substr(0, 1024).find("<COLLADA") != std::string_view::npos;
}

Result<FigureSource> readForeign(std::string_view, const std::filesystem::path& path, const OpenContext& context) {
  const Result<std::string> glb = convert(path, "figure", context);
  if (!glb) return glb.error();
  return readGltf(*glb, path, context);
}

Result<std::shared_ptr<const Skin>> readMesh(const std::filesystem::path& path, const OpenContext& context) {
  const Result<std::string> glb = convert(path, "mesh", context);
  if (!glb) return glb.error();
  const Result<FigureSource> source = readGltf(*glb, path, context);
  if (!source) return source.error();
  if (!source->skin) return Error{path.string(), "", "holds no triangles"};
  Kinematics rest;
  computeTransforms(*source->figure, restPose(*source->figure), rest);
  auto skin = std::make_shared<Skin>(*source->skin);
  const auto unit =
      static_cast<float>(1.0 / source->figure->fileFrame().metresPerUnit);  // readers of figures may guess one
  for (SkinSurface& surface : skin->surfaces) {
    const Transform& worldFromLink = rest.worldFromLink[static_cast<std::size_t>(surface.bones[0].link)];
    Eigen::Affine3f meshFromLink = Eigen::Affine3f::Identity();
    meshFromLink.linear() = worldFromLink.rotation.cast<float>();
    meshFromLink.translation() = worldFromLink.translation.cast<float>();
    const Eigen::Affine3f place = Eigen::Scaling(unit) * meshFromLink * surface.bones[0].linkFromSkin;
    const Eigen::Matrix3f turn = place.linear().inverse().transpose();
    for (Eigen::Vector3f& position : surface.positions) position = place * position;
    for (Eigen::Vector3f& normal : surface.normals) normal = (turn * normal).normalized();
    surface.bones.assign(1, SkinBone{});
    surface.influences = 0;
    surface.boneOf.clear();
    surface.weights.clear();
  }
  return std::shared_ptr<const Skin>(std::move(skin));
}

}  // namespace limber::io
