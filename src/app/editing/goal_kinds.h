// SPDX-License-Identifier: MIT
// The types of goals in words, and which of a goal's numbers each goes by: one table for menus, panels and messages.
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
  int axes;                 ///< of its frame that count: 0, x, or x and y
  bool target;              ///< the target's place
  const char* targetAxis;   ///< what the target frame's x is: "Normal", "Line along"; empty when it has no part
  bool share;               ///< positionShare counts
  bool distance;
  bool other;               ///< may name another link

  bool hasEndEffector() const { return point || axes > 0; }
};

/// In the order of GoalType.
std::span<const GoalKind> goalKinds();
const GoalKind& kindOf(GoalType type);

/// Its name, or "goal 3" for one without.
std::string titleOf(const GoalItem& goal);

}  // namespace limber::app
