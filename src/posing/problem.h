// SPDX-License-Identifier: MIT
// From a document and what a drag asks beside it to the objective that a solver sees.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "goals/position_goal.h"
#include "objective/objective.h"
#include "posing/posing.h"

namespace limber {

/// Step coordinates that a solver may change: not locked, rigidity below 1. `freeRoot` unlocks the root.
std::vector<int> activeCoordinates(const Document& document, bool freeRoot);

/// Most active coordinates of which the square is kept: a dense Hessian of them takes 800 MB.
inline constexpr int kMaxDenseCoordinates = 10000;
std::string tooManyCoordinates(int count);  ///< the sentence that says so

/// One position goal as it stands in the objective.
struct PosedGoal {
  int id = -1;  ///< of the document's goal, -1 for a drag's
  int link = 0;
  Eigen::Vector3d pointInLink, target;
  bool isHold = false;             ///< must be met exactly: multiplier updates shift the goal's target
  PositionGoal* goal = nullptr;    ///< owned by the objective
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();  ///< what the updates have added up to
};

struct Problem {
  std::unique_ptr<Objective> objective;
  std::vector<PosedGoal> goals;
  std::string fault;  ///< empty, or why there is nothing to solve
};
Problem makeProblem(const Document& document, const PosingRequest& request);

/// Option values of the document's solver: the registry's defaults with the document's changes. Empty with `fault`
/// saying which option or solver is unknown or out of range.
OptionValues solverOptions(const SolverSettings& settings, std::string& fault);

/// True when no pose can bring the point to the target: it is farther from the first joint that can move than the
/// lengths between them add up to.
bool isProvedOutOfReach(const Document& document, const Objective& objective, const Kinematics& kinematics,
                        const PosedGoal& goal);

}  // namespace limber
