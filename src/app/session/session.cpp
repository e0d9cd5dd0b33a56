// SPDX-License-Identifier: MIT
#include "app/session/session.h"

#include <algorithm>
#include <utility>

#include "app/session/viewing.h"
#include "app/session/witness.h"
#include "app/settings/chord.h"

namespace limber::app {

namespace {

constexpr double kLook = 0.1;      // seconds between polls of running jobs
constexpr double kLiveLook = 0.5;  // seconds between frames while live avatars are on: rates, and poses that stay
constexpr double kAtOnce = 0.05;   // seconds: a job done within them is finished in the same frame

}  // namespace

Session::Session(Document document, Settings someSettings, Solving::Print print)
    : Editing{.editor = Editor(std::move(document)),
              .solving = Solving(std::move(print)),
              .playing = {},
              .settings = std::move(someSettings),
              .ui = {}} {
  services.setFail([this](const std::string& fault) { showError(fault); });
}

Recorded::Recorded(Session& session, const Deed& deed) : session_(session), witness_(session.outside.witness) {
  if (witness_) witness_->begin(session, deed);
}

Recorded::~Recorded() {
  if (witness_) witness_->end(session_);
}

void handleEvent(Session& session, const InputEvent& event) {
  const Recorded recorded(session, &event);
  if (takeInDrag(session, event)) return;
  if (const auto* press = std::get_if<KeyPress>(&event)) {
    const auto command = commandOf(*press, session.settings.keys);
    if (command && (!press->isRepeat || infoOf(*command).has(kRepeats))) perform(session, *command);
    if (!command && press->key == Key::Letter && heldOf(press->modifiers) == kAlt &&
        session.pointer.gesture == Pointer::Gesture::None)
      session.ui.menuWanted = static_cast<char>(press->letter - 'a' + 'A');  // the mnemonic of a menu
  } else if (const auto* typed = std::get_if<Typed>(&event)) {
    if (const auto command = commandOf(*typed, session.settings.keys)) perform(session, *command);
  } else if (const auto* change = std::get_if<ButtonChange>(&event)) {
    session.solving.endBlend();  // show the pose as it is, so that the click hits what is there
    if (change->isPressed) pressButton(session, *change);
    else releaseButton(session, *change);
  } else if (const auto* move = std::get_if<CursorMove>(&event)) {
    moveCursor(session, *move);
  } else if (const auto* wheel = std::get_if<WheelTurn>(&event)) {
    scrollPicture(session, *wheel);
  } else if (std::holds_alternative<FocusLost>(event)) {
    releaseButton(session, {session.pointer.button, false, {}, session.pointer.x, session.pointer.y});
  }
}

void advanceSolving(Session& session, double milliseconds) {
  if (!session.solving.isBusy()) return;
  if (const PosingRequest* wanted = session.solving.wanted())
    session.services.racing.offer(session.document(), session.settings,
                                  session.pointer.moved() ? "drag" : session.editor.gesture(), *wanted);
  const double jumpBefore = session.solving.blend().lastJump();
  session.solving.advance(session.editor.touch(), milliseconds, session.ui.now);
  if (session.solving.blend().lastJump() != jumpBefore) session.say(session.solving.blend().sentence());
  session.services.racing.keepBeside(session.document());
}

void endWidgetGesture(Session& session) {
  const Recorded recorded(session, Moment::EndWidgetGesture);
  session.editor.endGesture();
}

void finishJob(Session& session) {
  const Recorded recorded(session, Moment::FinishJob);
  if (session.pointer.gesture == Pointer::Gesture::Dragging) return;  // the result and the drag are separate undo steps
  for (Job* job : {&session.services.job, &session.services.drawing})
    if (const auto finish = job->collect(); finish && *finish) {
      pauseFollow(session);
      (*finish)();
    }
}

void finishIfQuick(Session& session) {
  if (session.services.job.wait(kAtOnce)) finishJob(session);
}

namespace {

void advanceAutosave(Session& session) {
  Autosave& autosave = session.services.autosave;
  if (const auto notice = autosave.update(session.editor, session.ui.now)) session.show(*notice);
  if (autosave.asks()) session.ui.askLost = true;
}

/// Updates the services that look at the pose, after the solver.
void advanceServices(Session& session) {
  Services& services = session.services;
  UiState& ui = session.ui;
  const Document& document = session.document();
  const bool isInHand = session.pointer.gesture != Pointer::Gesture::None || session.pointer.following ||
                        session.solving.isBusy() || session.playing.motion.isPlaying;
  if (const auto notice = services.autoKey.update(session.editor, isInHand)) session.show(*notice);
  services.racing.update(document, session.settings);
  if (const auto notice = services.global.update(document)) {
    session.show(*notice);
    if (!notice->isError) ui.reveal = Panel::Global;
  }
  if (const auto notice = services.reaching.update(document, session.settings, ui.isWorkspaceShown)) {
    session.show(*notice);
    ui.showReach |= !notice->isError;
  }
  services.live.update(session, isInHand);
  services.poses.update(document, ui.poses.isOpen);
  if (document.selection.joint >= 0) services.handClosing.update(document, services.poses.fitter(document));
}

}  // namespace

void advance(Session& session) {
  const Recorded recorded(session, Moment::Advance);
  advanceAutosave(session);
  finishJob(session);
  if (session.picture.turn) session.picture.camera = advanceTurn(session.picture.turn, session.ui.now);
  const std::string fault = session.playing.update(session.editor, session.solving, session.ui.now);
  if (!fault.empty()) session.fail(fault);
  advanceSolving(session, kSliceMs);
  advanceServices(session);
  const bool isDragging = session.pointer.gesture == Pointer::Gesture::Dragging || session.pointer.following;
  session.solving.printWaiting(session.ui.now, !isDragging && !session.solving.isBusy());
}

bool isMoving(const Session& session) {
  using Gesture = Pointer::Gesture;
  const Gesture gesture = session.pointer.gesture;
  return (gesture != Gesture::None && gesture != Gesture::Pressed) || session.pointer.following ||
         session.solving.isBusy() || session.picture.turn || session.solving.blend().isRunning(session.ui.now) ||
         session.playing.isAnyPlaying();
}

std::optional<double> sleepTime(const Session& session) {
  if (session.solving.isBusy() || session.picture.turn || session.solving.blend().isRunning(session.ui.now)) return 0.0;
  std::optional<double> until = session.solving.nextPrint();
  const auto wake = [&](std::optional<double> time) {
    if (time) until = until ? std::min(*until, *time) : *time;
  };
  const Message& message = session.ui.message;
  if (!message.text.empty() && message.until > session.ui.now) wake(message.until);
  wake(session.services.autosave.nextTime());
  wake(session.playing.nextFrame(session.document(), session.ui.now));
  // Jobs wake the window themselves, but GLFW 3.3 may lose such an event between two polls of its queue.
  if (session.services.isBusy()) wake(session.ui.now + kLook);
  if (session.services.live.isReceiving() || session.services.live.isSending()) wake(session.ui.now + kLiveLook);
  if (!until) return std::nullopt;
  return std::max(0.0, *until - session.ui.now);
}

}  // namespace limber::app
