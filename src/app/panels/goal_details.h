// SPDX-License-Identifier: MIT
// The rows of the selected goal in the Goals panel.
#pragma once

#include <functional>

#include "app/editing/command.h"
#include "app/session/session.h"

namespace limber::app {

void drawGoalDetails(const Session& session, const GoalItem& goal, UiState& ui, Settings& settings,
                     CommandQueue& queue);

/// The path that the goal's target follows.
void drawPathRows(const Session& session, const GoalItem& goal, UiState& ui, CommandQueue& queue);

/// The last rows: the joint chain of the goal and its group of alternatives.
void drawGoalUses(const Session& session, const GoalItem& goal, UiState& ui, CommandQueue& queue);

/// Requests an edit of a goal, after which the figure is solved again.
void editGoal(CommandQueue& queue, const char* label, const std::string& gesture, int id,
              std::function<void(GoalItem&)> change);

/// Name of a group of alternative goals: "A", "B", ... "Z", "27".
std::string groupName(int anyOf);

/// The movable joints from the root to a link.
std::vector<int> movingJointsAbove(const Figure& figure, int link);

}  // namespace limber::app
