// SPDX-License-Identifier: MIT
// The moving coordinates that goals can feel, in the order in which an elimination takes them: parents before children,
// limb by limb, without fixed and locked joints and without branches that no goal is on.
//
// An element is one scalar coordinate or one rotation (three coordinates at once). Elements in a row, with neither goal
// nor branching between them, form a run: along it the wrench of the goals stays the same, and what an elimination
// hands on stays in registers. A scalar that drives or follows others, or that a linear limit ties, may have to stay
// open (objective/sweep/open_system.h): it is a run of its own, like a rotation.
#pragma once

#include <memory>
#include <vector>

#include "limber/goals/goal.h"
#include "limber/objective/limits/feasible_set.h"
#include "limber/objective/stay_term.h"

namespace limber {

struct CoordinateTree {
  struct Run {
    int first = 0, end = 0;   ///< elements
    int parent = -1;          ///< run above, -1 for none
    bool isRotation = false;
  };
  /// A moving scalar that no goal feels.
  struct Loose {
    int coordinate = 0;
    int active = -1;    ///< place among the active coordinates, -1 for a follower
    int follower = -1;  ///< which of the couplings' followers, -1 for none
  };

  std::vector<int> coordinates;  ///< by element: step coordinate, of a rotation its first
  std::vector<int>
      active;  ///< by element: place among the active coordinates, of a rotation the first; -1 for a follower
  std::vector<int> followers;    ///< by element: which of the couplings' followers, of a rotation the first; -1 for none
  std::vector<Run> runs;         ///< a parent's index is below its child's
  std::vector<std::vector<int>> goalRuns;  ///< by goal, by its links: the run that moves the link, -1 for none
  std::vector<int> stayRuns;               ///< by body of the stay term: the run that moves it
  std::vector<Loose> loose;
  std::vector<int> drivers;      ///< active coordinates that others follow, places among the active ones, ascending

  int elementCount() const { return static_cast<int>(coordinates.size()); }
};

/// stay: its bodies count as goals do. activeIndex: by step coordinate, -1 where it does not move or follows. feasible: bound to the same coordinates.
CoordinateTree makeCoordinateTree(const Figure& figure, const std::vector<std::unique_ptr<Goal>>& goals,
                                  const StayTerm& stay, const std::vector<int>& activeIndex,
                                  const FeasibleSet& feasible);

}  // namespace limber
