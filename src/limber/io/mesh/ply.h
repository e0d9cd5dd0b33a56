// SPDX-License-Identifier: MIT
// Writes the shell of a reachable workspace as PLY.
#pragma once

#include <span>
#include <string>

#include "limber/scene/reach_shell.h"

namespace limber::io {

/// ASCII PLY in metres and the scene's axes (y up): vertices with normals, and triangles, counterclockwise seen from
/// outside. The property "beyond" of a triangle is 0 where the space beyond was not found reachable, 1 where it is
/// proved unreachable, and 2 for a triangle inside the area of a planar workspace. Each of `comments` is one line.
std::string formatPly(const ReachShell& shell, std::span<const std::string> comments);

}  // namespace limber::io
