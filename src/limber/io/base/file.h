// SPDX-License-Identifier: MIT
// Whole files: bounded reads and atomic writes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "limber/io/base/result.h"

namespace limber::io {

inline constexpr std::uintmax_t kMaxFileBytes = 512u << 20;

/// The bytes of a regular file or a pipe. Errors: the file is missing, a directory or a device, may not be read, or has
/// more than `maxBytes`.
Result<std::string> readFile(const std::filesystem::path& path, std::uintmax_t maxBytes = kMaxFileBytes);

/// The error that readFile would return, as far as it can be found without reading the file.
std::optional<Error> findAccessFault(const std::filesystem::path& path, std::uintmax_t maxBytes = kMaxFileBytes);

/// Writes a temporary file in the folder of `path`, flushes it to the disk and renames it, so that a crash or a full
/// disk leaves the old file unchanged. No temporary file is left on file systems that support unnamed files. An
/// existing file keeps its permissions. A symbolic link is kept and its target replaced. Pipes and terminals are
/// written directly. Returns no error on success.
std::optional<Error> writeFileAtomically(const std::filesystem::path& path, std::string_view bytes);

}  // namespace limber::io
