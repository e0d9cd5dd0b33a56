// SPDX-License-Identifier: MIT
// Where a figure can come from: a standard one by its name, a Limber figure, a BVH file.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/figure_json.h"
#include "io/result.h"
#include "scene/motion.h"

namespace limber::io {

struct FigureSource {
  FigurePointer figure;
  std::shared_ptr<const Motion> motion;  ///< null unless the file had one
  std::vector<std::string> notes;        ///< for people, one sentence each
};

/// True for "planar:...", "ball:..." and "humanoid", whether sound or not: these never mean a file.
bool isStandardFigure(const std::string& name);

/// planar:N and ball:N with 1 <= N <= kMaxChainLinks, arm, humanoid.
Result<FigureSource> openStandardFigure(const std::string& name);

/// True when the text begins as BVH files do.
bool looksLikeBvh(std::string_view text);

/// A standard figure, or a figure or BVH file; a relative path is taken from `folder`.
Result<FigureSource> openFigureSource(const std::string& nameOrPath, const std::filesystem::path& folder);

}  // namespace limber::io
