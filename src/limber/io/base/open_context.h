// SPDX-License-Identifier: MIT
// How a file is opened: who is told how far it is, and where it may look for other files.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "limber/scene/base.h"

namespace limber::io {

struct OpenContext {
  /// Called now and then from the thread that opens, with the part that is done, in [0, 1], and what is being done.
  /// False ends the opening with an error of cause kCancelled. May be empty.
  std::function<bool(double part, std::string_view what)> progress;
  /// Where to look for files that a file speaks of, beside its own folder and those above it: package roots.
  std::vector<std::filesystem::path> folders;
  /// Whether the base of a robot is free; in place of what a problem says.
  std::optional<BaseChoice> base;
  /// Lets a file refer to places outside its own folder (absolute paths, "..").
  bool mayLeaveFolder = false;

  bool goesOn(double part, std::string_view what) const { return !progress || progress(part, what); }
};

inline constexpr std::string_view kCancelled = "cancelled";

}  // namespace limber::io
