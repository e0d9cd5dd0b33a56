// SPDX-License-Identifier: MIT
// The figure editor: lengths, rest pose, links and sites of the figure itself, not of this document's use of it.
#pragma once

#include "app/editing/requests.h"
#include "app/session/session.h"

namespace limber::app {

void drawFigureEditor(const Session& session, UiState& ui, Requests& requests);

/// Its questions: a new link, and what a removed one takes along.
void drawFigureDialogs(const Session& session, UiState& ui, Requests& requests);

}  // namespace limber::app
