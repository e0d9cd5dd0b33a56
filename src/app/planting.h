// SPDX-License-Identifier: MIT
// Planting a goal: at the selected link, or where the next clicks say.
#pragma once

#include <optional>
#include <string>

#include "scene/new_goal.h"

namespace limber::app {

struct Hit;
struct Session;

/// A goal that waits for clicks; kept in UiState.
struct Planting {
  GoalType type = GoalType::Position;
  std::optional<EndEffector> first;  ///< set: the next click names the other link
};

/// Plants at once where the selection says enough; else waits for a click. `byClick` asks for one in any case.
void startPlanting(Session& session, GoalType type, bool byClick = false);

/// A click while something waits: on a link, or beside the figure (nothing).
void plantAt(Session& session, const std::optional<Hit>& hit);

/// What the next click is asked for: "click a point of the figure", for the status bar.
std::string plantingHint(const Planting& planting);

}  // namespace limber::app
