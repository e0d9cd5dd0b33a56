// SPDX-License-Identifier: MIT
// The panels of the window. Each reads the session, keeps no state of its own, and queues commands.
#pragma once

#include "app/editing/command.h"
#include "app/session/session.h"
#include "app/settings/layout.h"

namespace limber::app {

/// Timing for the right end of the status bar.
struct FrameTimes {
  double framesPerSecond = 0.0;  ///< 0 while nothing moves
};

/// Draws all panels; returns the layout of the window in screen coordinates.
Layout drawPanels(const Session& session, UiState& ui, Settings& settings, const FrameTimes& times,
                  CommandQueue& queue);

/// Returns the height of the bar.
float drawMenuBar(const Session& session, Settings& settings, UiState& ui, CommandQueue& queue);
/// The right column: its tabs, and the panels of the chosen tab (app/settings/panel_list.h).
void drawColumn(const Session& session, UiState& ui, Settings& settings, CommandQueue& queue);
void drawFigureTree(const Session& session, UiState& ui, CommandQueue& queue);
void drawSolver(const Session& session, UiState& ui, CommandQueue& queue);
void drawGoals(const Session& session, UiState& ui, Settings& settings, CommandQueue& queue);
void drawJoint(const Session& session, UiState& ui, CommandQueue& queue);
/// A row for the rigidity of a joint.
void drawRigidity(const char* label, const Document& document, int joint, UiState& ui, CommandQueue& queue);
/// The limits and goals that keep the pose from meeting the goals (app/editing/why.h).
void drawWhy(const Session& session, CommandQueue& queue);
/// The global pose search: its progress, the pose found, and the certificate for the pose on screen.
void drawGlobal(const Session& session, CommandQueue& queue);
/// The reachable workspace of an end effector: its resolution, the progress of the search, and the result.
void drawWorkspace(const Session& session, UiState& ui, Settings& settings, CommandQueue& queue);
/// All poses in which an arm reaches its goal, as pictures, and a slider along its self-motion.
void drawWays(const Session& session, UiState& ui, CommandQueue& queue);
/// Obstacles, self-collision, balance.
void drawWorld(const Session& session, UiState& ui, Settings& settings, CommandQueue& queue);
void drawPoses(const Session& session, UiState& ui, CommandQueue& queue);
void drawPoseDialogs(const Session& session, UiState& ui, CommandQueue& queue);
void drawPins(const Session& session, CommandQueue& queue);
/// The curves of the last solve, `height` pixels high with their axes, and their legend.
void drawConvergence(const Session& session, UiState& ui, float height);
/// The panel with the curves, and a button that opens the window.
void drawConvergencePanel(const Session& session, UiState& ui);
/// The window with the curves and the iterations, while ui.convergence.hasWindow is set.
void drawIterations(const Session& session, UiState& ui);
/// The fit of the figure to observed points; session.ui.fit must have a plan.
void drawFit(const Session& session, UiState& ui, CommandQueue& queue);
void drawReference(const Session& session, UiState& ui, CommandQueue& queue);
/// The strip below the picture: transport, keys, and a track with a lane for each motion, kind of keys and path.
void drawTimeline(const Session& session, UiState& ui, Settings& settings, CommandQueue& queue);
/// The race: a table of its solvers, their curves, and a slider through the iterates of one.
void drawRace(const Session& session, UiState& ui, Settings& settings, CommandQueue& queue);
/// The race's panel in the column, which switches it on.
void drawRaceSwitch(const Session& session, CommandQueue& queue);
/// The letters of the race's ghosts at their end effectors; `picture` in screen coordinates.
void drawRaceLabels(const Session& session, const Rectangle& picture);
/// Arrows at the edge of the picture to targets outside of it; a click shows the target. `picture` in screen
/// coordinates.
void drawTargetMarkers(const Session& session, const Rectangle& picture, CommandQueue& queue);
/// A cube in the picture's corner; a click on a face looks from that side. `picture` in screen coordinates.
void drawViewCube(const Session& session, const Rectangle& picture, CommandQueue& queue);
/// Coordinates along the lower and left edge of the picture of a planar figure; `picture` in screen coordinates.
void drawPlaneAxes(const Session& session, const Rectangle& picture);
void drawStatusBar(const Session& session, const FrameTimes& times);
void drawMessage(const Session& session, UiState& ui, const Rectangle& picture);

/// A progress bar with a button to cancel over the picture, once a job has taken half a second.
void drawJob(const Session& session, const Rectangle& picture, CommandQueue& queue);
void drawKeys(UiState& ui, Settings& settings);
/// The guide (docs/guide.md) as text in a window, while ui.guide.isShown.
void drawGuide(UiState& ui);
void drawAbout(UiState& ui);
/// Four tasks for the first minutes; each ends when the user has done it.
void drawTour(const Session& session, UiState& ui, Settings& settings);
/// The scenes that ship with Limber, as pictures in groups; a click opens one.
void drawExamples(UiState& ui, CommandQueue& queue);
/// The steps that can be undone and redone; a click goes to a step.
void drawHistory(const Session& session, CommandQueue& queue);
/// Live avatars: what other programs send, and where the pose is sent.
void drawLive(const Session& session, UiState& ui, Settings& settings, CommandQueue& queue);
/// The dialog that offers unsaved work of an earlier run.
void drawLostWork(const Session& session, UiState& ui, CommandQueue& queue);
void drawDialogs(const Session& session, UiState& ui, CommandQueue& queue);

/// The figure editor: edits lengths, rest pose, links and sites of the figure itself.
void drawFigureEditor(const Session& session, UiState& ui, CommandQueue& queue);
/// Its dialogs: a new link, and the consequences of a removed one.
void drawFigureDialogs(const Session& session, UiState& ui, CommandQueue& queue);
void drawFileBrowser(const Session& session, UiState& ui, CommandQueue& queue);
/// Initializes the options of a picture for a dialog: the size of the window's picture if none was chosen yet, and all
/// frames.
void preparePictures(const Session& session, PictureChoice& pictures);
/// A row of the file browser for size and background; for a sequence also a row for its frames.
void drawPictureRows(const Session& session, bool isSequence, UiState& ui);

/// Draws thin strips over the edges between the parts of the window: a drag resizes a part, a double click restores its
/// default size. `em` is the height of the text in pixels.
void drawSplitters(const Layout& layout, double em, PartSizes& sizes);

}  // namespace limber::app
