// SPDX-License-Identifier: MIT
// The moving coordinates that goals can feel, in the order in which an elimination takes them: parents before children,
// limb by limb, without fixed and locked joints and without branches that no goal is on.
//
// An element is one scalar coordinate or one rotation (three coordinates at once). Elements in a row, with neither goal
// nor branching between them, form a run: along it the wrench of the goals stays the same, and what an elimination
// hands on stays in registers.
#pragma once

#include <memory>
#include <vector>

#include "goals/goal.h"

namespace limber {

struct CoordinateTree {
  struct Run {
    int first = 0, end = 0;   ///< elements; a rotation is a run of its own
    int parent = -1;          ///< run above, -1 for none
    bool isRotation = false;
  };

  std::vector<int> coordinates;  ///< by element: step coordinate, of a rotation its first
  std::vector<int> active;       ///< by element: place among the active coordinates; of a rotation the first active one
  std::vector<Run> runs;         ///< a parent's index is below its child's
  std::vector<std::vector<int>> goalRuns;  ///< by goal, by its links: the run that moves the link, -1 for none
  std::vector<int> loose;        ///< active scalar coordinates that no goal feels, places among the active ones

  int elementCount() const { return static_cast<int>(coordinates.size()); }
};

/// activeIndex: by step coordinate, -1 where it does not move.
CoordinateTree makeCoordinateTree(const Figure& figure, const std::vector<std::unique_ptr<Goal>>& goals,
                                  const std::vector<int>& activeIndex);

}  // namespace limber
