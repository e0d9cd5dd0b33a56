// SPDX-License-Identifier: MIT
// The formats for exporting poses and motions. A new format is a line of the table in export_formats.cpp, from which
// the window's dialog, `limber convert` and its help take it.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limber/io/base/result.h"
#include "limber/scene/document.h"

namespace limber::io {

/// A file that the exported file refers to, in the same folder.
struct FileBeside {
  std::string name;
  std::string bytes;
};

struct Exported {
  std::string bytes;
  std::vector<FileBeside> beside;
  std::vector<std::string> notes;  ///< what the format cannot represent, one sentence each
};

struct ExportFormat {
  std::string_view name;    ///< for people: "BVH motion"
  std::string_view ending;  ///< of file names, with the dot, lower case
  /// False when the document has nothing to write in this format, or its figure did not come from such a file.
  bool (*fits)(const Document& document);
  /// True for a format of motions whose files hold only one motion.
  bool holdsOneMotion;
  /// The contents of a file at `path`; nothing is written.
  Result<Exported> (*write)(const Document& document, const std::filesystem::path& path);
  // For the table of docs/formats.md, which `limber formats` prints.
  std::string_view kept;     ///< what is written
  std::string_view leftOut;  ///< what is not
};

std::span<const ExportFormat> exportFormats();

/// The format by the ending of the file's name; null for none.
const ExportFormat* findExportFormat(const std::filesystem::path& path);

/// The error of exportFile if the name has the ending of no format.
std::optional<Error> findEndingFault(const std::filesystem::path& path);

/// Writes the file in the format of its ending, after the files that it refers to; each is written atomically. When
/// `path` is a new file, none of the others may exist already. Returns the notes, or an error that names the file.
Result<std::vector<std::string>> exportFile(const Document& document, const std::filesystem::path& path);

}  // namespace limber::io
