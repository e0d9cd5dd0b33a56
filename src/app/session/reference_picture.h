// SPDX-License-Identifier: MIT
// Opens reference pictures. app/stage/picture_view.h looks through their cameras; tools mark where they show the joints
// of the figure.
#pragma once

#include <filesystem>
#include <string>

#include "app/session/session.h"

namespace limber::app {

/// Adds the picture of a file to the document, seen by the present camera, and looks through that camera.
void openReference(Session& session, const std::filesystem::path& path);

/// The same for text from the clipboard that is a data URI, or the path or file:// URI of a picture; false for other
/// text. The scene keeps what is pasted as data.
bool pasteReference(Session& session, const std::string& text);

void carryOutReference(Session& session, ReferenceWish wish);

}  // namespace limber::app
