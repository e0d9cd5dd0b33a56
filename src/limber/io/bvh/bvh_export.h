// SPDX-License-Identifier: MIT
// Motions as BVH.
#pragma once

#include <string>
#include <vector>

#include "limber/io/base/result.h"
#include "limber/scene/document.h"

namespace limber::io {

struct BvhExport {
  std::string text;
  std::vector<std::string> notes;  ///< what the format cannot say, one sentence each
};

/// The document's take (scene/take.h). A figure that came from a BVH file and has kept its bones goes back into that
/// file's own text: hierarchy, order of channels, spaces and every number that has not changed stay to the letter. Any
/// other figure is written with a hierarchy of its own: the rest pose has all rotations zero, in the axes and the unit
/// of the figure's file.
Result<BvhExport> formatBvh(const Document& document);

}  // namespace limber::io
