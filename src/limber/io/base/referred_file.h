// SPDX-License-Identifier: MIT
// Data that a file refers to by a URI: bytes in the URI itself (data:), or another file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "limber/io/base/open_context.h"
#include "limber/io/base/result.h"

namespace limber::io {

/// A path without its root and its leading "..": a path relative to some folder.
std::filesystem::path withoutLeading(const std::filesystem::path& path);

/// A URI with its percent-encoding decoded; a % without two hexadecimal digits is kept.
std::string percentDecoded(std::string_view text);

/// A data URI with these bytes.
std::string makeDataUri(std::string_view bytes);

/// The file that a URI names, relative to the folder of `from`. It must be inside that folder after symbolic links are
/// resolved, unless context.mayLeaveFolder. A file that is not there is searched in context.folders, first by its path
/// without leading "..", then by its name alone. URIs with a scheme are refused. Errors have a cause only; `missing`
/// holds the name of a file that was not found.
Result<std::filesystem::path> findUri(std::string_view uri, const std::filesystem::path& from,
                                      const OpenContext& context);

/// The bytes of a data URI, or of the file that findUri finds. Errors as findUri.
Result<std::string> readUri(std::string_view uri, const std::filesystem::path& from, const OpenContext& context,
                            std::uintmax_t maxBytes);

}  // namespace limber::io
