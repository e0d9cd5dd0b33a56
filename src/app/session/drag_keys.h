// SPDX-License-Identifier: MIT
// Keys, typed numbers and the wheel during a drag, and the drag's line in the status bar.
#pragma once

#include <string>

#include "app/session/session.h"

namespace limber::app {

/// True when the event was for the running drag: a lock, a digit, the wheel. Without a drag it is false.
bool takeInDrag(Session& session, const InputEvent& event);

/// The state of the running drag in words: "X locked   0.124 m   3 of 7 joints follow   Esc cancels".
std::string dragStatus(const Session& session);

}  // namespace limber::app
