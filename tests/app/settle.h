// SPDX-License-Identifier: MIT
// The frames of a window without one.
#pragma once

#include "app/session/session.h"

namespace limber::app {

/// The work of the window in each frame, 20 ms after the last.
inline void frame(Session& session) {
  session.ui.now += 0.02;
  advance(session);
  refreshScene(session);
}

/// Frames until nothing is being solved.
inline void settle(Session& session) {
  do frame(session);
  while (session.solving.isBusy());
}

}  // namespace limber::app
