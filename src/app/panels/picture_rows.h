// SPDX-License-Identifier: MIT
// The options of a picture or PNG sequence in the file dialog.
#pragma once

#include "app/session/session.h"

namespace limber::app {

/// Initializes the options for a dialog: the size of the window's picture if none was chosen yet, and all frames.
void preparePictures(const Session& session, PictureChoice& pictures);

/// A row for size and background; for a sequence also a row for its frames.
void drawPictureRows(const Session& session, bool isSequence, UiState& ui);

}  // namespace limber::app
