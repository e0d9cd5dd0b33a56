// SPDX-License-Identifier: MIT
// BVH motion files: a skeleton and channel values. The format has no written standard; docs/formats.md has the choices
// made here. Lengths are converted to metres and the file's up axis to y; Figure::fileFrame() has both.
#pragma once

#include <filesystem>
#include <string_view>

#include "limber/io/figure_source.h"

namespace limber::io {

/// True when the text begins like a BVH file.
bool looksLikeBvh(std::string_view text);

/// The skeleton, its motion and the text itself. Notes name what was guessed (unit, up axis) or left out.
Result<FigureSource> readBvh(std::string_view text, const std::filesystem::path& path, const OpenContext& context = {});

}  // namespace limber::io
