// SPDX-License-Identifier: MIT
// The state of the application except its window. It is driven by plain events, so that tests need no display.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/editing/editing.h"
#include "app/features/services.h"
#include "app/session/commands.h"
#include "app/session/picture.h"
#include "app/session/pointer.h"
#include "app/settings/input.h"

namespace limber::app {

class Witness;

/// The session's connections to the world outside.
struct Outside {
  struct Clipboard {
    std::function<std::string()> read = [] { return std::string(); };  ///< text, or a picture as a data URI
    std::function<void(const std::string&)> write = [](const std::string&) {};
  } clipboard;
  std::shared_ptr<Witness> witness;  ///< records what is done; null for none
  bool isReplay = false;             ///< a recording is replayed: no file is written
  std::function<void()> toggleRecording = [] {};
};

/// A session can be neither copied nor moved, because jobs refer to it.
struct Session : Editing {
  Session(Document document, Settings settings, Solving::Print print);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Picture picture;
  Pointer pointer;
  Services services;
  Outside outside;
};

/// Handles an event of the picture; events that a panel took must not come here.
void handleEvent(Session& session, const InputEvent& event);

/// Performs a command now, unless something is dragged beside which it must not run.
void perform(Session& session, const CommandCall& call);
inline void perform(Session& session, Command command, Argument argument = {}) {
  perform(session, CommandCall{command, std::move(argument)});
}
/// Performs and removes the commands of the panels.
void carryOut(Session& session, CommandQueue& queue);

/// Edits the document, and solves if the edit asks for it. During a drag it is a part of the drag's undo step.
void applyEdit(Session& session, const DocumentEdit& edit);

/// Call once a frame: advances the solve, the race, the jobs and the playback.
void advance(Session& session);

/// Takes the results of the jobs that have ended.
void finishJob(Session& session);
/// Waits for the job for a moment too short to notice, and takes its result if it has ended.
void finishIfQuick(Session& session);

/// Advances only the solve, for about `milliseconds`; the race gets each request that it starts.
void advanceSolving(Session& session, double milliseconds);

/// Updates session.picture from the document, and frames a document that is shown for the first time. An edit of the
/// figure does not move the camera.
void refreshScene(Session& session);

/// True while a gesture, a solve, the camera or playback moves what the picture shows.
bool isMoving(const Session& session);

/// Seconds that the window may sleep: 0 while something runs, nothing when only an event can change the picture.
std::optional<double> sleepTime(const Session& session);

/// Call when a panel's field is released: the next edit is a new undo step.
void endWidgetGesture(Session& session);

/// Requests a solve for the running drag, else for the document's goals. `searches`: PosingRequest::searches.
void requestSolve(Session& session, bool searches = false);

}  // namespace limber::app
