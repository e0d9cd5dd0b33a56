// SPDX-License-Identifier: MIT
// Recognises files that hold no figure that Limber reads, so that a message can say what to do with them.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "limber/io/base/result.h"

namespace limber::io {

/// True for a pointer of Git LFS, which a clone has instead of a file that was not fetched.
bool isLfsPointer(std::string_view bytes);

/// The kind of the file and what to open instead, as an error: "is a Blender file: export ...". Nothing for a file that
/// has the contents of a known figure format or of JSON other than key points, and for one of unknown format. Contents
/// in place of a file (a web page, a pointer of Git LFS) take precedence over the ending of the name, which takes
/// precedence over other contents.
std::optional<Error> findUnread(std::string_view bytes, const std::filesystem::path& path);

}  // namespace limber::io
