// SPDX-License-Identifier: MIT
// The moving coordinates on which goals depend, ordered for elimination: parents before children, limb by limb, without
// fixed and locked joints and without branches that have no goal.
//
// An element is one scalar coordinate or one rotation (three coordinates). Successive elements without a goal or a
// branch between them form a run, along which the wrench of the goals is constant and the state of an elimination stays
// in registers. A scalar that drives or follows others, or that a linear limit ties, may have to stay open
// (objective/sweep/open_system.h); like a rotation, it is a run of its own.
#pragma once

#include <memory>
#include <vector>

#include "limber/goals/goal.h"
#include "limber/objective/limits/feasible_set.h"
#include "limber/objective/stay_term.h"

namespace limber {

struct CoordinateTree {
  struct Run {
    int first = 0, end = 0;  ///< elements
    int parent = -1;         ///< run above, -1 for none
    bool isRotation = false;
  };
  /// A moving scalar on which no goal depends.
  struct Unloaded {
    int coordinate = 0;
    int active = -1;    ///< active index, -1 for a follower
    int follower = -1;  ///< index among the couplings' followers, -1 for none
  };

  std::vector<int> coordinates;            ///< by element: step coordinate; the first of a rotation
  std::vector<int> active;                 ///< by element: active index; the first of a rotation; -1 for a follower
  std::vector<int> followers;              ///< by element: index among the couplings' followers, likewise; -1 for none
  std::vector<Run> runs;                   ///< parents before children
  std::vector<std::vector<int>> goalRuns;  ///< by goal and its links: the run that moves the link, -1 for none
  std::vector<int> stayRuns;               ///< by body of the stay term: the run that moves it
  std::vector<Unloaded> unloaded;
  std::vector<int> drivers;  ///< active indices of coordinates that others follow, ascending

  int elementCount() const { return static_cast<int>(coordinates.size()); }
};

/// The bodies of `stay` count as goals. activeIndex has one entry for each step coordinate, -1 if it is not active.
/// `feasible` is bound to the same coordinates.
CoordinateTree makeCoordinateTree(const Figure& figure, const std::vector<std::unique_ptr<Goal>>& goals,
                                  const StayTerm& stay, const std::vector<int>& activeIndex,
                                  const FeasibleSet& feasible);

}  // namespace limber
