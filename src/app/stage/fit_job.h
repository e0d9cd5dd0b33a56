// SPDX-License-Identifier: MIT
// Reads observed points and fits the figure to them in session.services.job; the fitted motion replaces the document's.
#pragma once

#include <filesystem>

#include "app/stage/stage.h"

namespace limber::app {

/// Reads the points; the Fit panel then opens with point names guessed for the open figure.
void openObservations(Stage& session, const std::filesystem::path& path);
/// Fits the figure to key points in pictures, by a camera that is found, and plays the motion: one undo step.
void fitKeyPoints(Stage& session, const std::filesystem::path& path);

/// The unknowns of a fit to the marks of all reference pictures.
enum class MarkFit {
  Pose,           ///< the pose, from the marks and natural posing
  PoseAndCamera,  ///< the pose, and the cameras of the pictures that have marks
  NextDepth,      ///< the next alternative of the selected mark's limb: toward the camera or away
  PoseOfGesture,  ///< the pose, without a message, in the step of kMarkGesture: while marks are set
};
inline constexpr const char* kMarkGesture = "mark in the picture";
/// Fits the pose to the marks as one undo step.
void fitMarks(Stage& session, MarkFit what);

/// Fits the open figure with the options of the panel. The motion is one undo step, and plays.
void startFit(Stage& session);

/// If the figure has changed since the plan was made, guesses the names again and drops the last answer.
void followFigure(const Document& document, FitState& fit);

}  // namespace limber::app
