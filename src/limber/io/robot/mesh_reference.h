// SPDX-License-Identifier: MIT
// The meshes that robot files speak of, and where they are looked for.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "limber/io/base/open_context.h"
#include "limber/kinematics/transform.h"
#include "limber/scene/skin.h"

namespace limber::io {

/// A mesh that a file wants on a link.
struct MeshReference {
  int link = 0;
  Transform linkFromMesh;
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();  ///< of the mesh's coordinates, before linkFromMesh
  std::optional<Eigen::Vector4f> color;             ///< sRGB, alpha: over that of the mesh
  std::string written;                              ///< as the file has it
  std::filesystem::path path;                       ///< where it was found; empty for nowhere
};

/// Where a mesh is, empty when it was not found or may not be opened.
///
/// package://NAME/REST and model://NAME/REST are looked for as NAME/REST, and as REST in a folder NAME, in the file's
/// folder and those above it, then in context.folders, where REST alone will do too: a folder that was pointed at may
/// be the package itself. A relative path is looked for in the same places. Absolute paths, file:// and ".." beyond the
/// file's folder are followed only where context.mayLeaveFolder says so; in context.folders leading ".." are left out.
std::filesystem::path resolveMesh(const std::string& written, const std::filesystem::path& file,
                                  const OpenContext& context);

/// Resolves all; each path is looked for once.
void resolveMeshes(std::vector<MeshReference>& meshes, const std::filesystem::path& file, const OpenContext& context);

/// The meshes that were not found, each once, as they are written.
std::vector<std::string> missingPaths(const std::vector<MeshReference>& meshes);

/// "2 meshes not found: a.stl, b.stl"; empty when all were found. Names the first few.
std::string missingMeshes(const std::vector<MeshReference>& meshes);

inline constexpr std::size_t kMaxMeshVertices = 10'000'000;  ///< on all links of a figure together

/// Adds the surfaces of the meshes that were found, each file read once (io/mesh/foreign.h). What cannot be read, or is
/// too much, becomes a sentence of what is returned, and never keeps a robot from opening; so does a reading that is
/// cancelled.
std::vector<std::string> addMeshes(const std::vector<MeshReference>& meshes, const OpenContext& context, Skin& skin);

/// True for a relative path that stays below the folder it is taken from.
bool staysInFolder(const std::filesystem::path& path);

}  // namespace limber::io
