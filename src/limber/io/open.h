// SPDX-License-Identifier: MIT
// Opens everything that Limber can read as a document, for window and command line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "limber/io/base/result.h"
#include "limber/io/figure_source.h"
#include "limber/scene/document.h"

namespace limber::io {

enum class FileKind { StandardFigure, Figure, Scene, Problem, Import };

struct Opened {
  Document document;
  FileKind kind = FileKind::Figure;
  std::string_view format = "Limber figure";  ///< name of an import's format for people: "BVH motion"
  std::vector<std::string> notes;             ///< what was guessed or left out, one sentence each
  /// Files that were not found, as the figure's file names them. OpenContext::folders can tell where they are.
  std::vector<std::string> missing = {};
};

/// The document of a figure that was read, with its motion, skin and file.
Document documentOf(const FigureSource& source);

/// Opens a standard figure (isStandardFigure()), or the file at a path: a scene (.limber), a figure or problem (.json),
/// or a format of another program (figure_formats.h). Contents decide about the format, then the ending of the name.
Result<Opened> openAny(const std::string& nameOrPath, const OpenContext& context = {});

/// The place in motionsOf() of the motion with this name, or else with this number from 1.
std::optional<std::size_t> findMotion(const Document& document, const std::string& nameOrNumber);

/// Shows frame 0 of that motion. Targets stay. The error lists the motions of the file.
std::optional<Error> chooseMotion(Document& document, const std::string& nameOrNumber, const std::string& file);

/// Notes about reading the source, and the files that were not found, as it names them.
struct SourceNotes {
  std::vector<std::string> notes, missing;
};

/// Reads the file of document.source again and sets what a scene does not contain: the file's bytes and the skin. If
/// the figure was edited since, the skin is adapted as by the edit. Whatever cannot be read becomes a note, not an
/// error; the figure is then drawn without a skin.
SourceNotes readSourceAgain(Document& document, const OpenContext& context);

/// Reads the files of the reference pictures that a scene holds as paths. Pictures that cannot be read keep their
/// place.
SourceNotes readPictures(Document& document, const OpenContext& context);

}  // namespace limber::io
