// SPDX-License-Identifier: MIT
// Messages by which another page that embeds the window in a frame uses it (docs/everywhere.md). Each is a JSON object
// whose member "do" says what it asks for; so is the answer.
#pragma once

#include <string>
#include <string_view>

#include "app/session/session.h"

namespace limber::app {

/// Answers one message:
///
///   {"do": "state"}                               what is open and how the last solve ended, the pose, and the sites
///   {"do": "open", "path": "walk.bvh"}            opens a file of the page
///   {"do": "goal", "goal": {...}}                 sets the target of the goal of this type and place, or adds it, and
///                                                 solves; the object is a goal of a problem (docs/formats.md)
///   {"do": "undo"} and {"do": "save"}             as the keys
///   {"do": "keep"}                                keeps unsaved work for recovery at once
///
/// All but the first answer {}, before a solve has ended. {"fault": "..."} says why a message is not understood.
std::string answerMessage(Session& session, std::string_view message);

}  // namespace limber::app
