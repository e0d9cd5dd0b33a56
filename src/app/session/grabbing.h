// SPDX-License-Identifier: MIT
// Moves or turns the selection without a mouse button, until a click accepts it, and resets its place or rotation.
#pragma once

#include "app/session/session.h"

namespace limber::app {

enum class Grabbed { Place, Turn };

/// Grabs the selection: a target, a link, a pin or an obstacle; to turn it, also a joint. A running grab of the other
/// kind is cancelled first. A message says why when nothing can be grabbed.
void grabSelected(Session& session, Grabbed what);

/// Resets the place or rotation of the selection as one undo step: a joint, with those at the same point, to its rest
/// pose; a goal to its end effector; an obstacle to that of a new one. Without a selection it resets all joints.
void clearSelected(Session& session, Grabbed what);

/// Chooses the gizmo; choosing it again switches between world and local axes.
void chooseTool(Session& session, GizmoTool::Kind kind);
void toggleAxes(Session& session);

}  // namespace limber::app
