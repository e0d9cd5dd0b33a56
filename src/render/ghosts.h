// SPDX-License-Identifier: MIT
// Ghosts: the same figure in other poses, translucent. They cast no shadow, cannot be picked and do not count for
// framing. Only what of them differs visibly is drawn.
#pragma once

#include <span>

#include "render/draw_list.h"

namespace limber::render {

struct Ghost {
  const Kinematics* kinematics = nullptr;  ///< of its pose
  Color color;                             ///< with alpha
};

/// True when a link of the one stands farther than `tolerance` (metres) from where it stands in the other.
bool differs(const Figure& figure, const Kinematics& a, const Kinematics& b, double tolerance);

/// Appends the links of every ghost that differ from those of the figure itself, and from the ghosts before it, by more
/// than `tolerance` metres at one of their ends. Cost: links times ghosts squared; for figures of more than
/// kClutterLinks links, ghosts are not compared with each other.
void appendGhosts(const Figure& figure, const Kinematics& kinematics, std::span<const Ghost> ghosts, double tolerance,
                  DrawList& list);

}  // namespace limber::render
