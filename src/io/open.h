// SPDX-License-Identifier: MIT
// Anything that Limber can open, as a document: what window and command line do with a name they are given.
#pragma once

#include <string>
#include <vector>

#include "io/result.h"
#include "scene/document.h"

namespace limber::io {

enum class FileKind { StandardFigure, Figure, Scene, Problem, Motion };

struct Opened {
  Document document;
  FileKind kind = FileKind::Figure;
  std::vector<std::string> notes;  ///< what a reader guessed, one sentence each; often empty
};

/// planar:N, ball:N, arm, humanoid; or a path to a scene (.limber), a figure or problem (.json) or a motion (.bvh). The
/// contents decide, not the name's ending.
Result<Opened> openAny(const std::string& nameOrPath);

}  // namespace limber::io
