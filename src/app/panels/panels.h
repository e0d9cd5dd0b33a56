// SPDX-License-Identifier: MIT
// The panels of the window. Each reads the session, remembers nothing itself, and queues what it wants done.
#pragma once

#include "app/editing/requests.h"
#include "app/session/session.h"
#include "app/settings/layout.h"

namespace limber::app {

/// What the right edge of the status bar shows.
struct FrameTimes {
  double framesPerSecond = 0.0;  ///< while something moves; 0 while nothing does
};

/// All of them, in their places; returns where the picture is (screen coordinates).
Layout drawPanels(const Session& session, UiState& ui, Settings& settings, const FrameTimes& times,
                  Requests& requests);

/// Returns the height it takes.
float drawMenuBar(const Session& session, Settings& settings, UiState& ui, Requests& requests);
/// The right column: its tabs, and the panels of the one that is chosen (app/settings/panel_list.h).
void drawColumn(const Session& session, UiState& ui, Settings& settings, Requests& requests);
void drawFigureTree(const Session& session, UiState& ui, Requests& requests);
void drawSolver(const Session& session, UiState& ui, Requests& requests);
void drawGoals(const Session& session, UiState& ui, Requests& requests);
void drawJoint(const Session& session, UiState& ui, Requests& requests);
/// Why the pose stops where it stops (app/editing/why.h).
void drawWhy(const Session& session, Requests& requests);
/// The search for the best pose of all: its progress, what it found, and what is proved of the pose on screen.
void drawGlobal(const Session& session, Requests& requests);
/// The reachable workspace of an end effector: its resolution, the search under way, what was found.
void drawWorkspace(const Session& session, UiState& ui, Settings& settings, Requests& requests);
/// Obstacles, self-collision, balance.
void drawWorld(const Session& session, UiState& ui, Settings& settings, Requests& requests);
/// The pose library.
void drawPoses(const Session& session, UiState& ui, Requests& requests);
void drawPoseDialogs(const Session& session, UiState& ui, Requests& requests);
void drawPins(const Session& session, Requests& requests);
/// The curves of the last solve, so high, and their legend.
void drawConvergence(const Session& session, float height);
/// The panel: the curves, and a button for the window.
void drawConvergencePanel(const Session& session, UiState& ui);
/// The window with the curves and the iterations, while it is asked for.
void drawIterations(const Session& session, UiState& ui);
/// Observed points, and the figure that is fitted to them; while there are some.
void drawFit(const Session& session, UiState& ui, Requests& requests);
void drawMotion(const Session& session, UiState& ui, Requests& requests);
/// The timeline: ruler, keys and paths, its transport, and baking.
void drawTimeline(const Session& session, UiState& ui, Requests& requests);
/// The race: its methods as a table, their curves, the way through the iterates of one.
void drawRace(const Session& session, UiState& ui, Settings& settings, Requests& requests);
/// Its switch in the column.
void drawRaceSwitch(const Session& session, const Settings& settings, Requests& requests);
/// The letters of its ghosts, where each has what is pulled. `picture` in screen coordinates.
void drawRaceLabels(const Session& session, const Rectangle& picture);
/// A cube in the picture's corner whose faces look from their sides; `picture` in screen coordinates.
void drawViewCube(const Session& session, const Rectangle& picture, Requests& requests);
/// Numbers along the picture's lower and left edge while a planar figure is shown as its plane.
void drawPlaneAxes(const Session& session, const Rectangle& picture);
void drawStatusBar(const Session& session, const FrameTimes& times);
void drawMessage(const Session& session, UiState& ui, const Rectangle& picture);

/// Over the picture, once a job has taken half a second: what it does, how far it is, and a button that cancels it.
void drawJob(const Session& session, const Rectangle& picture, Requests& requests);
void drawKeys(UiState& ui, Settings& settings);
/// The steps that can be undone and redone; a click goes there.
void drawHistory(const Session& session, UiState& ui, Requests& requests);
/// The question about work that a Limber lost that was ended.
void drawLostWork(const Session& session, UiState& ui, Requests& requests);
void drawDialogs(const Session& session, UiState& ui, Requests& requests);
void drawFileBrowser(const Session& session, UiState& ui, Requests& requests);

}  // namespace limber::app
