// SPDX-License-Identifier: MIT
// What ties a joint beyond its own interval: swing and twist, couplings, linear limits. Part of the Joint panel.
#pragma once

#include "app/editing/requests.h"
#include "app/session/session.h"

namespace limber::app {

/// Swing cone and twist interval of a ball joint, in degrees, each with a switch that frees it.
void drawBallLimits(const Session& session, int joint, UiState& ui, Requests& requests);

/// Whom the joint follows and whom it drives, with a switch that unties the whole group.
void drawCouplings(const Session& session, int joint, Requests& requests);

/// The linear limits that the joint stands in: present value, bounds, and a switch.
void drawLinearLimits(const Session& session, int joint, Requests& requests);

/// True when an enabled coupling puts the joint where others want it.
bool follows(const Document& document, int joint);

/// Ties or unties all couplings of one name. Tied again, followers go where their drivers want them.
void setGroupEnabled(Document& document, const std::string& name, bool enabled);

}  // namespace limber::app
