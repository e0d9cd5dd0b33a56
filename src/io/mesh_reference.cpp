// SPDX-License-Identifier: MIT
#include "io/mesh_reference.h"

#include <map>
#include <set>

#include "io/json.h"

namespace limber::io {

namespace fs = std::filesystem;

namespace {

constexpr int kMaxFoldersUp = 16;
constexpr std::size_t kMaxPath = 4096;
constexpr std::size_t kMaxNamed = 200;  // in a note

bool isFile(const fs::path& path) {
  std::error_code ignored;  // no permission, too long a name: it is not there for us
  return fs::is_regular_file(path, ignored);
}

/// The file's folder and those above it, but the root of the file system.
std::vector<fs::path> foldersAbove(const fs::path& file) {
  std::error_code failed;
  fs::path folder = fs::absolute(file, failed).parent_path().lexically_normal();
  std::vector<fs::path> folders;
  for (int up = 0; !failed && up < kMaxFoldersUp && folder.has_relative_path(); ++up, folder = folder.parent_path())
    folders.push_back(folder);
  return folders;
}

/// `path` without the ".." that it begins with.
fs::path withoutLeading(const fs::path& path) {
  fs::path rest;
  for (const fs::path& part : path.lexically_normal())
    if (!(rest.empty() && part == "..")) rest /= part;
  return rest;
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
    if (folder.filename() == package) candidates.push_back(folder / rest);
  }
  for (const fs::path& folder : context.folders) {
    candidates.push_back(folder / inPackages);
    candidates.push_back(folder / rest);
  }
  return firstFile(candidates);
}

fs::path findRelative(const fs::path& relative, const fs::path& file, const OpenContext& context) {
  std::vector<fs::path> candidates;
  if (staysInFolder(relative))
    for (const fs::path& folder : foldersAbove(file)) candidates.push_back(folder / relative);
  else if (context.mayLeaveFolder)
    candidates.push_back(file.parent_path() / relative);
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
  for (const std::string_view scheme : {"package://", "model://"})
    if (written.starts_with(scheme)) return findInPackage(fs::path(written.substr(scheme.size())).lexically_normal(), file, context);
  constexpr std::string_view kFile = "file://";
  const fs::path path = written.starts_with(kFile) ? written.substr(kFile.size()) : written;
  if (path.is_relative()) return findRelative(path, file, context);
  std::error_code failed;
  const bool isBelow = staysInFolder(path.lexically_relative(fs::absolute(file, failed).parent_path()));
  return (isBelow && !failed) || context.mayLeaveFolder ? firstFile({path}) : fs::path();
}

void resolveMeshes(std::vector<MeshReference>& meshes, const fs::path& file, const OpenContext& context) {
  std::map<std::string, fs::path> found;
  for (MeshReference& mesh : meshes) {
    const auto [place, isNew] = found.try_emplace(mesh.written);
    if (isNew) place->second = resolveMesh(mesh.written, file, context);
    mesh.path = place->second;
  }
}

namespace {

/// The meshes that were found or not, each once.
std::set<std::string> meshesWhere(const std::vector<MeshReference>& meshes, bool found) {
  std::set<std::string> names;
  for (const MeshReference& mesh : meshes)
    if (mesh.path.empty() != found) names.insert(mesh.written);
  return names;
}

std::string countOf(const std::set<std::string>& names) {
  return std::to_string(names.size()) + (names.size() == 1 ? " mesh" : " meshes");
}

}  // namespace

std::string undrawnMeshes(const std::vector<MeshReference>& meshes) {
  const std::set<std::string> found = meshesWhere(meshes, true);
  if (found.empty()) return {};
  return countOf(found) + (found.size() == 1 ? " was" : " were") + " found, but this version does not draw meshes.";
}

std::string missingMeshes(const std::vector<MeshReference>& meshes) {
  const std::set<std::string> missing = meshesWhere(meshes, false);
  if (missing.empty()) return {};
  std::string text = countOf(missing) + " not found: ";
  std::size_t named = 0;
  for (const std::string& written : missing) {
    if (named == kMaxNamed) return text + ", ...";
    text += (named++ > 0 ? ", " : "") + printable(written);
  }
  return text;
}

}  // namespace limber::io
