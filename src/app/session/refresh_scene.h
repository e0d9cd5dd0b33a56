// SPDX-License-Identifier: MIT
// What stands in the picture: kinematics, what is highlighted, and the draw list.
#pragma once

namespace limber::app {

struct Session;

/// Kinematics, hover and draw list of the document as it stands; frames a document not seen before. An edit of its
/// figure leaves the camera where it is.
void refreshScene(Session& session);

}  // namespace limber::app
