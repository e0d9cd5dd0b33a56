// SPDX-License-Identifier: MIT
#include "limber/kinematics/open_loops.h"

namespace limber {

std::vector<OpenLoop> openLoopsOf(const Figure& figure, const Kinematics& kinematics) {
  std::vector<OpenLoop> open;
  for (const LoopClosure& loop : figure.loops())
    if (const LoopGap gap = gapOf(loop, kinematics); !gap.isClosed()) open.push_back({loop.name, gap});
  return open;
}

}  // namespace limber
