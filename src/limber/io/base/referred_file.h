// SPDX-License-Identifier: MIT
// What a file refers to by a URI: bytes in the URI itself, or another file near it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "limber/io/base/open_context.h"
#include "limber/io/base/result.h"

namespace limber::io {

/// A path without its root and the ".." that it begins with: what it is below some folder.
std::filesystem::path withoutLeading(const std::filesystem::path& path);

/// Such a URI of any bytes.
std::string makeDataUri(std::string_view bytes);

/// The file that a URI names relative to the folder of `from`. It must stand within that folder, links followed, unless
/// the context lets it leave. What is not there is looked for in context.folders, by the path without the ".." that it
/// begins with, then by its name alone. Schemes are refused. Errors as readDataUri's; their `missing` holds the name of
/// a file that was not found.
Result<std::filesystem::path> findUri(std::string_view uri, const std::filesystem::path& from,
                                      const OpenContext& context);

/// The bytes of a data URI, or of the file that findUri finds. Errors as there.
Result<std::string> readUri(std::string_view uri, const std::filesystem::path& from, const OpenContext& context,
                            std::uintmax_t maxBytes);

}  // namespace limber::io
