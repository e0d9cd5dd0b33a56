// SPDX-License-Identifier: MIT
// Formats of other programs for figures. A new format is a line of the table in figure_formats.cpp, from which opening,
// the file dialog and the help take it.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "limber/io/figure_source.h"

namespace limber::io {

struct FigureFormat {
  std::string_view name;                      ///< for people: "BVH motion"
  std::vector<std::string_view> endings;      ///< of file names, with the dot, lower case
  bool (*looksLike)(std::string_view bytes);  ///< a quick test of the contents
  /// `path` is the name for errors; other files are searched from its folder.
  Result<FigureSource> (*read)(std::string_view bytes, const std::filesystem::path& path, const OpenContext& context);
  // For the table of docs/formats.md, which `limber formats` prints.
  std::string_view kept;     ///< what is read
  std::string_view leftOut;  ///< what is not
};

std::span<const FigureFormat> figureFormats();

/// The format of a file, judged only by its contents; null for none.
const FigureFormat* findFigureFormatByContents(std::string_view bytes);

/// The format of a file by its contents, else by the ending of its name; null for none.
const FigureFormat* findFigureFormat(std::string_view bytes, const std::filesystem::path& path);

/// The ending of a file name, with the dot, in lower case: ".bvh".
std::string endingOf(const std::filesystem::path& path);

}  // namespace limber::io
