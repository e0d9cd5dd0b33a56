// SPDX-License-Identifier: MIT
// Anything that Limber can open, as a document: what window and command line do with a name they are given.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "limber/io/base/result.h"
#include "limber/io/figure_source.h"
#include "limber/scene/document.h"

namespace limber::io {

enum class FileKind { StandardFigure, Figure, Scene, Problem, Import };

struct Opened {
  Document document;
  FileKind kind = FileKind::Figure;
  std::string_view format = "Limber figure";  ///< of an import, for people: "BVH motion"
  std::vector<std::string> notes;  ///< what a reader guessed, one sentence each; often empty
  /// Files that the figure's file names and that were not found, as it names them: a folder that holds them can be
  /// pointed at (OpenContext::folders).
  std::vector<std::string> missing = {};
};

/// The document of a figure that was read: with its motion, skin and file.
Document documentOf(const FigureSource& source);

/// planar:N, ball:N, arm, humanoid; or a path to a scene (.limber), a figure or problem (.json), or a file of another
/// program's format (figure_formats.h). The contents decide, then the name's ending.
Result<Opened> openAny(const std::string& nameOrPath, const OpenContext& context = {});

}  // namespace limber::io
