// SPDX-License-Identifier: MIT
// What panels asked for, carried out between two frames.
#include <utility>

#include "app/documents.h"
#include "app/fit_job.h"
#include "app/mirroring.h"
#include "app/session.h"

namespace limber::app {

namespace {

/// The request of the drag under way, or that of the document alone from where the gesture began.
PosingRequest presentRequest(const Session& session) {
  if (session.pointer.following) return session.pointer.following->request;
  if (session.pointer.drag && session.pointer.gesture == Pointer::Gesture::Dragging)
    return session.pointer.drag->request;
  PosingRequest request;
  const Document* start = session.editor.gestureStart();
  if (start && start->figure == session.document().figure) request.startPose = start->pose;
  return request;
}

/// What was under way speaks of links that may have gone.
void forgetLinks(Session& session) {
  session.solving.cancel();
  session.ui.planting.reset();
  session.pointer = {.x = session.pointer.x, .y = session.pointer.y, .isInside = session.pointer.isInside};
  session.editor.touch().follow = false;
}

void apply(Session& session, const EditRequest& edit) {
  const auto figure = session.document().figure;
  const Pose before = session.document().pose;
  session.editor.edit(edit.label, edit.gesture, edit.change);
  if (session.document().figure != figure) forgetLinks(session);
  else if (!(session.document().pose == before)) session.solving.cancel();
  if (edit.after == AfterEdit::Solve && asksSomething(session.document()))
    session.solving.request(presentRequest(session));
}

}  // namespace

void carryOut(Session& session, Requests& requests) {
  const Requests now = std::exchange(requests, {});
  if (now.select) {
    session.editor.touch().selection = *now.select;
    session.editor.endGesture();
  }
  if (now.loopTimeline) session.playing.loop = *now.loopTimeline;
  if (now.pauseTimeline) session.playing.stop();
  for (const EditRequest& edit : now.edits) apply(session, edit);
  if (now.plant) startPlanting(session, *now.plant);
  for (const Action action : now.actions) perform(session, action);
  if (now.create) createFigure(session, *now.create);
  if (now.open) openFile(session, *now.open);
  if (now.lookIn) openWithFolder(session, *now.lookIn);
  if (now.openExample) openExample(session, *now.openExample);
  if (now.save) saveFile(session, *now.save);
  if (now.saveFigure) saveFigure(session, *now.saveFigure);
  if (now.saveRace) saveRace(session, *now.saveRace);
  if (now.saveShell) saveShell(session, *now.saveShell);
  if (now.exportTo) exportTake(session, *now.exportTo);
  if (now.drawTo) drawPictureTo(session, *now.drawTo);
  if (now.drawSequenceTo) drawSequenceTo(session, *now.drawSequenceTo);
  if (now.observe) openObservations(session, *now.observe);
  if (now.prop) addProp(session, *now.prop);
  if (now.mirrorFrom) mirrorPose(session, *now.mirrorFrom);
  if (now.pose) session.poses.carryOut(session, *now.pose);
  if (now.fit) startFit(session);
  if (now.closeFit) session.ui.fit = {};
  if (now.race) session.racing.start(session, *now.race);
  if (now.scale) session.settings.scale = *now.scale;
  if (now.scrubTo) session.playing.goTo(session, *now.scrubTo, now.scrubGesture);
  if (now.bake) startBake(session, *now.bake);
  if (now.showTimeline) session.settings.visible.timeline = true;
  if (now.checkDerivatives) {
    session.ui.derivatives = checkDerivatives(session.document());
    session.ui.showDerivatives = true;
  }
  if (now.goToGlobalPose) goToGlobalPose(session);
  if (now.cancelGlobal) session.global.cancel();
  if (now.cancelWorkspace) session.reaching.finishEarly();
  if (now.forgetWorkspace) session.reaching.forget();
  if (now.cancelJob) session.job.cancel();
  if (now.cancelDrawing) session.drawing.cancel();
  if (now.quitAnyway) session.ui.quit = true;
}

}  // namespace limber::app
