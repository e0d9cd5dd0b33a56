// SPDX-License-Identifier: MIT
// Acclaim's files of motion capture: a skeleton (ASF), and motions for it (AMC). Lengths are converted to metres and
// the file's up axis to y; Figure::fileFrame() has both.
#pragma once

#include <filesystem>
#include <string_view>

#include "limber/io/figure_source.h"

namespace limber::io {

bool looksLikeAsf(std::string_view text);
bool looksLikeAmc(std::string_view text);

/// The skeleton, with the motion of the same name (.amc) if one is beside it.
Result<FigureSource> readAsf(std::string_view text, const std::filesystem::path& path, const OpenContext& context = {});

/// A motion with its skeleton: the .asf beside it, or in one of the context's folders, of its name ("02_01"), of its
/// name up to the last underscore ("02"), or the only one there.
Result<FigureSource> readAmc(std::string_view text, const std::filesystem::path& path, const OpenContext& context = {});

}  // namespace limber::io
