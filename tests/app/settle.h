// SPDX-License-Identifier: MIT
// Frames of a session without a window.
#pragma once

#include "app/session/session.h"

namespace limber::app {

/// The work of the window in each frame, 20 ms after the last.
inline void frame(Session& session) {
  session.ui.now += 0.02;
  advance(session);
  refreshScene(session);
}

/// Runs frames until no solve is running.
inline void settle(Session& session) {
  do frame(session);
  while (session.solving.isBusy());
}

}  // namespace limber::app
