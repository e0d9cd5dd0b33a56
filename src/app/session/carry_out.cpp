// SPDX-License-Identifier: MIT
// Carries out the requests of the panels between two frames.
#include <utility>
#include <vector>

#include "app/features/pose_actions.h"
#include "app/features/timeline_actions.h"
#include "app/session/documents.h"
#include "app/session/reference_picture.h"
#include "app/session/session.h"
#include "app/session/witness.h"
#include "app/stage/fit_job.h"
#include "app/tools/tools.h"

namespace limber::app {

namespace {

/// Applies an edit; during a drag it becomes part of the drag's undo step. True when it changed anything.
bool applyChange(Session& session, const EditRequest& edit) {
  if (!session.pointer.isDragging()) return session.editor.edit(edit.label, edit.gesture, edit.change);
  const Document before = session.document();
  edit.change(session.editor.touch());
  return !isSameContent(before, session.document());
}

void apply(Session& session, const EditRequest& edit) {
  const Recorded recorded(session, &edit);
  pauseFollow(session);
  const auto figure = session.document().figure;
  const Pose before = session.document().pose;
  const bool isChanged = applyChange(session, edit);
  if (session.document().figure != figure) forgetLinks(session);
  else if (!(session.document().pose == before)) session.solving.cancel();
  if (isChanged && edit.after == AfterEdit::Solve) requestSolve(session);
}

/// True if the requests end the mode in which a target follows the mouse.
bool changesTheDocument(const Requests& requests) {
  return requests.plant || requests.create || requests.openExample || requests.scrubTo || requests.bake ||
         requests.fit || requests.goToGlobalPose;
}

/// Replaces the present pose by the found one, as one undo step.
void goToGlobalPose(Editing& editing, const GlobalAnswer* answer) {
  if (!answer) return;
  editing.solving.cancel();
  editing.editor.endGesture();
  editing.editor.edit("go to the global pose", "", [&](Document& d) { d.pose = answer->pose; });
}

/// Live input cannot be replayed, so it is off during a recording.
void carryOutLive(Session& session, LiveWish wish) {
  Live& live = session.services.live;
  const bool begins = wish == LiveWish::Receive || wish == LiveWish::Send;
  if (begins && (session.outside.witness || session.outside.isReplay))
    return session.fail("live avatars are off while a bug report is recorded");
  std::string fault;
  switch (wish) {
    case LiveWish::Receive: fault = live.startReceiving(session.settings.live); break;
    case LiveWish::Send: fault = live.startSending(session.settings.live, session.document()); break;
    case LiveWish::StopReceiving: live.stopReceiving(); break;
    case LiveWish::StopSending: live.stopSending(); break;
    case LiveWish::Calibrate: live.calibrate(session.document()); break;
  }
  if (!fault.empty()) session.fail(fault);
  session.editor.endGesture();
}

/// Carries out a request that is recorded as it is.
template <typename Do>
void carryOutPlain(Session& session, const Requests& request, Do does) {
  const Recorded recorded(session, &request);
  does();
}

}  // namespace

void carryOut(Session& session, Requests& requests) {
  const Requests now = std::exchange(requests, {});
  if (changesTheDocument(now)) pauseFollow(session);
  const auto plain = [&](const Requests& request, auto does) { carryOutPlain(session, request, does); };
  if (now.select)
    plain({.select = now.select}, [&] {
      const std::vector<int> links = now.select->allLinks();
      if (!links.empty() && links.back() >= session.document().figure->linkCount()) return;  // for an earlier figure
      session.editor.touch().selection = *now.select;
      session.editor.endGesture();
    });
  if (now.loopTimeline) session.playing.loop = *now.loopTimeline;
  if (now.loopMotion) session.playing.motion.loop = *now.loopMotion;
  if (now.playMotion) session.playing.toggleMotion(session.document(), session.ui.now);
  if (now.pauseMotion) session.playing.motion.isPlaying = false;
  if (now.autoKey) session.services.autoKey.isOn = *now.autoKey;
  if (now.pauseTimeline) plain({.pauseTimeline = true}, [&] { session.playing.stopTimeline(); });
  for (const EditRequest& edit : now.edits) apply(session, edit);
  if (now.plant) plain({.plant = now.plant}, [&] { startPlanting(session, *now.plant); });
  for (const Action action : now.actions) perform(session, action);
  if (now.goToStep) plain({.goToStep = now.goToStep}, [&] { goToStep(session, *now.goToStep); });
  if (now.create) createFigure(session, *now.create);
  if (now.open) plain({.open = now.open}, [&] { openFile(session, *now.open); });
  if (now.lookIn) plain({.open = session.ui.missing.file}, [&] { openWithFolder(session, *now.lookIn); });
  if (now.openExample) openExample(session, *now.openExample);
  if (now.recoverLost) recoverLost(session, *now.recoverLost);
  if (now.discardLost) session.services.autosave.discard(*now.discardLost);
  if (now.save) saveFile(session, *now.save);
  if (now.saveFigure) saveFigure(session, *now.saveFigure);
  if (now.saveRace) saveRace(session, *now.saveRace);
  if (now.saveShell) saveShell(session, *now.saveShell);
  if (now.exportTo) exportTake(session, *now.exportTo);
  if (now.drawTo) drawPictureTo(session, *now.drawTo);
  if (now.drawSequenceTo) drawSequenceTo(session, *now.drawSequenceTo);
  if (now.loadMotion) plain({.loadMotion = now.loadMotion}, [&] { loadMotion(session, *now.loadMotion); });
  if (now.observe) plain({.observe = now.observe}, [&] { openObservations(session, *now.observe); });
  if (now.reference) plain({.reference = now.reference}, [&] { openReference(session, *now.reference); });
  if (now.onReference) plain({.onReference = now.onReference}, [&] { carryOutReference(session, *now.onReference); });
  if (now.prop) plain({.prop = now.prop}, [&] { addProp(session, *now.prop); });
  if (now.mirrorFrom) mirrorPose(session, *now.mirrorFrom);
  if (now.pose) session.services.poses.carryOut(session, *now.pose);
  if (now.live) carryOutLive(session, *now.live);
  if (now.fit) plain({.fit = true}, [&] { startFit(session); });
  if (now.closeFit) session.ui.fit = {};
  if (now.race) session.services.racing.start(session.document(), session.settings, *now.race);
  if (now.scale) session.settings.scale = *now.scale;
  if (now.scrubTo)
    plain({.scrubTo = now.scrubTo, .scrubGesture = now.scrubGesture},
          [&] { goToTime(session, *now.scrubTo, now.scrubGesture); });
  if (now.bake)
    plain({.bake = now.bake}, [&] {
      if (startBake(session, session.services.job, *now.bake)) finishIfQuick(session);
    });
  if (now.showTimeline) session.settings.visible.timeline = true;
  if (now.checkDerivatives) {
    session.ui.derivatives = checkDerivatives(session.document());
    const bool isShown = session.ui.derivatives->gradient.size() <= kMostShownCoordinates;
    session.ui.pointDerivatives = isShown ? pointDerivatives(session.document()) : std::vector<PointDerivatives>{};
    session.ui.showDerivatives = true;
  }
  if (now.goToGlobalPose) goToGlobalPose(session, session.services.global.answer());
  if (now.cancelGlobal) plain({.cancelGlobal = true}, [&] { session.services.global.cancel(); });
  if (now.cancelWorkspace) plain({.cancelWorkspace = true}, [&] { session.services.reaching.finishEarly(); });
  if (now.forgetWorkspace) plain({.forgetWorkspace = true}, [&] { session.services.reaching.forget(); });
  if (now.cancelJob) plain({.cancelJob = true}, [&] { session.services.job.cancel(); });
  if (now.cancelDrawing) plain({.cancelDrawing = true}, [&] { session.services.drawing.cancel(); });
  if (now.quitAnyway) session.ui.quit = true;
}

}  // namespace limber::app
