// SPDX-License-Identifier: MIT
// Goal types in words, and which numbers of a goal each type uses: one table for menus, panels and messages.
#pragma once

#include <span>
#include <string>

#include "limber/scene/document.h"

namespace limber::app {

struct GoalKind {
  GoalType type;
  const char* name;         ///< "position and orientation"
  const char* about;        ///< one sentence
  bool point;               ///< of the end effector
  int axes;                 ///< of its frame that count: none, x, or x and y
  bool target;              ///< the target's place
  const char* targetAxis;   ///< label of the target frame's x, such as "Normal"; empty if it does not count
  bool share;               ///< positionShare counts
  bool distance;
  bool other;               ///< may name another link

  bool hasEndEffector() const { return point || axes > 0; }
};

/// In the order of GoalType.
std::span<const GoalKind> goalKinds();
const GoalKind& kindOf(GoalType type);

/// The name of the goal, or "goal 3" if it has none.
std::string titleOf(const GoalItem& goal);

}  // namespace limber::app
