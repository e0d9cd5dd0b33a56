// SPDX-License-Identifier: MIT
// Figures by name: standard figures, and files of all formats that contain a figure.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "limber/io/base/open_context.h"
#include "limber/io/base/result.h"
#include "limber/io/json/figure_json.h"
#include "limber/scene/document.h"

namespace limber::io {

/// The result of all readers of figures.
struct FigureSource {
  FigurePointer figure;
  std::shared_ptr<const Motion> motion;              ///< null unless the file had one
  std::vector<std::shared_ptr<const Motion>> clips;  ///< all motions, including `motion`, when there are several
  std::shared_ptr<const Skin> skin;                  ///< null unless the file had one
  std::shared_ptr<const SourceFile> file;            ///< null unless poses can be written back into it
  std::vector<std::string> missing;                  ///< files that were not found, as the file names them, each once
  std::vector<std::string> notes;                    ///< what was guessed or left out, one sentence each
  std::string_view format = "Limber figure";         ///< for people
};

/// True for "planar:...", "ball:...", "arm", "human", "human:...", "human-without-fingers..." and "humanoid", even if
/// the parameters are invalid: these never name a file.
bool isStandardFigure(const std::string& name);

/// The figures planar:N and ball:N with 1 <= N <= kMaxChainLinks, arm, humanoid, and those of io/human.h.
Result<FigureSource> openStandardFigure(const std::string& name);

/// A standard figure, or the figure of a file of any format. Relative paths start from `folder`.
Result<FigureSource> openFigureSource(const std::string& nameOrPath, const std::filesystem::path& folder,
                                      const OpenContext& context = {});

/// True when two figures have equal links and joint frames in file units, so that the file of one fits the other.
/// Names, limits, masses, sites and the scale from file units to metres may differ.
bool hasSameBones(const Figure& a, const Figure& b);

}  // namespace limber::io
