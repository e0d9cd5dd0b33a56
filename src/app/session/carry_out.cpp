// SPDX-License-Identifier: MIT
// Performs commands.
#include <utility>
#include <vector>

#include "app/session/actions.h"
#include "app/session/documents.h"
#include "app/session/witness.h"

namespace limber::app {

namespace {

/// Applies an edit; during a drag it becomes part of the drag's undo step. True when it changed anything.
bool applyChange(Session& session, const DocumentEdit& edit) {
  if (!session.pointer.isDragging()) return session.editor.edit(edit.label, edit.gesture, edit.change);
  const Document before = session.document();
  edit.change(session.editor.touch());
  return !isSameContent(before, session.document());
}

/// Ends or pauses a follow if a command with these flags requires it; false if the command must not run now.
bool makeRoom(Session& session, unsigned flags) {
  if (flags & kPausesFollow) pauseFollow(session);
  if (flags & (kInDrags | kPausesFollow)) return true;
  const bool isInGrab = (flags & kInGrabs) && session.pointer.isModal;
  if (session.pointer.isDragging() && !isInGrab) return false;
  if (session.pointer.following) plantFollowed(session);
  return true;
}

}  // namespace

void applyEdit(Session& session, const DocumentEdit& edit) {
  const auto figure = session.document().figure;
  const Pose before = session.document().pose;
  const bool isChanged = applyChange(session, edit);
  if (session.document().figure != figure) forgetLinks(session);
  else if (!(session.document().pose == before)) session.solving.cancel();
  if (isChanged && edit.after == AfterEdit::Solve) requestSolve(session);
}

void perform(Session& session, const CommandCall& call) {
  const CommandInfo& info = infoOf(call.command);
  std::optional<Recorded> recorded;
  if (!info.has(kEffectOnly)) recorded.emplace(session, &call);
  const bool asks = info.takesFile() && std::holds_alternative<std::monostate>(call.argument);
  if (!makeRoom(session, asks ? 0 : info.flags)) return;
  if (asks) session.ui.browser.ask(call.command);
  else info.run.function(session, call.argument);
}

void carryOut(Session& session, CommandQueue& queue) {
  for (const CommandCall& call : std::exchange(queue.calls, {})) perform(session, call);
}

}  // namespace limber::app
