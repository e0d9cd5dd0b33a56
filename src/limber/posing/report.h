// SPDX-License-Identifier: MIT
// What a solve has come to, judged by forward kinematics alone: a report does not trust the solver.
#pragma once

#include "limber/posing/posed_problem.h"

namespace limber {

/// Fills goals, worst errors and what is proved, at problem.pose.
void judgeGoals(const IkProblem& problem, const PosedProblem& posed, PosingReport& report);

}  // namespace limber
