// SPDX-License-Identifier: MIT
// Adds a goal where the user clicks.
#pragma once

#include <optional>
#include <string>

#include "app/editing/ui_state.h"

namespace limber::app {

struct Hit;
struct Session;

/// Waits for a click, whatever is selected; a goal that needs no point of the figure is added at once.
void startPlanting(Session& session, GoalType type);

/// Takes the click that the goal waits for: on a link, or beside the figure (nothing).
void plantAt(Session& session, const std::optional<Hit>& hit);

/// The prompt over the picture for the next click: "Add goal, position: click its point on the figure.".
std::string plantingHint(const Planting& planting);

}  // namespace limber::app
