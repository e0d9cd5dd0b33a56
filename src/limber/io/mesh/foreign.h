// SPDX-License-Identifier: MIT
// Formats that another library reads (FBX, Collada; meshes in STL, OBJ, Collada): in a child process of this program,
// with limits of memory and time, which turns them into GLB. What crashes there is an error message here.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "limber/io/figure_source.h"

namespace limber::io {

bool looksLikeFbx(std::string_view bytes);
bool looksLikeCollada(std::string_view bytes);

/// The figure, skin and motion of an FBX or Collada file. It goes home as GLB.
Result<FigureSource> readForeign(std::string_view bytes, const std::filesystem::path& path, const OpenContext& context);

/// The surfaces of each mesh file, in its own axes and unit, each with one bone: link 0, identity. One file that cannot
/// be read does not keep the others from being read.
std::vector<Result<std::shared_ptr<const Skin>>> readMeshes(std::span<const std::filesystem::path> paths,
                                                            const OpenContext& context);

}  // namespace limber::io
