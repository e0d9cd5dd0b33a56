// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "limber/kinematics/loops.h"

namespace limber {

/// A loop that a pose does not close, and its gap.
struct OpenLoop {
  std::string name = {};
  LoopGap gap = {};
  bool operator==(const OpenLoop&) const = default;
};
std::vector<OpenLoop> openLoopsOf(const Figure& figure, const Kinematics& kinematics);

}  // namespace limber
