// SPDX-License-Identifier: MIT
// Rigidity weighs the pull to rest. Without one (Zhao and Badler 1994, whose rigid joints take shorter steps) it
// chooses among the poses that meet the goals: the solver first runs with a weak pull to where the solve begins, then
// without. That pull is zero at the start, so f itself is never higher in the end.
#pragma once

#include "limber/posing/refinements/solve.h"

namespace limber {

class WeakPull final : public Refinement {
 public:
  void begin(Solve& solve) override;
  Verdict judge(Solve& solve) override;
  void breakOff(Solve& solve) override;

 private:
  PosedProblem asked_;  ///< without the pull, while it acts; else without an objective
};

}  // namespace limber
