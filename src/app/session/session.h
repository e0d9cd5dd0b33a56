// SPDX-License-Identifier: MIT
// Everything behind the window but the window itself. Driven by plain events, so that tests can use it without a
// display.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/editing/editing.h"
#include "app/editing/requests.h"
#include "app/features/services.h"
#include "app/session/picture.h"
#include "app/session/pointer.h"
#include "app/session/refresh_scene.h"
#include "app/settings/input.h"

namespace limber::app {

class Witness;

/// What a session has of the world around it.
struct Outside {
  /// Text that goes to other programs and comes from them.
  struct Clipboard {
    std::function<std::string()> read = [] { return std::string(); };
    std::function<void(const std::string&)> write = [](const std::string&) {};
  } clipboard;
  std::shared_ptr<Witness> witness;  ///< is told what is done; null for none
  bool isReplay = false;             ///< what is done was done before: no file is written
};

/// Works of services refer to it: it stays where it was made.
struct Session : Editing {
  Session(Document document, Settings settings, Solving::Print print);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Picture picture;
  Pointer pointer;
  Services services;
  Outside outside;
};

/// Key, character, button, move, wheel, focus. The picture's own; what a panel took never comes here.
void handleEvent(Session& session, const InputEvent& event);

void perform(Session& session, Action action);

/// Undoes or redoes until so many steps are done.
void goToStep(Session& session, int step);

/// What the panels asked for. Slow things (loads, resets) wait for this moment of the frame.
void carryOut(Session& session, Requests& requests);

/// The solve under way, the race, the jobs and the motion being played.
void advance(Session& session);

/// Takes the results of the jobs that have ended.
void finishJob(Session& session);
/// Takes that of the job if it comes within a moment that nobody notices.
void finishIfQuick(Session& session);

/// The solve alone, for about `milliseconds`; the race is asked what it starts.
void advanceSolving(Session& session, double milliseconds);

/// True while a hand, a solve, the camera or a motion moves what the picture shows.
bool isMoving(const Session& session);

/// How long the window may sleep: 0 while something runs, nothing when only an event can change the picture.
std::optional<double> sleepTime(const Session& session);

/// The hand has let go of a panel's field: the next edit is another step.
void endWidgetGesture(Session& session);

/// Poses for what the document asks now, or the drag under way.
void requestSolve(Session& session, bool searches = false);  ///< PosingRequest::searches

}  // namespace limber::app
