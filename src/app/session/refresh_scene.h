// SPDX-License-Identifier: MIT
// Updates the picture: kinematics, highlights and draw list.
#pragma once

namespace limber::app {

struct Session;

/// Updates session.picture from the document, and frames a document that is shown for the first time. An edit of the
/// figure does not move the camera.
void refreshScene(Session& session);

}  // namespace limber::app
