// SPDX-License-Identifier: MIT
// BVH motion files, read and written: a skeleton and channel values. The format has no written standard;
// docs/formats.md has the choices made here. Lengths are converted to metres and the file's up axis to y;
// Figure::fileFrame() has both.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "limber/io/export_formats.h"
#include "limber/io/figure_source.h"

namespace limber::io {

/// True when the text begins like a BVH file.
bool looksLikeBvh(std::string_view text);

/// The skeleton, its motion and the text itself. Notes name what was guessed (unit, up axis) or left out.
Result<FigureSource> readBvh(std::string_view text, const std::filesystem::path& path, const OpenContext& context = {});

/// True for a document from a BVH file whose text is at hand.
bool hasOffsetRule(const Document& document);
/// The fault for a document of another kind.
inline constexpr std::string_view kNoOffsetRule = "only a BVH file has position channels that can replace OFFSET";

/// Reads the document's file again by another rule. Places of joints, their shapes, the rest pose and the motion
/// change; names, limits, goals and keys stay. A guessed unit is guessed again. Returns the reason on failure, else
/// nothing.
std::string changeOffsetRule(Document& document, OffsetRule rule);

/// The document's take (scene/document.h) as BVH. A figure from a BVH file whose bones are unchanged is written into
/// the text of that file: hierarchy, order of channels, white space and unchanged numbers stay byte for byte. For other
/// figures a new hierarchy is written, in the axes and the unit of the figure's file, with all rotations zero in the
/// rest pose.
Result<Exported> formatBvh(const Document& document);

}  // namespace limber::io
