// SPDX-License-Identifier: MIT
// Mesh files as obstacles: the surface is shown, and its convex hull is the obstacle.
#pragma once

#include <filesystem>

#include "limber/io/base/open_context.h"
#include "limber/io/base/result.h"
#include "limber/problem/obstacle.h"

namespace limber::io {

/// A polyhedron with the file's name, axes and numbers, which are taken for metres. Reads OBJ, STL and Collada
/// (io/mesh/foreign.h). Errors: as there, and a surface that spans no volume.
Result<Obstacle> readProp(const std::filesystem::path& path, const OpenContext& context = {});

}  // namespace limber::io
