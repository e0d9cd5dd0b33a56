// SPDX-License-Identifier: MIT
// Ghosts: the figure in other poses, translucent. They cast no shadow and do not count for framing; those of frames can
// be clicked. Only links that visibly differ are drawn, those without capsules as rods between their joints.
#pragma once

#include <span>

#include "render/draw_list.h"

namespace limber::render {

struct Ghost {
  const Kinematics* kinematics = nullptr;  ///< of its pose
  Color color;                             ///< with alpha
  int frame = -1;                          ///< to which a click goes; -1 for none
};

/// True if the end of a capsule differs by more than `tolerance` metres between two poses.
bool differs(const Figure& figure, const Kinematics& a, const Kinematics& b, double tolerance);

/// Appends the capsules of every ghost that differ, by more than `tolerance` metres at one of their ends, from the
/// figure's and from those of the ghosts before it. Cost: links times ghosts squared; ghosts of figures with more than
/// kClutterLinks links are not compared with each other.
void appendGhosts(const Figure& figure, const Kinematics& kinematics, std::span<const Ghost> ghosts, double tolerance,
                  DrawList& list);

}  // namespace limber::render
