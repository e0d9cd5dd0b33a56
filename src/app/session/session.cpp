// SPDX-License-Identifier: MIT
#include "app/session/session.h"

#include <algorithm>
#include <utility>

#include "app/session/witness.h"
#include "app/settings/chord.h"
#include "app/tools/tools.h"
#include "limber/scene/clock.h"

namespace limber::app {

namespace {

constexpr double kLook = 0.1;      // seconds between polls of running jobs
constexpr double kLiveLook = 0.5;  // seconds between frames while live avatars are on: for rates and resent poses

}  // namespace

Recorded::Recorded(Session& session, const Deed& deed) : session_(session), witness_(session.outside.witness) {
  if (witness_) witness_->begin(session, deed);
}

Recorded::~Recorded() {
  if (witness_) witness_->end(session_);
}

void handleEvent(Session& session, const InputEvent& event) {
  const Recorded recorded(session, &event);
  if (offerToTool(session, event)) return;
  if (const auto* press = std::get_if<KeyPress>(&event)) {
    const auto command = commandOf(*press, session.settings.keys);
    if (command && (!press->isRepeat || infoOf(*command).has(kRepeats))) perform(session, *command);
    if (!command && press->key == Key::Letter && heldOf(press->modifiers) == kAlt && !session.pointer.tool)
      session.ui.popups.menuWanted = static_cast<char>(press->letter - 'a' + 'A');  // the mnemonic of a menu
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

void endWidgetGesture(Session& session) {
  const Recorded recorded(session, Moment::EndWidgetGesture);
  session.editor.endGesture();
}

void finishJob(Session& session) {
  const Recorded recorded(session, Moment::FinishJob);
  takeJobs(session);
}

void refreshScene(Session& session) {
  const Recorded recorded(session, Moment::Refresh);
  updateScene(session);
}

void finishIfQuick(Session& session) {
  if (isJobQuick(session)) finishJob(session);
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
  const bool playsMotion = session.playing.isPlaying() && showsMotion(document);
  const bool isInHand = session.pointer.tool || session.pointer.following || session.solving.isBusy() || playsMotion;
  if (const auto notice = services.autoKey.update(session.editor, isInHand)) session.show(*notice);
  services.racing.update(document, session.settings);
  if (const auto notice = services.global.update(document)) {
    session.show(*notice);
    if (!notice->isError) ui.reveal = Panel::Global;
  }
  if (const auto notice = services.reaching.update(document, session.settings, ui.workspace.isShown)) {
    session.show(*notice);
    ui.workspace.showsShell |= !notice->isError;
  }
  if (const auto notice = services.ways.update(document, isInHand)) session.show(*notice);
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
  session.solving.printWaiting(session.ui.now, !session.pointer.moved() && !session.solving.isBusy());
}

bool isMoving(const Session& session) {
  return session.pointer.isMoving() || session.solving.isBusy() || session.picture.turn ||
         session.solving.blend().isRunning(session.ui.now) || session.playing.isPlaying();
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
