// SPDX-License-Identifier: MIT
// A thing of another program as an obstacle: its surface is shown, the convex hull around it is kept out of.
#pragma once

#include <filesystem>

#include "limber/io/base/open_context.h"
#include "limber/io/base/result.h"
#include "limber/problem/obstacle.h"

namespace limber::io {

/// A polyhedron named like the file, in the file's own axes, its unit taken for a metre; OBJ, STL and Collada
/// (io/mesh/foreign.h). Refused, with the cause, where the surface spans no volume.
Result<Obstacle> readProp(const std::filesystem::path& path, const OpenContext& context = {});

}  // namespace limber::io
