// SPDX-License-Identifier: MIT
// Fits beside the window: observed points are read, a figure is fitted to them, and the motion takes its place.
#pragma once

#include <filesystem>

#include "app/session/session.h"

namespace limber::app {

/// Reads the points; the Fit panel then opens with names guessed for the open figure.
void openObservations(Session& session, const std::filesystem::path& path);

/// Fits the open figure as the panel says. The motion is one step, and plays.
void startFit(Session& session);

/// Of a plan that was made for another figure: names guessed anew, what the fit said forgotten.
void followFigure(const Document& document, FitState& fit);

}  // namespace limber::app
