// SPDX-License-Identifier: MIT
// What every small question is made of.
#pragma once

#include "app/editing/ui_state.h"

namespace limber::app {

/// A modal dialog in the middle; false when it is closed. `open` asks for it. ImGui::EndPopup() ends it.
bool beginDialog(const char* title, bool& open, UiState& ui);

bool dialogButton(const char* label);

}  // namespace limber::app
