// SPDX-License-Identifier: MIT
// The parts of modal dialogs.
#pragma once

#include "app/editing/ui_state.h"

namespace limber::app {

/// Begins a modal dialog in the middle of the window; opens it first, and clears `open`, when `open` is set. False when
/// the dialog is closed; else call ImGui::EndPopup() after its contents.
bool beginDialog(const char* title, bool& open, UiState& ui);

bool dialogButton(const char* label);

}  // namespace limber::app
