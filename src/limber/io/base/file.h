// SPDX-License-Identifier: MIT
// Whole files in and out. What is read is bounded; what is written is either all there or not there at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "limber/io/base/result.h"

namespace limber::io {

inline constexpr std::uintmax_t kMaxFileBytes = 512u << 20;

/// The bytes of a regular file or a pipe. Fails on a missing file, a directory, a device, no permission, and more
/// than `maxBytes`, naming which.
Result<std::string> readFile(const std::filesystem::path& path, std::uintmax_t maxBytes = kMaxFileBytes);

/// Why readFile will fail on such a file, as far as can be told without reading it; nothing where it should not.
std::optional<Error> findAccessFault(const std::filesystem::path& path, std::uintmax_t maxBytes = kMaxFileBytes);

/// Writes a temporary file beside `path`, flushes it to the disk and renames it, so that a crash or a full disk
/// leaves the old file as it was, and nothing else where the file system has files without a name. Keeps the permissions
/// of a file that exists; a symbolic link stays one and its target is replaced; a pipe or terminal is written to directly.
/// Nothing when all went well.
std::optional<Error> writeFileAtomically(const std::filesystem::path& path, std::string_view bytes);

}  // namespace limber::io
