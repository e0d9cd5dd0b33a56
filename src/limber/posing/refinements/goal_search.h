// SPDX-License-Identifier: MIT
// Looks farther where a solve has missed goals that might be met: solves again from its start by the solver that it
// names for this (Solver::searchSolver), one choice of alternatives after the other. The answer that meets the most
// goals, the earliest of them, stands.
#pragma once

#include "limber/posing/refinements/solve.h"

namespace limber {

class GoalSearch final : public Refinement {
 public:
  void begin(Solve& solve) override;
  Verdict judge(Solve& solve) override;
  bool refine(Solve& solve) override;
  void breakOff(Solve& solve) override;

  /// The pose of the best answer so far; null while nothing is searched.
  const Pose* bestPose() const { return best_ ? &best_->end.pose : nullptr; }

 private:
  /// Everything that the end of a solve leaves.
  struct Answer {
    Snapshot end;
    Branches branches;
    Contacts contacts;
    int met = 0;  ///< of the goals that count
  };
  bool beginSearch(Solve& solve);
  bool beginNextTry(Solve& solve);
  bool beginTry(Solve& solve, const Branches& choice);
  static Answer takeAnswer(Solve& solve, int met);

  std::optional<Answer> best_;
  int asked_ = 0;                  ///< goals that count
  std::vector<Branches> choices_;  ///< one a try: which alternatives count in it
  std::size_t next_ = 0;
};

}  // namespace limber
