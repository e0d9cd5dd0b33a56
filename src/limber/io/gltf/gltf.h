// SPDX-License-Identifier: MIT
// glTF 2.0 (.gltf, .glb) and VRM 0 and 1 (.vrm) as figures with skins. The choices made are in docs/formats.md.
#pragma once

#include <filesystem>
#include <string_view>

#include "limber/io/figure_source.h"
#include "limber/io/gltf/gltf_container.h"

namespace limber::io {

/// The figure of the file's scene with its skin, and the file itself; notes say what was guessed or left out. Buffers
/// and pictures in other files are looked for beside `path`.
Result<FigureSource> readGltf(std::string_view bytes, const std::filesystem::path& path,
                              const OpenContext& context = {});

}  // namespace limber::io
