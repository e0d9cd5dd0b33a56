// SPDX-License-Identifier: MIT
// The figure editor: edits lengths, rest pose, links and sites of the figure itself.
#pragma once

#include "app/editing/requests.h"
#include "app/session/session.h"

namespace limber::app {

void drawFigureEditor(const Session& session, UiState& ui, Requests& requests);

/// Its dialogs: a new link, and the consequences of a removed one.
void drawFigureDialogs(const Session& session, UiState& ui, Requests& requests);

}  // namespace limber::app
