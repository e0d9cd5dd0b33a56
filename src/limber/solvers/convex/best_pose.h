// SPDX-License-Identifier: MIT
// What a solver of several runs has found so far, and how it becomes the answer.
#pragma once

#include "limber/solvers/steps/solve_loop.h"

namespace limber {

struct BestPose {
  Pose pose;
  IterationRecord record;
  double objective = 0.0;
  SolveStatus status = SolveStatus::Stalled;

  /// Where the solve begins: nothing says that it is a minimum.
  void begin(const Pose& start, const SolveLoop& loop);
  /// The end of a run of the second phase, where it is lower. One that is as low says what the pose is.
  void take(const Pose& end, const Summary& summary);
  /// Puts the solve there.
  void show(Pose& shown, Workspace& workspace, SolveLoop& loop) const;
};

}  // namespace limber
