// SPDX-License-Identifier: MIT
// What posing does around the runs of a solver. A refinement looks at the end of a run and may change the problem or
// the pose, so that the solver runs again. It keeps a budget of its own, and what it remembers lasts as long as it
// does.
#pragma once

namespace limber {

struct Solve;

class Refinement {
 public:
  virtual ~Refinement() = default;

  /// A solve has been posed; no solver has run.
  virtual void begin(Solve&) {}

  enum class Verdict { AskOthers, RunAgain, End };
  /// A run has ended: says what becomes of what this refinement has changed before it. All are asked this first.
  virtual Verdict judge(Solve&) { return Verdict::AskOthers; }

  /// A run has ended, and nothing is on trial: true when problem or pose were changed, so that the solver runs again.
  virtual bool refine(Solve&) { return false; }

  /// A run was cancelled or has met numbers that are not finite: undoes what may not stand.
  virtual void breakOff(Solve&) {}
};

}  // namespace limber
