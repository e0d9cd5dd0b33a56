// SPDX-License-Identifier: MIT
#include "limber/posing/refinements/refinements.h"

#include <utility>

namespace limber {

namespace {

// Switches in one solve; the margin of chooseBranches() mostly ends them earlier. For 500 choices among six targets of
// a chain, 1, 2, 3 and 10 give the same poses, and 0 gives errors that are 1.3 % larger.
constexpr int kMaxSwitches = 3;

}  // namespace

void LiveBranches::begin(Solve&) { switches_ = 0; }

bool LiveBranches::refine(Solve& solve) {
  if (solve.isSearching || solve.branches.empty() || switches_ >= kMaxSwitches)
    return false;  // a try has its own branches
  Branches better = chooseBranches(solve.withPose(), solve.workspace.current.kinematics, solve.branches);
  if (better == solve.branches) return false;
  PosedProblem switched =
      makeProblem(*solve.problem, *solve.request, better, &solve.posed.reference, solve.liveContacts());
  if (!switched.fault.empty() || !solve.solver->refusal(*switched.objective).empty()) return false;
  solve.replace(std::move(switched));
  solve.branches = std::move(better);
  ++switches_;
  return true;
}

}  // namespace limber
