// SPDX-License-Identifier: MIT
// Reads the skin of a scene's figure from the file that the figure came from.
#pragma once

#include <string>
#include <vector>

#include "limber/io/base/open_context.h"
#include "limber/scene/document.h"

namespace limber::io {

/// Notes about reading the source, and the files that were not found, as it names them.
struct SourceNotes {
  std::vector<std::string> notes, missing;
};

/// Reads the file of document.source again and sets what a scene does not contain: the file's bytes and the skin. If
/// the figure was edited since, the skin is adapted as by the edit. Whatever cannot be read becomes a note, not an
/// error; the figure is then drawn without a skin.
SourceNotes readSourceAgain(Document& document, const OpenContext& context);

}  // namespace limber::io
