// SPDX-License-Identifier: MIT
// BVH motion files, read and written: a skeleton and channel values. The format has no written standard;
// docs/formats.md has the choices made here. Lengths are converted to metres and the file's up axis to y;
// Figure::fileFrame() has both.
#pragma once

#include <filesystem>
#include <string_view>

#include "limber/io/export_formats.h"
#include "limber/io/figure_source.h"

namespace limber::io {

/// True when the text begins like a BVH file.
bool looksLikeBvh(std::string_view text);

/// The skeleton, its motion and the text itself. Notes name what was guessed (unit, up axis) or left out.
Result<FigureSource> readBvh(std::string_view text, const std::filesystem::path& path, const OpenContext& context = {});

/// The document's take (scene/document.h) as BVH. A figure from a BVH file whose bones are unchanged is written into
/// the text of that file: hierarchy, order of channels, white space and unchanged numbers stay byte for byte. For other
/// figures a new hierarchy is written, in the axes and the unit of the figure's file, with all rotations zero in the
/// rest pose.
Result<Exported> formatBvh(const Document& document);

}  // namespace limber::io
