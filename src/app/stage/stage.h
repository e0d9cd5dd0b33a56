// SPDX-License-Identifier: MIT
// The data that the tools of the mouse use: the edited document, the picture that shows it, and the pointer.
#pragma once

#include "app/editing/editing.h"
#include "app/features/services.h"
#include "app/stage/picture.h"
#include "app/stage/pointer.h"

namespace limber::app {

/// A stage can be neither copied nor moved, because jobs refer to it.
struct Stage : Editing {
  Stage(Document document, Settings settings, Solving::Print print);
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  Picture picture;
  Pointer pointer;
  Services services;
};

/// Updates stage.picture from the document, and frames a document that is shown for the first time. An edit of the
/// figure does not move the camera.
void updateScene(Stage& stage);

/// Requests a solve for the running drag, else for the document's goals. `searches`: PosingRequest::searches.
void requestSolve(Stage& stage, bool searches = false);

/// Advances only the solve, for about `milliseconds`; the race gets each request that it starts.
void advanceSolving(Stage& stage, double milliseconds);

/// Takes the results of the jobs that have ended, unless something is dragged: result and drag are separate undo steps.
void takeJobs(Stage& stage);
/// Waits for the job for a moment too short to notice. Returns true if it has ended.
bool isJobQuick(Stage& stage);

}  // namespace limber::app
