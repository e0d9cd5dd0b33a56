// SPDX-License-Identifier: MIT
// The formats of other programs that hold a figure. A new one is a line of the table in figure_formats.cpp; opening,
// the file dialog and the help read it from there.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "limber/io/figure_source.h"

namespace limber::io {

struct FigureFormat {
  std::string_view name;                       ///< for people: "BVH motion"
  std::vector<std::string_view> endings;       ///< of file names, with the dot, lower case
  bool (*looksLike)(std::string_view bytes);   ///< tells by the contents, quickly
  /// `path` is what errors carry, and from whose folder other files are looked for.
  Result<FigureSource> (*read)(std::string_view bytes, const std::filesystem::path& path, const OpenContext& context);
};

std::span<const FigureFormat> figureFormats();

/// The format of a file: by its contents, else by the ending of its name; null for none.
const FigureFormat* findFigureFormat(std::string_view bytes, const std::filesystem::path& path);

/// Of a file name, with the dot, lower case: ".bvh".
std::string endingOf(const std::filesystem::path& path);

}  // namespace limber::io
