// SPDX-License-Identifier: MIT
// Lists, filters and completes folders for the file browser, without a window.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limber::app {

struct FileFilter {
  std::string label;                         ///< "Motion (.bvh)"
  std::vector<std::string_view> extensions;  ///< with the dot, lower case; empty: every file
};

struct FileEntry {
  std::string name;
  bool isFolder = false;
  std::uintmax_t size = 0;  ///< bytes; 0 for folders
};

struct Listing {
  std::vector<FileEntry> entries;  ///< folders first, then by name without regard to case
  bool isCut = false;              ///< there are more entries
  std::string error;               ///< why the folder cannot be read; empty on success
};

inline constexpr std::size_t kMaxEntries = 2000;
inline constexpr std::size_t kMaxVisited = 20000;  ///< entries that are read, so that a huge folder cannot block

Listing listFolder(const std::filesystem::path& folder, const FileFilter& filter, bool showHidden);

bool passes(const FileFilter& filter, const std::string& name);

/// The path that typed text means in `folder`: "~" is the home, a relative path is inside the folder.
std::filesystem::path typedPath(const std::filesystem::path& folder, const std::string& typed);

/// The typed text, completed to the longest common start of the matching entries; a single folder gets a slash.
std::string complete(const std::filesystem::path& folder, const std::string& typed, bool showHidden);

/// The name with `extension`, which is appended if it is missing.
std::string withExtension(const std::string& name, std::string_view extension);

/// "1.4 MB"
std::string sizeText(std::uintmax_t bytes);

}  // namespace limber::app
