// SPDX-License-Identifier: MIT
// The formats in which a pose or motion goes home. A new one is a line of the table in export_formats.cpp; the window's
// dialog, `limber convert` and its help read it from there.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limber/io/base/result.h"
#include "limber/scene/document.h"

namespace limber::io {

/// A file that the exported one speaks of, in the same folder.
struct FileBeside {
  std::string name;
  std::string bytes;
};

struct Exported {
  std::string bytes;
  std::vector<FileBeside> beside;
  std::vector<std::string> notes;  ///< what the format cannot say, one sentence each
};

struct ExportFormat {
  std::string_view name;    ///< for people: "BVH motion"
  std::string_view ending;  ///< of file names, with the dot, lower case
  /// False for a figure that has nothing to write, or did not come from such a file.
  bool (*fits)(const Document& document);
  /// path: where it will stand; nothing is written there.
  Result<Exported> (*write)(const Document& document, const std::filesystem::path& path);
};

std::span<const ExportFormat> exportFormats();

/// By the ending of a file's name; null for none.
const ExportFormat* findExportFormat(const std::filesystem::path& path);

/// Writes the file atomically, in the format of its ending, after those beside it. A new file never replaces others
/// beside it: what is in the way is named. The notes, or what went wrong, naming the file.
Result<std::vector<std::string>> exportFile(const Document& document, const std::filesystem::path& path);

}  // namespace limber::io
