// SPDX-License-Identifier: MIT
// Whole files: bounded reads and atomic writes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "limber/io/base/platform.h"
#include "limber/io/base/result.h"

namespace limber::io {

inline constexpr std::uintmax_t kMaxFileBytes = 512u << 20;

/// The bytes of a regular file, or of a pipe that this process was given (/dev/stdin). Errors: the file is missing, is
/// something else, may not be read, has more than `maxBytes`, or ReadingLimits exclude it. All readers of files that a
/// user names, or that such a file refers to, call this function or openToRead.
Result<std::string> readFile(const std::filesystem::path& path, std::uintmax_t maxBytes = kMaxFileBytes);

/// The error that readFile would return, as far as it can be found without reading the file.
std::optional<Error> findAccessFault(const std::filesystem::path& path, std::uintmax_t maxBytes = kMaxFileBytes);

/// Opens a file for reading it in pieces. Errors as of readFile.
Result<platform::File> openToRead(const std::filesystem::path& path, std::uintmax_t maxBytes = kMaxFileBytes);

/// Whether `path` is `folder` or inside it, after symbolic links and ".." are resolved.
bool isInFolder(const std::filesystem::path& path, const std::filesystem::path& folder);

/// During its lifetime, this process reads no pipes, and with a root only files inside that folder and Limber's own
/// resources. For a program that opens files for others. At most one exists; make it before other threads read.
class ReadingLimits {
 public:
  explicit ReadingLimits(const std::optional<std::filesystem::path>& root);
  ~ReadingLimits();
  ReadingLimits(const ReadingLimits&) = delete;
  ReadingLimits& operator=(const ReadingLimits&) = delete;
};

/// Writes a temporary file in the folder of `path`, flushes it to the disk and renames it, so that a crash or a full
/// disk leaves the old file unchanged. No temporary file is left on file systems that support unnamed files. An
/// existing file keeps its permissions. A symbolic link is kept and its target replaced. Pipes and terminals are
/// written directly. Returns no error on success.
std::optional<Error> writeFileAtomically(const std::filesystem::path& path, std::string_view bytes);

/// The same for a file that is written piece by piece; it appears when it is committed. Errors as writeFileAtomically.
Result<std::unique_ptr<platform::FileReplacement>> beginFile(const std::filesystem::path& path);

}  // namespace limber::io
