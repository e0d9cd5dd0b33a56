// SPDX-License-Identifier: MIT
// Models of MuJoCo (MJCF): bodies nested in one another, z up, metres. What is taken and what is left out is in
// docs/formats.md.
#pragma once

#include <filesystem>
#include <string_view>

#include "limber/io/figure_source.h"

namespace limber::io {

/// True when the first element is <mujoco>.
bool looksLikeMjcf(std::string_view text);

/// The model with the surfaces of its simple geoms. A link of a body's name has the body's frame; scalar coordinates
/// are those of MuJoCo's qpos. Several joints of a body, or one that stands off its origin, are links BODY/JOINT above
/// it. Notes say what was left out; files that the model includes are read with it.
Result<FigureSource> readMjcf(std::string_view text, const std::filesystem::path& path,
                              const OpenContext& context = {});

}  // namespace limber::io
