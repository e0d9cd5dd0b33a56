// SPDX-License-Identifier: MIT
// The rows of the Joint panel for limits beyond an interval: swing and twist, couplings, linear limits.
#pragma once

#include <functional>
#include <string>

#include "app/editing/command.h"
#include "app/panels/widgets.h"
#include "app/session/session.h"

namespace limber::app {

/// Swing cone and twist interval of a ball joint, in degrees, each with a checkbox that frees it.
void drawBallLimits(const Session& session, int joint, UiState& ui, CommandQueue& queue);

/// The joints that this one follows or drives by couplings, with a checkbox that enables the whole group.
void drawCouplings(const Session& session, int joint, CommandQueue& queue);

/// The linear limits with a term for the joint: present value, bounds, and a checkbox.
void drawLinearLimits(const Session& session, int joint, CommandQueue& queue);

/// Two fields for the ends of an interval, which stay in order and within `allowed`. toShown: shown units for one of
/// the interval. `set(interval, gesture)` writes it.
void editInterval(const Interval& value, const Interval& allowed, double toShown, const NumberStyle& style, UiState& ui,
                  const std::function<void(const Interval&, const std::string& gesture)>& set);

/// True when the joint is the follower of an enabled coupling.
bool follows(const Document& document, int joint);

/// Enables or disables all couplings of one name, and clamps the pose, which moves enabled followers.
void setGroupEnabled(Document& document, const std::string& name, bool enabled);

}  // namespace limber::app
