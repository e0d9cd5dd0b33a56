// SPDX-License-Identifier: MIT
// Files that hold no figure which Limber reads, told apart so that a message can say what to do with them.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "limber/io/base/result.h"

namespace limber::io {

/// True for the text that a clone has in the place of a file of Git LFS that was not fetched.
bool isLfsPointer(std::string_view bytes);

/// What the file is and what to open in its place, as an error: "is a Blender file: export ...". Nothing for a file
/// that a format of figures or JSON knows by its contents, and for one that is none of those in the table. Contents
/// that stand in for a file (a page of the web, a pointer of Git LFS) precede the ending of the name, and that other
/// contents.
std::optional<Error> findUnread(std::string_view bytes, const std::filesystem::path& path);

}  // namespace limber::io
