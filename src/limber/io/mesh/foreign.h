// SPDX-License-Identifier: MIT
// Formats that assimp reads (FBX, Collada; meshes in STL, OBJ, Collada). A child process with limits of memory and time
// converts them to GLB, so that a crash of the library becomes an error message.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "limber/io/figure_source.h"
#include "limber/problem/obstacle.h"

namespace limber::io {

bool looksLikeFbx(std::string_view bytes);
bool looksLikeCollada(std::string_view bytes);

/// The figure, skin and motion of an FBX or Collada file. Its poses are exported as GLB.
Result<FigureSource> readForeign(std::string_view bytes, const std::filesystem::path& path, const OpenContext& context);

/// The surfaces of each mesh file, in its own axes and unit, with one bone: link 0, identity. Each file has its own
/// error; the others are still read.
std::vector<Result<std::shared_ptr<const Skin>>> readMeshes(std::span<const std::filesystem::path> paths,
                                                            const OpenContext& context);

/// A mesh file as an obstacle: the surface is shown, and its convex hull is the obstacle. A polyhedron with the file's
/// name, axes and numbers, which are taken for metres. Reads OBJ, STL and Collada. Errors: as above, and a surface that
/// spans no volume.
Result<Obstacle> readProp(const std::filesystem::path& path, const OpenContext& context = {});

}  // namespace limber::io
