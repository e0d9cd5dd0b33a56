// SPDX-License-Identifier: MIT
// The active set of contacts. After the goals are met as far as can be, pairs that the solver has brought together
// enter the objective; when none does, the planes between pairs are chosen anew where they are in the way, as long as f
// falls.
#pragma once

#include "limber/posing/refinements/solve.h"

namespace limber {

class ContactRounds final : public Refinement {
 public:
  void begin(Solve& solve) override;
  bool refine(Solve& solve) override;
  /// A pose that is cancelled inside of something goes back to the last one that was clear.
  void breakOff(Solve& solve) override;

 private:
  int entries_ = 0, planeRounds_ = 0, capped_ = 0;  ///< of this solve
  Snapshot clear_;  ///< where the present round of planes began; f without what holds pairs apart
};

}  // namespace limber
