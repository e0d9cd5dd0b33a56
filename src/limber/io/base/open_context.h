// SPDX-License-Identifier: MIT
// How a file is opened: progress and cancellation, and the folders in which files that it refers to are found.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/scene/base.h"

namespace limber::io {

struct OpenContext {
  /// Called repeatedly, on the thread that opens the file, with the completed fraction in [0, 1] and the present step.
  /// Returning false cancels with an error of cause kCancelled. May be empty.
  std::function<bool(double part, std::string_view what)> progress;
  /// Package roots: where to look for files that a file refers to, after its own folder and those above it.
  std::vector<std::filesystem::path> folders;
  /// Whether the base of a robot is free; overrides a problem's own choice.
  std::optional<BaseChoice> base;
  /// Whether position channels of a BVH file replace OFFSET or are added to it; overrides a scene's own choice.
  std::optional<OffsetRule> offsetRule;
  /// Which of a file's motions is shown, by its name or its number from 1; empty: the first, or the one of a scene.
  std::string motion = {};
  /// Feet that stand in a motion stand in it, too, when it is put onto another body (scene/held_stances.h).
  bool holdsStances = true;
  /// Allows references to files outside the file's own folder (absolute paths, "..").
  bool mayLeaveFolder = false;

  bool goesOn(double part, std::string_view what) const { return !progress || progress(part, what); }
};

inline constexpr std::string_view kCancelled = "cancelled";

}  // namespace limber::io
