// SPDX-License-Identifier: MIT
// Everything behind the window but the window itself: the open document, the camera, the mouse, the solve under way.
// Driven by plain events, so that tests can use it without a display.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "app/autosave.h"
#include "app/camera.h"
#include "app/camera_turn.h"
#include "app/contacts_shown.h"
#include "app/drag.h"
#include "app/editor.h"
#include "app/gizmo_subject.h"
#include "app/global_posing.h"
#include "app/input.h"
#include "app/job.h"
#include "app/hand_closing.h"
#include "app/layering.h"
#include "app/keymap.h"
#include "app/layout.h"
#include "app/playing.h"
#include "app/poses.h"
#include "app/racing.h"
#include "app/reaching.h"
#include "app/requests.h"
#include "app/selecting.h"
#include "app/settings.h"
#include "app/solving.h"
#include "app/ui_state.h"
#include "render/draw_list.h"

namespace limber::app {

/// What the mouse is doing.
struct Pointer {
  enum class Gesture { None, Pressed, Dragging, Boxing, Orbiting, Panning, Zooming, Looking };
  Gesture gesture = Gesture::None;
  Button button = Button::Left;
  double x = 0.0, y = 0.0;            ///< pixels of the picture
  double pressX = 0.0, pressY = 0.0;
  std::optional<Hit> pressed;         ///< what was under it at the press
  std::optional<Drag> drag;           ///< from the press on
  std::optional<Drag> following;      ///< the follow toggle's target
  double wheel = 0.0;                 ///< parts of a step that have not counted yet
  bool isInside = false;              ///< over the picture, not over a panel
  bool isModal = false;               ///< the drag goes on without a button, until a click accepts it
};

/// Text that goes to other programs and comes from them.
struct Clipboard {
  std::function<std::string()> read = [] { return std::string(); };
  std::function<void(const std::string&)> write = [](const std::string&) {};
};

class Recorder;

struct Session {
  Session(Document document, Settings settings, Solving::Print print);

  Editor editor;
  Settings settings;
  UiState ui;
  Solving solving;
  Racing racing;
  GlobalPosing global;
  Playing playing;                 ///< of the timeline
  AutoKey autoKey;
  HandClosing handClosing;
  Reaching reaching;
  Poses poses;                     ///< the library
  Job job;                         ///< slow work, the opening of a file
  Job drawing;                     ///< of pictures, as the document was when they were asked for
  Autosave autosave;
  std::shared_ptr<Recorder> recorder;  ///< notes what is done (app/recorder.h); null: nothing does
  bool isReplay = false;           ///< what is done was done before: no file is written
  Camera camera;
  std::optional<CameraTurn> turn;  ///< of the camera, under way
  Pointer pointer;
  GizmoTool gizmo;
  Clipboard clipboard;
  Rectangle picture;               ///< pixels of the window
  Kinematics kinematics;           ///< of the document's pose; refreshScene
  ContactsShown touching;          ///< at the document's pose; refreshScene
  PartsOfFigure parts;             ///< of the document's figure; refreshScene
  render::Highlight highlight;
  render::DrawList drawList;
  const Figure* framed = nullptr;  ///< the figure that the camera was last set for
  double now = 0.0;                ///< seconds
  double clickReach = 3.0;         ///< pixels that a click may move
  double displayScale = 1.0;       ///< pixels of the picture for one of a plain display

  const Document& document() const { return editor.document(); }
  render::View view() const;
  void say(std::string text, double seconds = 4.0);
  void fail(std::string text);  ///< a message in red
};

/// Turns the camera there, a short while, or at once where nothing is shown yet.
void turnCamera(Session& session, const Camera& to);

/// Kinematics, hover and draw list of the document as it stands; frames a document not seen before. An edit of its
/// figure leaves the camera where it is.
void refreshScene(Session& session);

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

/// The solve alone, for about `milliseconds`; the race is asked what it starts.
void advanceSolving(Session& session, double milliseconds);

/// True while a hand, a solve, the camera or a motion moves what the picture shows.
bool isMoving(const Session& session);

/// How long the window may sleep: 0 while something runs, nothing when only an event can change the picture.
std::optional<double> sleepTime(const Session& session);

/// The hand has let go of a panel's field: the next edit is another step.
void endWidgetGesture(Session& session);

/// Cancels a drag or a follow exactly; false when there was none.
bool cancelDrag(Session& session);

/// Ends a follow as a click does: the target stays where it is.
void plantFollowed(Session& session);
/// What was followed so far becomes a step, before something else does. The mouse leads on when it moves again.
void pauseFollow(Session& session);

/// Poses for what the document asks now, or the drag under way.
void requestSolve(Session& session, bool searches = false);  ///< PosingRequest::searches

// The mouse (app/pointer.cpp).
void pressButton(Session& session, const ButtonChange& change);
void releaseButton(Session& session, const ButtonChange& change);
void moveCursor(Session& session, const CursorMove& move);
/// What pointer.drag holds goes from here on; at `pressed` it was taken.
void startDragging(Session& session);

}  // namespace limber::app
