// SPDX-License-Identifier: MIT
// BVH motion files: a skeleton and raw channel values. The format has no written standard; the choices made here are
// in docs/formats.md. Lengths become metres, the file's up axis the scene's y; Figure::fileFrame() keeps both.
#pragma once

#include <filesystem>
#include <string_view>

#include "limber/io/figure_source.h"

namespace limber::io {

/// True when the text begins as BVH files do.
bool looksLikeBvh(std::string_view text);

/// The skeleton with its motion, and the text itself; notes say what was guessed (unit, up axis) or left out.
Result<FigureSource> readBvh(std::string_view text, const std::filesystem::path& path, const OpenContext& context = {});

}  // namespace limber::io
