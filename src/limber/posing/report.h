// SPDX-License-Identifier: MIT
// What a solve has come to, judged by forward kinematics alone: a report does not trust the solver.
#pragma once

#include "limber/posing/problem.h"

namespace limber {

/// Fills goals, worst errors and what is proved, at document.pose.
void judgeGoals(const Document& document, const Problem& problem, PosingReport& report);

}  // namespace limber
