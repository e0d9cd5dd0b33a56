// SPDX-License-Identifier: MIT
// Everything of the selected goal, in rows; part of the Goals panel.
#pragma once

#include <functional>

#include "app/editing/requests.h"
#include "app/session/session.h"

namespace limber::app {

void drawGoalDetails(const Session& session, const GoalItem& goal, UiState& ui, Requests& requests);

/// The joints that it may use, and the goals that it stands in for; the last rows of the details.
void drawGoalUses(const Session& session, const GoalItem& goal, UiState& ui, Requests& requests);

/// One edit of one goal, which poses anew.
void editGoal(Requests& requests, const char* label, const std::string& gesture, int id,
              std::function<void(GoalItem&)> change);

/// "A", "B", ... "Z", "27": the groups of goals of which only one counts.
std::string groupName(int anyOf);

/// The moving joints from the root to a link: what "from a joint to the end effector" cuts short.
std::vector<int> movingJointsAbove(const Figure& figure, int link);

}  // namespace limber::app
