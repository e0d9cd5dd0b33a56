// SPDX-License-Identifier: MIT
// The skin of a scene's figure, from the file that the figure came from.
#pragma once

#include <string>
#include <vector>

#include "limber/io/base/open_context.h"
#include "limber/scene/document.h"

namespace limber::io {

/// What is to be said of a source, and the files that it names and that were not found.
struct SourceNotes {
  std::vector<std::string> notes, missing;
};

/// Reads the file that document.source names: the document gets what a scene does not hold, the file's bytes and the
/// skin. A figure that was edited since wears the skin as it would have after the edit. What cannot be had is a
/// sentence of the notes, never an error: the figure is drawn without.
SourceNotes readSourceAgain(Document& document, const OpenContext& context);

}  // namespace limber::io
