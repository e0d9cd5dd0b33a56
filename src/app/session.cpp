// SPDX-License-Identifier: MIT
#include "app/session.h"

#include <algorithm>
#include <cmath>

#include "app/chord.h"
#include "app/manipulation.h"
#include "app/recorder.h"
#include "app/viewing.h"
#include "app/why.h"

namespace limber::app {

namespace {

constexpr double kRaceLook = 0.1;  // seconds between looks at a race under way

/// Hover, drag and limits, as the draw list wants them.
void updateHighlight(Session& session) {
  render::Highlight& h = session.highlight;
  const Document& document = session.document();
  h = {};
  h.showJoints = session.settings.showJoints;
  h.skinView = session.settings.skinView;
  h.surroundings =
      session.settings.theme == ThemeName::Light ? render::kLightSurroundings : render::kDarkSurroundings;
  h.linkStyle = session.settings.linkStyle;
  if (session.ui.timeline.pathGoal == document.selection.goal) h.pathPoint = session.ui.timeline.pathPoint;
  h.displayScale = session.displayScale;
  const FoundReach* found = session.reaching.found();
  h.shell = {session.ui.showReach && found ? found->shell : nullptr, static_cast<float>(session.settings.reachOpacity)};
  h.showBalance = document.keepsBalance || session.settings.showBalance;
  const PosingReport* report = session.solving.reportFor(document);
  session.touching.update(document, report);
  for (const ContactReport& contact : session.touching.contacts())
    if (contact.isInside && contact.obstacle >= 0) h.hitObstacles.push_back(contact.obstacle);
  if (report) {
    h.limitedJoints = blockedJoints(*document.figure, *report);
    for (const GoalReport& goal : report->goals)
      if (!goal.live) h.idleGoals.push_back(goal.id);
  }
  const Pointer& pointer = session.pointer;
  if (pointer.gesture == Pointer::Gesture::Dragging && pointer.drag) {
    h.hoveredGoal = pointer.drag->goal;
    h.hoveredGrip = pointer.pressed->grip;
    h.hoveredPart = pointer.pressed->part;
    h.hoveredObstacle = pointer.pressed->obstacle;
    h.draggedLink = pointer.drag->subject == Subject::Joint ? pointer.drag->link : -1;
    if (const auto& drag = pointer.drag->request.drag) {
      h.draggedLink = h.dragTargetLink = drag->link;
      h.hasDragTarget = true;
      h.dragPointInLink = drag->pointInLink;
      h.dragTarget = drag->target;
    }
    if (report) h.heldFeet = report->heldFeet;
  } else if (pointer.following) {
    h.hoveredGoal = pointer.following->goal;
    h.hoveredGrip = render::Grip::Target;
  } else if (pointer.gesture == Pointer::Gesture::None && pointer.isInside) {
    if (const auto hit = pick(session.drawList, session.view(), pointer.x, pointer.y, session.displayScale)) {
      h.hoveredLink = hit->link;
      h.hoveredGoal = hit->goal;
      h.hoveredGrip = hit->grip;
      h.hoveredPart = hit->part;
      h.hoveredObstacle = hit->obstacle;
      if (hit->link >= 0 && hit->goal < 0 && hit->obstacle < 0)
        h.hoveredLinks = clickedSelection(session.parts.last(), document.selection, hit->link).allLinks();
    }
  } else if (pointer.gesture == Pointer::Gesture::None) {
    h.hoveredLinks = session.ui.hoveredRow;
  }
  highlightManipulation(session, h);
}

void advancePlayback(Session& session) {
  Playback& playback = session.ui.playback;
  const Document& document = session.document();
  if (!playback.isPlaying) return;
  if (!document.motion || document.motion->frameCount < 2) {
    playback.isPlaying = false;
    return;
  }
  const int count = document.motion->frameCount;
  const double frameTime = std::max(document.motion->frameTime, 1e-3);
  int frame = playback.from + static_cast<int>(std::min(std::floor((session.now - playback.started) / frameTime), 1e9));
  if (frame >= count && !playback.loop) playback.isPlaying = false;
  frame = playback.loop ? frame % count : std::min(frame, count - 1);
  if (frame != document.frame)
    session.editor.edit("play motion", "play", [frame](Document& d) { showFrame(d, frame); });
  if (!playback.isPlaying) session.editor.endGesture();
}

}  // namespace

Session::Session(Document document, Settings someSettings, Solving::Print print)
    : editor(std::move(document)), settings(std::move(someSettings)), solving(std::move(print)) {}

render::View Session::view() const {
  return viewOf(camera, static_cast<int>(std::lround(picture.width)), static_cast<int>(std::lround(picture.height)));
}

void Session::say(std::string text, double seconds) { ui.message = {std::move(text), false, now + seconds}; }

void Session::fail(std::string text) { ui.message = {std::move(text), true, now + 8.0}; }

void refreshScene(Session& session) {
  const Recorded recorded(session, Moment::Refresh);
  const Document& document = session.document();
  const auto blended = session.solving.blend().at(document, session.now);
  computeKinematics(*document.figure, blended ? *blended : document.pose, session.kinematics);
  const bool showedPlane = session.drawList.planar && seesPlane(session.camera);
  if (session.framed != document.figure.get()) session.drawList = {};  // it speaks of links that may have gone
  if (session.editor.isSameDocument(session.framed)) session.framed = document.figure.get();
  if (session.framed != document.figure.get() && session.picture.width >= 1.0) {
    const Settings& settings = session.settings;
    render::makeDrawList(document, session.kinematics,
                         {.skinView = settings.skinView, .linkStyle = settings.linkStyle}, session.drawList);
    if (showedPlane) session.camera.isOrthographic = false;  // that was for the plane
    session.camera = homeView(session);
    session.turn.reset();
    session.framed = document.figure.get();
  }
  session.parts.of(document);
  updateHighlight(session);
  const render::View view = session.view();
  session.highlight.view = &view;  // marks stay large enough to see and grab
  render::makeDrawList(document, session.kinematics, session.highlight, session.drawList);
  session.highlight.view = nullptr;
  appendManipulation(session, session.drawList);
  session.racing.appendGhosts(session, session.drawList);
  appendOnionSkin(session, session.drawList);
  session.camera.boundsMin = session.drawList.boundsMin;
  session.camera.boundsMax = session.drawList.boundsMax;
}

void handleEvent(Session& session, const InputEvent& event) {
  const Recorded recorded(session, event);
  if (takeInDrag(session, event)) return;
  if (const auto* press = std::get_if<KeyPress>(&event)) {
    const auto action = actionOf(*press, session.settings.keys);
    if (action && (!press->isRepeat || repeats(*action))) perform(session, *action);
    if (!action && press->key == Key::Letter && heldOf(press->modifiers) == kAlt && session.pointer.gesture == Pointer::Gesture::None)
      session.ui.menuWanted = static_cast<char>(press->letter - 'a' + 'A');  // where a menu has that letter
  } else if (const auto* typed = std::get_if<Typed>(&event)) {
    if (const auto action = actionOf(*typed, session.settings.keys)) perform(session, *action);
  } else if (const auto* change = std::get_if<ButtonChange>(&event)) {
    session.solving.endBlend();  // what is grabbed is where it is
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
  if (const PosingRequest* wanted = session.solving.wanted()) session.racing.offer(session, *wanted);
  const double jumpBefore = session.solving.blend().lastJump();
  session.solving.advance(session.editor.touch(), milliseconds, session.now);
  if (session.solving.blend().lastJump() != jumpBefore) session.say(session.solving.blend().sentence());
  session.racing.keepBeside(session.document());
}

void endWidgetGesture(Session& session) {
  const Recorded recorded(session, Moment::EndWidgetGesture);
  session.editor.endGesture();
}

void finishJob(Session& session) {
  const Recorded recorded(session, Moment::FinishJob);
  if (session.pointer.gesture == Pointer::Gesture::Dragging) return;  // what came is a step, and so is the drag
  for (Job* job : {&session.job, &session.drawing})
    if (const auto finish = job->collect(); finish && *finish) {
      pauseFollow(session);
      (*finish)(session);
    }
}

void advance(Session& session) {
  const Recorded recorded(session, Moment::Advance);
  session.autosave.update(session);
  finishJob(session);
  if (session.turn) session.camera = advanceTurn(session.turn, session.now);
  advancePlayback(session);
  session.playing.update(session);
  advanceSolving(session, kSliceMs);
  session.autoKey.update(session);
  session.racing.update(session);
  session.global.update(session);
  session.reaching.update(session);
  session.poses.update(session);
  if (session.document().selection.joint >= 0)
    session.handClosing.update(session.document(), session.poses.fitter(session.document()));
  const bool isDragging = session.pointer.gesture == Pointer::Gesture::Dragging || session.pointer.following;
  session.solving.printWaiting(session.now, !isDragging && !session.solving.isBusy());
}

bool isMoving(const Session& session) {
  using Gesture = Pointer::Gesture;
  const Gesture gesture = session.pointer.gesture;
  return (gesture != Gesture::None && gesture != Gesture::Pressed) || session.pointer.following ||
         session.solving.isBusy() || session.turn || session.solving.blend().isRunning(session.now) ||
         session.ui.playback.isPlaying || session.playing.isPlaying();
}

std::optional<double> sleepTime(const Session& session) {
  if (session.solving.isBusy() || session.turn || session.solving.blend().isRunning(session.now)) return 0.0;
  std::optional<double> until = session.solving.nextPrint();
  const auto wake = [&](double time) { until = until ? std::min(*until, time) : time; };
  if (!session.ui.message.text.empty() && session.ui.message.until > session.now) wake(session.ui.message.until);
  const Playback& playback = session.ui.playback;
  if (playback.isPlaying && session.document().motion) {
    const double frameTime = std::max(session.document().motion->frameTime, 1e-3);
    const double shown = std::floor((session.now - playback.started) / frameTime);
    wake(playback.started + (shown + 1.0) * frameTime + 1e-4);
  }
  if (const auto due = session.autosave.nextTime()) wake(*due);
  if (const auto next = session.playing.nextFrame(session.document())) wake(*next);
  // The race wakes the window itself; GLFW 3.3 may lose that between two looks at its queue.
  if (session.racing.race().isBusy() || session.job.isRunning() || session.drawing.isRunning() ||
      session.global.isRunning() || session.reaching.isRunning() || session.autosave.isBusy())
    wake(session.now + kRaceLook);
  if (!until) return std::nullopt;
  return std::max(0.0, *until - session.now);
}

}  // namespace limber::app
