// SPDX-License-Identifier: MIT
// What keys, typed numbers and the wheel do to a drag under way, and its line in the status bar.
#pragma once

#include <string>

#include "app/session/session.h"

namespace limber::app {

/// True when the event was for the drag under way: a lock, a digit, the wheel. Without one never.
bool takeInDrag(Session& session, const InputEvent& event);

/// "X locked   0.124 m   3 of 7 joints follow   Esc takes it back": what the drag under way is at.
std::string dragStatus(const Session& session);

}  // namespace limber::app
