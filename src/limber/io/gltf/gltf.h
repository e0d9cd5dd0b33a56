// SPDX-License-Identifier: MIT
// glTF 2.0 (.gltf, .glb) and VRM 0 and 1 (.vrm) as figures with skins. docs/formats.md has the choices made.
#pragma once

#include <filesystem>
#include <string_view>

#include "limber/io/figure_source.h"
#include "limber/io/gltf/gltf_container.h"

namespace limber::io {

/// The figure and skin of the file's scene, and the file itself. Notes name what was guessed or left out. Buffers and
/// images in other files are searched relative to `path` (findUri()).
Result<FigureSource> readGltf(std::string_view bytes, const std::filesystem::path& path,
                              const OpenContext& context = {});

}  // namespace limber::io
