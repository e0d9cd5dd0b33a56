// SPDX-License-Identifier: MIT
// Figures and files into the session and out of it. A load that fails leaves the open document as it is.
#pragma once

#include <filesystem>
#include <string>

#include "app/session/session.h"
#include "limber/io/open.h"

namespace limber::app {

/// What the window opens with: the standard figure that was asked for, the human for an empty name; a planar chain
/// of four links, with a sentence in `complaint`, where that cannot be had.
io::Opened firstDocument(const std::string& figure, std::string& complaint,
                         std::optional<BaseChoice> base = std::nullopt);

/// Shows what was said of a file that was opened, and asks for a folder when it names files that were not found.
void tellOf(Session& session, const std::filesystem::path& file, const io::Opened& opened);

/// A document that was read or made takes the place of the open one; whatever was under way ends. isSaved: `file` holds
/// it, or it is new and nothing is lost with it.
void takeOver(Session& session, Document document, std::filesystem::path file, const std::string& label,
              bool isSaved = true);

/// What was under way speaks of links that may have gone: ends it.
void forgetLinks(Session& session);

/// Opens beside the window (session.services.job): the document takes its place at this frame if it is quick, else at a later
/// one. Observed points go to the Fit panel.
void openFile(Session& session, const std::filesystem::path& path, std::optional<BaseChoice> base = std::nullopt);
/// Begins to open the file of the command line, of which finishJob will take the result: then nothing can be undone, if
/// nothing was done before.
void openFirstFile(Session& session, const std::filesystem::path& path,
                   std::optional<BaseChoice> base = std::nullopt);
/// Opens the file of ui.missing again and looks for what it names in this folder too, from now on whenever it is
/// opened.
void openWithFolder(Session& session, const std::filesystem::path& folder);
/// Opens lost work (app/jobs/autosave.h) in a step that can be undone.
void recoverLost(Session& session, std::size_t index);

/// Opens a scene of resources/scenes as a new document, so that saving cannot overwrite it.
void openExample(Session& session, const std::filesystem::path& path);
void saveFile(Session& session, const std::filesystem::path& path);
/// Writes the figure alone, with the user's limits, rigidities and locks as its own. The document stays as it is.
void saveFigure(Session& session, const std::filesystem::path& path);
/// Writes the motion, or the pose, in the format of the name's ending; what that cannot say becomes a note.
void exportTake(Session& session, const std::filesystem::path& path);
/// Draw what the window shows, as session.ui.browser.pictures has it, beside the window (session.services.drawing). The sequence
/// is the take, seen from where the camera stands now.
void drawPictureTo(Session& session, const std::filesystem::path& path);
void drawSequenceTo(Session& session, const std::filesystem::path& pattern);
/// Writes the iterates of the race as CSV.
void saveRace(Session& session, const std::filesystem::path& path);
/// Writes the surface of the workspace as PLY.
void saveShell(Session& session, const std::filesystem::path& path);

/// Reads a mesh beside the window and adds it as an obstacle before the figure.
void addProp(Session& session, const std::filesystem::path& path);
void createFigure(Session& session, const NewFigure& wanted);

}  // namespace limber::app
