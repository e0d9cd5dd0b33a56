// SPDX-License-Identifier: MIT
#include "limber/io/robot/robot_parts.h"

#include <algorithm>
#include <map>
#include <set>

#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/base/referred_file.h"
#include "limber/io/base/text.h"
#include "limber/io/mesh/foreign.h"
#include "limber/io/unread_formats.h"

namespace limber::io {

namespace fs = std::filesystem;

namespace {

constexpr int kMaxFoldersUp = 16;
constexpr std::size_t kMaxPath = 4096;
constexpr std::size_t kMaxNamed = 5;  // in a note
constexpr const char* kPackageFile = "package.xml";
constexpr std::uintmax_t kMaxPackageFile = 1u << 20;

bool isFile(const fs::path& path) {
  std::error_code ignored;  // no permission or too long a name: the file counts as missing
  return fs::is_regular_file(path, ignored);
}

/// The file's folder and those above it, except the root of the file system.
std::vector<fs::path> foldersAbove(const fs::path& file) {
  std::error_code failed;
  fs::path folder = fs::absolute(file, failed).parent_path().lexically_normal();
  std::vector<fs::path> folders;
  for (int up = 0; !failed && up < kMaxFoldersUp && folder.has_relative_path(); ++up, folder = folder.parent_path())
    folders.push_back(folder);
  return folders;
}

/// The nearest folder above the file that is a package of ROS; empty for none.
fs::path packageAbove(const fs::path& file) {
  for (const fs::path& folder : foldersAbove(file))
    if (isFile(folder / kPackageFile)) return folder;
  return {};
}

/// The name in a folder's package.xml, which may differ from that of a clone's folder; empty without such a file.
std::string packageNameOf(const fs::path& folder) {
  if (!isFile(folder / kPackageFile)) return {};
  const Result<std::string> text = readFile(folder / kPackageFile, kMaxPackageFile);
  constexpr std::string_view kBegin = "<name>";
  const std::size_t begin = text ? text->find(kBegin) : std::string::npos;
  if (begin == std::string::npos) return {};
  const std::size_t from = begin + kBegin.size();
  return std::string(trimmed(std::string_view(*text).substr(from, text->find('<', from) - from)));
}

/// True for a path in the package that the file belongs to. Without one, the folder two above the file's counts as the
/// package, for "../meshes" and "../../meshes", unless it is the root of the file system.
bool staysInPackage(const fs::path& path, const fs::path& file) {
  fs::path package = packageAbove(file);
  if (const std::vector<fs::path> folders = foldersAbove(file); package.empty() && folders.size() > 1)
    package = folders[std::min<std::size_t>(2, folders.size() - 1)];
  return !package.empty() && staysInFolder(path.lexically_relative(package));
}

fs::path firstFile(const std::vector<fs::path>& candidates) {
  for (const fs::path& candidate : candidates)
    if (isFile(candidate)) return candidate.lexically_normal();
  return {};
}

fs::path findInPackage(const fs::path& inPackages, const fs::path& file, const OpenContext& context) {
  if (!staysInFolder(inPackages) || inPackages.empty()) return {};
  const fs::path package = *inPackages.begin();
  const fs::path rest = inPackages.lexically_relative(package);
  std::vector<fs::path> candidates;
  for (const fs::path& folder : foldersAbove(file)) {
    candidates.push_back(folder / inPackages);
    if (folder.filename() == package || packageNameOf(folder) == package) candidates.push_back(folder / rest);
  }
  for (const fs::path& folder : context.folders) {
    candidates.push_back(folder / inPackages);
    candidates.push_back(folder / rest);
  }
  return firstFile(candidates);
}

fs::path findRelative(const fs::path& relative, const fs::path& file, const OpenContext& context) {
  std::vector<fs::path> candidates;
  std::error_code failed;
  const fs::path beside = fs::absolute(file, failed).parent_path() / relative;
  if (staysInFolder(relative))
    for (const fs::path& folder : foldersAbove(file)) candidates.push_back(folder / relative);
  else if (context.mayLeaveFolder || staysInPackage(beside.lexically_normal(), file)) candidates.push_back(beside);
  for (const fs::path& folder : context.folders) candidates.push_back(folder / withoutLeading(relative));
  return firstFile(candidates);
}

}  // namespace

bool staysInFolder(const fs::path& path) {
  const fs::path normal = path.lexically_normal();
  return path.is_relative() && (normal.empty() || *normal.begin() != "..");
}

fs::path resolveMesh(const std::string& written, const fs::path& file, const OpenContext& context) {
  if (written.size() > kMaxPath) return {};
  constexpr std::string_view kFile = "file://";
  const std::string name = written.starts_with(kFile) ? written.substr(kFile.size()) : written;
  for (const std::string_view scheme : {"package://", "model://"})
    if (name.starts_with(scheme))
      return findInPackage(fs::path(name.substr(scheme.size())).lexically_normal(), file, context);
  const fs::path path = name;
  if (path.is_relative()) return findRelative(path, file, context);
  std::error_code failed;
  const bool isBelow = staysInFolder(path.lexically_relative(fs::absolute(file, failed).parent_path())) ||
                       staysInPackage(path.lexically_normal(), file);
  return (isBelow && !failed) || context.mayLeaveFolder ? firstFile({path}) : fs::path();
}

void resolveMeshes(std::vector<MeshReference>& meshes, const fs::path& file, const OpenContext& context) {
  std::map<std::string, fs::path> found;
  for (MeshReference& mesh : meshes) {
    if (!mesh.path.empty()) continue;
    const auto [place, isNew] = found.try_emplace(mesh.written);
    if (isNew) place->second = resolveMesh(mesh.written, file, context);
    mesh.path = place->second;
  }
}

std::vector<std::string> missingPaths(const std::vector<MeshReference>& meshes) {
  std::set<std::string> names;
  for (const MeshReference& mesh : meshes)
    if (mesh.path.empty()) names.insert(mesh.written);
  return {names.begin(), names.end()};
}

std::string missingMeshes(const std::vector<MeshReference>& meshes) {
  const std::vector<std::string> missing = missingPaths(meshes);
  if (missing.empty()) return {};
  std::string text = std::to_string(missing.size()) + (missing.size() == 1 ? " mesh" : " meshes") + " not found: ";
  for (std::size_t i = 0; i < missing.size(); ++i) {
    if (i == kMaxNamed) return text + ", ...";
    text += (i > 0 ? ", " : "") + printable(missing[i]);
  }
  return text;
}

namespace {

/// The surface in the link's frame. A mirroring scale reverses the orientation of its triangles.
SkinSurface worn(const SkinSurface& surface, const MeshReference& mesh) {
  SkinSurface out = surface;
  const Eigen::Vector3f scale = mesh.scale.cast<float>();
  const Eigen::Matrix3f rotation = mesh.linkFromMesh.rotation.cast<float>();
  const Eigen::Vector3f shift = mesh.linkFromMesh.translation.cast<float>();
  for (Eigen::Vector3f& position : out.positions) position = rotation * scale.cwiseProduct(position) + shift;
  for (Eigen::Vector3f& normal : out.normals) {
    const Eigen::Vector3f turned = normal.cwiseQuotient(scale);
    normal = turned.allFinite() && turned.norm() > 0.0f ? (rotation * turned).normalized() : rotation * normal;
  }
  if (mesh.scale.prod() < 0.0)
    for (std::size_t i = 0; i + 2 < out.triangles.size(); i += 3) std::swap(out.triangles[i], out.triangles[i + 1]);
  out.bones = {SkinBone{.link = mesh.link}};
  return out;
}

bool isPointer(const fs::path& path) {
  constexpr std::uintmax_t kLongest = 1024;
  std::error_code failed;
  if (fs::file_size(path, failed) > kLongest || failed) return false;
  const Result<std::string> bytes = readFile(path, kLongest);
  return bytes && isLfsPointer(*bytes);
}

/// Removes pointers of Git LFS from the paths, and adds a note if there are any.
void removePointers(std::set<fs::path>& paths, std::vector<std::string>& notes) {
  const std::size_t pointers = std::erase_if(paths, isPointer);
  if (pointers > 0)
    notes.push_back(std::to_string(pointers) + (pointers == 1 ? " mesh is a pointer" : " meshes are pointers") +
                    " of Git LFS: git lfs pull, in the repository of the robot, fetches the files.");
}

std::size_t vertexCount(const Skin& skin) {
  std::size_t count = 0;
  for (const SkinSurface& surface : skin.surfaces) count += surface.positions.size();
  return count;
}

void add(const Skin& file, const MeshReference& mesh, Skin& skin) {
  const auto materials = static_cast<int>(skin.materials.size()), textures = static_cast<int>(skin.textures.size());
  if (!mesh.color) {
    skin.textures.insert(skin.textures.end(), file.textures.begin(), file.textures.end());
    for (SkinMaterial material : file.materials) {
      if (material.texture >= 0) material.texture += textures;
      skin.materials.push_back(std::move(material));
    }
  }
  for (const SkinSurface& surface : file.surfaces) {
    skin.surfaces.push_back(worn(surface, mesh));
    int& material = skin.surfaces.back().material;
    if (mesh.color) material = materialOf(*mesh.color, skin);
    else if (material >= 0) material += materials;
  }
}

}  // namespace

std::vector<std::string> addMeshes(const std::vector<MeshReference>& meshes, const OpenContext& context, Skin& skin) {
  std::set<fs::path> found;
  for (const MeshReference& mesh : meshes)
    if (!mesh.path.empty()) found.insert(mesh.path);
  std::vector<std::string> notes;
  removePointers(found, notes);
  const std::vector<fs::path> paths(found.begin(), found.end());
  const auto read = readMeshes(paths, context);
  std::map<fs::path, const Skin*> files;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (read[i]) files[paths[i]] = read[i]->get();
    else notes.push_back("The mesh " + read[i].error().message() + ".");
  }
  std::size_t vertices = 0, leftOut = 0;
  for (const MeshReference& mesh : meshes) {
    const auto file = files.find(mesh.path);
    if (file == files.end()) continue;
    vertices += vertexCount(*file->second);
    if (vertices <= kMaxMeshVertices) add(*file->second, mesh, skin);
    else ++leftOut;
  }
  if (leftOut > 0)
    notes.push_back("The meshes have more than " + std::to_string(kMaxMeshVertices / 1'000'000) +
                    " million vertices in all: the last " + std::to_string(leftOut) + " are left out.");
  return notes;
}

}  // namespace limber::io
