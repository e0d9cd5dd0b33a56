// SPDX-License-Identifier: MIT
#include "limber/io/mesh/foreign.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "limber/io/base/child_process.h"
#include "limber/io/base/file.h"
#include "limber/io/base/platform.h"
#include "limber/io/base/resources.h"
#include "limber/io/base/text.h"
#include "limber/io/gltf/gltf.h"
#include "limber/kinematics/forward_kinematics.h"

namespace limber::io {

namespace {

// Processor time for a file, or for all meshes of a robot. A character takes a tenth of a second.
constexpr double kSeconds = 10.0;
constexpr double kSecondsPerByte = 1.0 / (1 << 20);
constexpr std::size_t kMeshesAtOnce = 32;  // for each child, because its output is bounded

/// The limits of all children that read these files, together.
ChildLimits limitsFor(std::span<const std::filesystem::path> paths) {
  ChildLimits limits{.processorSeconds = kSeconds};
  for (const std::filesystem::path& path : paths) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(path, failed);
    if (!failed) limits.processorSeconds += kSecondsPerByte * static_cast<double>(size);
  }
  return limits;
}

/// Removes the next answer of the child (app/commands/import_worker.cpp) from `printed`.
Result<std::string> nextAnswer(std::string_view& printed) {
  const std::size_t lineEnd = printed.find('\n'), space = printed.find(' ');
  std::size_t size = 0;
  if (lineEnd != std::string_view::npos && space < lineEnd)
    std::from_chars(printed.data() + space + 1, printed.data() + lineEnd, size);
  if (size == 0 || size > printed.size() - lineEnd - 1)
    return Error{"", "", "the program that reads this format returned incomplete data"};
  const bool isFault = printed.starts_with("fault");
  std::string text(printed.substr(lineEnd + 1, size));
  printed.remove_prefix(lineEnd + 1 + size);
  if (isFault) return Error{"", "", std::move(text)};
  return text;
}

/// Runs a child that converts the files, and returns its output.
Result<std::string> askChild(std::span<const std::filesystem::path> paths, const char* kind, ChildLimits& limits,
                             const OpenContext& context) {
  if (platform::kIsPage) return Error{"", "", "this format is not read in a browser; convert the file to glTF or BVH"};
  const auto program = findProgram();
  if (!program)
    return Error{"", "", "the program \"limber\", which reads this format in a child process, was not found"};
  if (limits.processorSeconds <= 0.0)
    return Error{"", "", "the limit of processor time was reached while other files were read"};
  std::vector<std::string> arguments{"import-worker", kind};
  for (const std::filesystem::path& path : paths) {
    if (const auto fault = findAccessFault(path)) return Error{"", "", fault->cause};
    arguments.push_back(path.string());
  }
  return runChild(*program, arguments, limits, context, "reading the file");
}

/// Converts the files to GLB in one child; if that fails, in one child for each file.
std::vector<Result<std::string>> convert(std::span<const std::filesystem::path> paths, const char* kind,
                                         ChildLimits& limits, const OpenContext& context) {
  std::vector<Result<std::string>> all;
  const Result<std::string> printed = askChild(paths, kind, limits, context);
  if (!printed && paths.size() > 1 && printed.error().cause != kCancelled) {
    for (const std::filesystem::path& path : paths) all.push_back(convert({&path, 1}, kind, limits, context).front());
    return all;
  }
  std::string_view rest = printed ? std::string_view(*printed) : std::string_view();
  for (const std::filesystem::path& path : paths) {
    all.push_back(printed ? nextAnswer(rest) : printed);
    if (!all.back()) all.back() = Error{path.string(), "", all.back().error().cause};
  }
  return all;
}

/// The surfaces of a mesh file's GLB, in the axes and unit of the mesh file.
Result<std::shared_ptr<const Skin>> surfacesOf(const std::string& glb, const std::filesystem::path& path,
                                               const OpenContext& context) {
  const Result<FigureSource> source = readGltf(glb, path, context);
  if (!source) return source.error();
  if (!source->skin) return Error{path.string(), "", "holds no triangles"};
  const Kinematics rest = transformsOf(*source->figure, restPose(*source->figure));
  auto skin = std::make_shared<Skin>(*source->skin);
  const auto unit =
      static_cast<float>(1.0 / source->figure->fileFrame().metresPerUnit);  // readGltf may have guessed another unit
  for (SkinSurface& surface : skin->surfaces) {
    const Transform& worldFromLink = rest.worldFromLink[surface.bones[0].link];
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

PropMesh meshOf(const Skin& skin) {
  PropMesh prop;
  for (const SkinSurface& surface : skin.surfaces) {
    const auto first = static_cast<std::uint32_t>(prop.positions.size());
    prop.positions.insert(prop.positions.end(), surface.positions.begin(), surface.positions.end());
    for (const std::uint32_t corner : surface.triangles) prop.triangles.push_back(first + corner);
  }
  return prop;
}

}  // namespace

bool looksLikeFbx(std::string_view bytes) {
  return bytes.starts_with("Kaydara FBX Binary") || bytes.starts_with("; FBX ");
}

bool looksLikeCollada(std::string_view bytes) {
  return bytes.substr(0, 1024).find("<COLLADA") != std::string_view::npos;
}

Result<FigureSource> readForeign(std::string_view, const std::filesystem::path& path, const OpenContext& context) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed))
    return Error{path.string(), "", "must be the name of a file: a process of its own reads this format"};
  ChildLimits limits = limitsFor({&path, 1});
  const Result<std::string> glb = convert({&path, 1}, "figure", limits, context).front();
  if (!glb) return glb.error();
  return readGltf(*glb, path, context);
}

std::vector<Result<std::shared_ptr<const Skin>>> readMeshes(std::span<const std::filesystem::path> paths,
                                                            const OpenContext& context) {
  std::vector<Result<std::shared_ptr<const Skin>>> meshes;
  ChildLimits limits = limitsFor(paths);
  for (std::size_t first = 0; first < paths.size(); first += kMeshesAtOnce) {
    const auto some = paths.subspan(first, std::min(kMeshesAtOnce, paths.size() - first));
    const std::vector<Result<std::string>> glbs = convert(some, "mesh", limits, context);
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (glbs[i]) meshes.push_back(surfacesOf(*glbs[i], some[i], context));
      else meshes.push_back(glbs[i].error());
    }
  }
  return meshes;
}

Result<Obstacle> readProp(const std::filesystem::path& path, const OpenContext& context) {
  const std::array paths = {path};
  const auto read = readMeshes(paths, context);
  if (!read.front()) return read.front().error();
  auto mesh = std::make_shared<PropMesh>(meshOf(**read.front()));
  std::vector<Eigen::Vector3d> points;
  for (const Eigen::Vector3f& position : mesh->positions) points.push_back(position.cast<double>());
  auto hull = std::make_shared<ConvexHull>();
  if (const std::string fault = makeConvexHull(points, *hull); !fault.empty()) return Error{path.string(), "", fault};
  Obstacle prop{.name = asUtf8(path.stem().string()), .shape = Obstacle::Shape::Polyhedron};
  prop.hull = std::move(hull);
  prop.prop = std::move(mesh);
  return prop;
}

}  // namespace limber::io
