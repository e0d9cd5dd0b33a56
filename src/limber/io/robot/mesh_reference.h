// SPDX-License-Identifier: MIT
// References to mesh files in robot files, and the search for these.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "limber/io/base/open_context.h"
#include "limber/kinematics/transform.h"
#include "limber/scene/skin.h"

namespace limber::io {

/// A mesh that is attached to a link.
struct MeshReference {
  int link = 0;
  Transform linkFromMesh;
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();  ///< of the mesh's coordinates, before linkFromMesh
  std::optional<Eigen::Vector4f> color;             ///< sRGB, alpha; replaces the mesh's own
  std::string written;                              ///< the reference as in the file
  std::filesystem::path path;                       ///< the mesh file; empty when not found
};

/// The path of a mesh; empty when it was not found or may not be opened.
///
/// package://NAME/REST and model://NAME/REST are searched as NAME/REST, and as REST in a folder NAME: in the file's
/// folder and those above it, then in context.folders, which may also be the package itself and contain REST. Relative
/// paths are searched in the same folders. Absolute paths, file:// and ".." beyond the file's folder are followed only
/// if context.mayLeaveFolder; in context.folders leading ".." are dropped.
std::filesystem::path resolveMesh(const std::string& written, const std::filesystem::path& file,
                                  const OpenContext& context);

/// Sets the paths of all meshes; each reference is searched once.
void resolveMeshes(std::vector<MeshReference>& meshes, const std::filesystem::path& file, const OpenContext& context);

/// The references that were not found, as written, each once.
std::vector<std::string> missingPaths(const std::vector<MeshReference>& meshes);

/// "2 meshes not found: a.stl, b.stl", with the first few names; empty when all were found.
std::string missingMeshes(const std::vector<MeshReference>& meshes);

inline constexpr std::size_t kMaxMeshVertices = 10'000'000;  ///< on all links of a figure together

/// Adds the surfaces of the meshes that were found; each file is read once (io/mesh/foreign.h). Meshes that cannot be
/// read or are too large, and cancelling, only lead to sentences in the result: the robot opens without them.
std::vector<std::string> addMeshes(const std::vector<MeshReference>& meshes, const OpenContext& context, Skin& skin);

/// True for a relative path that does not leave the folder that it starts from.
bool staysInFolder(const std::filesystem::path& path);

}  // namespace limber::io
