// SPDX-License-Identifier: MIT
// The state of the application except its window. It is driven by plain events, so that tests need no display.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/settings/input.h"
#include "app/stage/commands.h"
#include "app/stage/stage.h"

namespace limber::app {

class Witness;

/// The session's connections to the world outside.
struct Outside {
  struct Clipboard {
    std::function<std::string()> read = [] { return std::string(); };  ///< text, or a picture as a data URI
    std::function<void(const std::string&)> write = [](const std::string&) {};
  } clipboard;
  std::shared_ptr<Witness> witness;  ///< the recorder; null for none
  bool isReplay = false;             ///< a recording is replayed: no file is written
  std::function<void()> toggleRecording = [] {};
};

struct Session : Stage {
  using Stage::Stage;
  Outside outside;
};

/// Handles an event of the picture; events that a panel took must not come here.
void handleEvent(Session& session, const InputEvent& event);

/// Performs a command now, unless a drag is running during which it is refused.
void perform(Session& session, const CommandCall& call);
inline void perform(Session& session, Command command, Argument argument = {}) {
  perform(session, CommandCall{command, std::move(argument)});
}
/// Performs and removes the commands of the panels.
void carryOut(Session& session, CommandQueue& queue);

/// Edits the document, and solves if the edit requests it. During a drag it is a part of the drag's undo step.
void applyEdit(Session& session, const DocumentEdit& edit);

/// Call once a frame: advances the solve, the race, the jobs and the playback.
void advance(Session& session);

/// Takes the results of the jobs that have ended.
void finishJob(Session& session);
/// Waits for the job for a moment too short to notice, and takes its result if it has ended.
void finishIfQuick(Session& session);

/// Updates session.picture (updateScene).
void refreshScene(Session& session);

/// True while a gesture, a solve, the camera or playback moves what the picture shows.
bool isMoving(const Session& session);

/// Seconds that the window may sleep: 0 while something runs, empty if only an event can change the picture.
std::optional<double> sleepTime(const Session& session);

/// Call when a panel's field is released: the next edit is a new undo step.
void endWidgetGesture(Session& session);

}  // namespace limber::app
