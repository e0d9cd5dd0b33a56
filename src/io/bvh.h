// SPDX-License-Identifier: MIT
// BVH motion files: a skeleton and raw channel values. The format has no written standard; the choices made here are
// in docs/formats.md. Lengths become metres, the file's up axis the scene's y; Figure::fileFrame() keeps both.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/figure_json.h"
#include "io/result.h"
#include "scene/motion.h"

namespace limber::io {

struct BvhFile {
  FigurePointer figure;
  std::shared_ptr<const Motion> motion;
  std::vector<std::string> notes;  ///< what was guessed (unit, up axis) or left out, one sentence each
};

/// `file` is the name that errors carry.
Result<BvhFile> parseBvh(std::string_view text, const std::string& file);
Result<BvhFile> readBvh(const std::filesystem::path& path);

}  // namespace limber::io
