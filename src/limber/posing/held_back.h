// SPDX-License-Identifier: MIT
// Finds the cause that keeps a pose at a minimum of f from goals that it misses. The terms of f other than the missed
// goals are removed kind by kind, until the pose is no longer a minimum:
//
//   missed goals alone     still a minimum: limits hold it, or nothing near is better
//   all goals              a minimum of these alone: another goal holds it
//   goals and preferences  a preference holds it
//   all of f               the pull to the reference holds it, or in a drag the rest of the body
//
// Pins, held points and contacts remain. A minimum is a pose from which neither the default solver nor
// Levenberg-Marquardt lowers f by more than 2 %, which is 1 % of the distance, in a few iterations. In a drag, where
// this takes too long, the decrease that one Newton step promises decides.
#pragma once

#include <span>

#include "limber/posing/local_minimum.h"
#include "limber/posing/posed_problem.h"

namespace limber {

struct HeldBack {
  HeldBy by = HeldBy::Nothing;
  std::string holder;               ///< the goal or preference in words
  bool isMinimum = false;           ///< of the goals alone: no near pose is better
  std::vector<ActiveLimit> limits;  ///< those that hold the missed goals back, the largest multiplier first
};

class HeldBackFinder {
 public:
  /// report: judged (judgeGoals()) at problem.pose, with missed goals.
  HeldBack find(const IkProblem& problem, const CompletedRequest& request, const Branches& branches,
                const PosedProblem& posed, std::span<const LiveContact> contacts, const PosingReport& report);

 private:
  bool isMinimum(const Objective& objective, const Pose& pose, bool drags);

  LocalMinimum minimum_;
  Workspace workspace_;
};

}  // namespace limber
