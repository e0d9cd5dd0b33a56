// SPDX-License-Identifier: MIT
// The best pose so far of a solver with several runs.
#pragma once

#include "limber/solvers/steps/solve_loop.h"

namespace limber {

struct BestPose {
  Pose pose;
  IterationRecord record;
  double objective = 0.0;
  SolveStatus status = SolveStatus::Stalled;

  /// Stores the start of the solve, which need not be a minimum.
  void begin(const Pose& start, const SolveLoop& loop);
  /// Takes the end of a run of the second phase if f is lower there. If f is equal, only the status is taken.
  void take(const Pose& end, const Summary& summary);
  /// Sets the solve's pose to the best one.
  void show(Pose& shown, Workspace& workspace, SolveLoop& loop) const;
};

}  // namespace limber
