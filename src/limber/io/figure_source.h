// SPDX-License-Identifier: MIT
// Where a figure can come from: a standard one by its name, or a file of any format that holds one.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "limber/io/base/open_context.h"
#include "limber/io/base/result.h"
#include "limber/io/json/figure_json.h"
#include "limber/scene/motion.h"
#include "limber/scene/skin.h"
#include "limber/scene/source_file.h"

namespace limber::io {

/// What every reader of figures returns.
struct FigureSource {
  FigurePointer figure;
  std::shared_ptr<const Motion> motion;      ///< null unless the file had one
  std::vector<std::shared_ptr<const Motion>> clips;  ///< all, `motion` among them, when there are several
  std::shared_ptr<const Skin> skin;          ///< null unless the file had one
  std::vector<std::string> boneOfLink;       ///< IkProblem::boneOfLink
  std::shared_ptr<const SourceFile> file;    ///< null unless a pose can go back into it
  std::vector<std::string> missing;  ///< files that it names and that were not found, each once, as it names them
  std::vector<std::string> notes;            ///< what was guessed or left out, for people, one sentence each
  std::string_view format = "Limber figure"; ///< for people
};

/// True for "planar:...", "ball:...", "arm", "human", "human:...", "human-without-fingers..." and "humanoid", whether
/// sound or not: these never mean a file.
bool isStandardFigure(const std::string& name);

/// planar:N and ball:N with 1 <= N <= kMaxChainLinks, arm, humanoid, and the humans of io/human.h.
Result<FigureSource> openStandardFigure(const std::string& name);

/// A standard figure, or a file of any format; a relative path is taken from `folder`.
Result<FigureSource> openFigureSource(const std::string& nameOrPath, const std::filesystem::path& folder,
                                      const OpenContext& context = {});

}  // namespace limber::io
