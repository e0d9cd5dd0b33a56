// SPDX-License-Identifier: MIT
// The shell of a reachable workspace as PLY, for other programs.
#pragma once

#include <span>
#include <string>

#include "limber/scene/reach_shell.h"

namespace limber::io {

/// ASCII, metres, y up, the scene's axes: vertices with normals, triangles counterclockwise from outside, each with
/// "beyond": 0 what lies beyond was not found to be reachable, 1 it is proved to be unreachable, 2 nothing lies beyond,
/// the triangle fills the area of a plane. comments: a line each.
std::string formatPly(const ReachShell& shell, std::span<const std::string> comments);

}  // namespace limber::io
