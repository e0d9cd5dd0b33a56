// SPDX-License-Identifier: MIT
// Keeps loops closed in solves that a Posing does not run, such as fits.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "limber/objective/limits/loop_projection.h"
#include "limber/objective/objective.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// Loops as hard constraints of an objective, by multipliers and a projection (docs/theory/loops.md). Belongs to one
/// thread.
class LoopKeeper {
 public:
  LoopKeeper() = default;
  /// active: the coordinates of the objectives.
  LoopKeeper(const IkProblem& problem, const std::vector<int>& active);

  /// False if the active coordinates move no loop; then the other functions do nothing.
  bool isNeeded() const { return !projection_.isEmpty(); }
  /// Adds the goals that close the loops to those of an objective, whose largest weight theirs exceeds.
  void addTo(std::vector<std::unique_ptr<Goal>>& goals) const;
  /// Moves a pose to a near one that closes the loops. False if a loop stays open.
  bool close(Pose& pose) { return projection_.close(pose); }
  /// Calls `minimise`, which minimises the objective from `pose` and returns false to end, until the loops are closed.
  /// The objective's last goals must be those of addTo(). False if a loop stays open.
  bool solve(Objective& objective, Pose& pose, const std::function<bool()>& minimise);

 private:
  std::shared_ptr<const Figure> figure_;
  std::vector<int> loops_;  ///< in the figure
  LoopProjection projection_;
  Kinematics kinematics_;
};

}  // namespace limber
