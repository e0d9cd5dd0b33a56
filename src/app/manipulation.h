// SPDX-License-Identifier: MIT
// What keys, typed numbers and the wheel do to a drag under way, and what the picture shows of it.
#pragma once

#include <string>

#include "app/session.h"

namespace limber::app {

/// True when the event was for the drag under way: a lock, a digit, the wheel. Without one never.
bool takeInDrag(Session& session, const InputEvent& event);

/// Puts what is dragged where cursor, lock and number say, and asks for the pose that follows.
void updateDrag(Session& session, const Modifiers& held);

/// What is dragged is a question to the figure: an obstacle or a pin only where it is asked for something besides.
bool dragAsksSomething(const Session& session);

/// W, E, Q: the gizmo; the same again turns its axes.
void chooseTool(Session& session, GizmoTool::Kind kind);
void toggleAxes(Session& session);

/// Which links would follow a drag, and which marks rest while there is a gizmo.
void highlightManipulation(const Session& session, render::Highlight& highlight);
/// The gizmo of the selection and the lines of a lock.
void appendManipulation(const Session& session, render::DrawList& list);

/// "X locked   0.124 m   3 of 7 joints follow   Esc takes it back": what the drag under way is at.
std::string dragStatus(const Session& session);

}  // namespace limber::app
