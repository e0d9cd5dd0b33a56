// SPDX-License-Identifier: MIT
// The path that a goal's target follows, among the goal's details.
#pragma once

#include "app/editing/requests.h"
#include "app/session/session.h"

namespace limber::app {

void drawPathRows(const Session& session, const GoalItem& goal, UiState& ui, Requests& requests);

}  // namespace limber::app
