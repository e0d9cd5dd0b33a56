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
  std::vector<std::string> notes;  ///< what the format cannot represent, one sentence each
};

/// The document's take (scene/document.h) as BVH. A figure from a BVH file whose bones are unchanged is written into
/// the text of that file: hierarchy, order of channels, white space and unchanged numbers stay byte for byte. For other
/// figures a new hierarchy is written, in the axes and the unit of the figure's file, with all rotations zero in the
/// rest pose.
Result<BvhExport> formatBvh(const Document& document);

}  // namespace limber::io
