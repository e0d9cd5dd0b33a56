// SPDX-License-Identifier: MIT
// What is asked of a picture, or of a sequence of them, above the name it gets.
#pragma once

#include "app/session/session.h"

namespace limber::app {

/// What a dialog begins with: the size of the window's picture when none was chosen yet, and all frames.
void preparePictures(const Session& session, PictureChoice& pictures);

/// A row of size and background; with another one for the frames of a sequence.
void drawPictureRows(const Session& session, bool isSequence, UiState& ui);

}  // namespace limber::app
