// SPDX-License-Identifier: MIT
// Robots in URDF: links and joints in one tree, z up, metres. What is taken and what is left out is in docs/formats.md.
#pragma once

#include <filesystem>
#include <string_view>

#include "limber/io/figure_source.h"

namespace limber::io {

/// True when the first element is <robot>.
bool looksLikeUrdf(std::string_view text);

/// The robot with its surfaces; notes say what was guessed or left out, and which meshes were not found. Fails on more
/// than one root, cycles, links that are missing or have two parents, names that occur twice, joints without an axis,
/// and xacro that was not expanded.
Result<FigureSource> readUrdf(std::string_view text, const std::filesystem::path& path,
                              const OpenContext& context = {});

}  // namespace limber::io
