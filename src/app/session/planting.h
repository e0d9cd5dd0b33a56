// SPDX-License-Identifier: MIT
// Planting a goal: where the next clicks say.
#pragma once

#include <optional>
#include <string>

#include "app/editing/ui_state.h"

namespace limber::app {

struct Hit;
struct Session;

/// Waits for a click, whatever is selected; what needs no point of the figure is planted at once.
void startPlanting(Session& session, GoalType type);

/// A click while something waits: on a link, or beside the figure (nothing).
void plantAt(Session& session, const std::optional<Hit>& hit);

/// What the next click is asked for: "position: click the point of the figure ...", said over the picture.
std::string plantingHint(const Planting& planting);

}  // namespace limber::app
