// SPDX-License-Identifier: MIT
// Acclaim motion capture files: a skeleton (ASF), and motions for it (AMC). Lengths are converted to metres and the
// file's up axis to y; Figure::fileFrame() has both.
#pragma once

#include <filesystem>
#include <string_view>

#include "limber/io/figure_source.h"

namespace limber::io {

bool looksLikeAsf(std::string_view text);
bool looksLikeAmc(std::string_view text);

/// The skeleton, with the motion of the same name (.amc) if its folder has one.
Result<FigureSource> readAsf(std::string_view text, const std::filesystem::path& path, const OpenContext& context = {});

/// A motion with its skeleton, a file in its folder or in one of the context's folders: the .asf with the motion's name
/// ("02_01"), else with the name up to the last underscore ("02"), else the only .asf of a folder.
Result<FigureSource> readAmc(std::string_view text, const std::filesystem::path& path, const OpenContext& context = {});

}  // namespace limber::io
