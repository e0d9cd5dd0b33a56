// SPDX-License-Identifier: MIT
// Reference pictures in the window: opening one, and marking where it shows the joints of the figure. picture_view.h
// looks through its camera, picture_camera.h finds that camera from other things in the picture.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/session/session.h"

namespace limber::app {

/// Adds the picture of a file to the document, seen by the present camera, and looks through that camera.
void openReference(Session& session, const std::filesystem::path& path);

/// The same for text from the clipboard that is a data URI, or the path or file:// URI of a picture; false for other
/// text. The scene keeps what is pasted as data.
bool pasteReference(Session& session, const std::string& text);

void carryOutReference(Session& session, ReferenceWish wish);

/// Takes a click while the picture waits for it (Planting::isInPicture).
void clickPicture(Session& session, const std::optional<Hit>& hit);
/// The prompt for the next click: "Click the left elbow in the picture (4 of 15).".
std::string pictureHint(const Planting& planting);

}  // namespace limber::app
