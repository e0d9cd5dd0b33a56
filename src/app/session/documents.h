// SPDX-License-Identifier: MIT
// Opens, saves and exports documents, and makes figures. A load that fails leaves the open document unchanged.
#pragma once

#include <filesystem>
#include <string>

#include "app/session/session.h"
#include "limber/io/open.h"

namespace limber::app {

/// The first document of the window: the given standard figure, or the human for an empty name. When it cannot be
/// opened, `complaint` says why and a planar chain of four links is returned.
io::Opened firstDocument(const std::string& figure, std::string& complaint, const io::OpenContext& context = {});

/// Shows the notes on an opened file, and asks for a folder when it names files that were not found.
void tellOf(Session& session, const std::filesystem::path& file, const io::Opened& opened);

/// Replaces the open document, and ends all running operations. `isSaved`: the document is stored in `file`, or it is
/// new and need not be saved.
void takeOver(Session& session, Document document, std::filesystem::path file, const std::string& label,
              bool isSaved = true);

/// Ends all operations that refer to links of the figure. Call it when the figure has changed.
void forgetLinks(Session& session);

/// Opens a file in session.services.job: the document is replaced in this frame when that is quick, else in a later
/// one. A file of observed points goes to the Fit panel.
void openFile(Session& session, const std::filesystem::path& path, const io::OpenContext& context = {});
/// Begins to open the file of the command line; finishJob takes the result. It leaves no undo step unless the user has
/// edited meanwhile.
void openFirstFile(Session& session, const std::filesystem::path& path, const io::OpenContext& context = {});
/// Opens the file of ui.missing again and also searches this folder for the files that it names, now and whenever it is
/// opened again.
void openWithFolder(Session& session, const std::filesystem::path& folder);
/// Opens lost work (app/jobs/autosave.h) as one undo step.
void recoverLost(Session& session, int index);

/// Opens a scene of resources/scenes as a new document, so that saving cannot overwrite it.
void openExample(Session& session, const std::filesystem::path& path);
/// Saves the scene with the window's view.
void saveFile(Session& session, const std::filesystem::path& path);
/// Writes only the figure, including the user's limits, rigidities and locks. The document does not change.
void saveFigure(Session& session, const std::filesystem::path& path);
/// Writes the motion, else the pose, in the format of the file extension. Notes say what the format cannot express.
void exportTake(Session& session, const std::filesystem::path& path);
/// Draw what the window shows, with the options of session.ui.browser.pictures, in session.services.drawing. The
/// sequence is that of the motion or timeline, seen by the present camera.
void drawPictureTo(Session& session, const std::filesystem::path& path);
void drawSequenceTo(Session& session, const std::filesystem::path& pattern);
/// Writes the iterates of the race as CSV.
void saveRace(Session& session, const std::filesystem::path& path);
/// Writes the surface of the workspace as PLY.
void saveShell(Session& session, const std::filesystem::path& path);

/// Reads the motions of a file in session.services.job and gives them to the open figure, as one undo step.
void loadMotion(Session& session, const std::filesystem::path& path);
/// Reads a mesh in session.services.job and adds it as an obstacle in front of the figure.
void addProp(Session& session, const std::filesystem::path& path);
void createFigure(Session& session, const NewFigure& wanted);

}  // namespace limber::app
