// SPDX-License-Identifier: MIT
// Goals that are alternatives: where the solver has come clearly nearer to another of them than to the one that counts,
// it runs again toward that one.
#pragma once

#include "limber/posing/refinements/solve.h"

namespace limber {

class LiveBranches final : public Refinement {
 public:
  void begin(Solve& solve) override;
  bool refine(Solve& solve) override;

 private:
  int switches_ = 0;  ///< of this solve
};

}  // namespace limber
