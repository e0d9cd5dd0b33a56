// SPDX-License-Identifier: MIT
// What is selected, moved or turned without a button: it follows the mouse until a click accepts it. And put back.
#pragma once

#include "app/session/session.h"

namespace limber::app {

enum class Grabbed { Place, Turn };

/// Takes hold of what is selected: a target, a link, a pinned place, an obstacle; to turn it, also a joint. The other of the
/// two, while one is under way, begins with what was before it. Says why where nothing can be taken.
void grabSelected(Session& session, Grabbed what);

/// Puts places or rotations back: of the selected joint, with those that stand at the same point, as at rest; of a goal as
/// its end effector has it; of an obstacle as a new one. Of all joints where nothing is selected. One step.
void clearSelected(Session& session, Grabbed what);

/// W, E, Q: the gizmo; the same again turns its axes.
void chooseTool(Session& session, GizmoTool::Kind kind);
void toggleAxes(Session& session);

}  // namespace limber::app
