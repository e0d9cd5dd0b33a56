// SPDX-License-Identifier: MIT
// How a solve went: what is left of its goals, judged by forward kinematics alone, for a report does not trust the
// solver; and that in one word and in one sentence.
#pragma once

#include <string>

#include "limber/posing/posing.h"

namespace limber {

struct PosedProblem;

/// Fills goals, worst errors and what is proved, at problem.pose.
void judgeGoals(const IkProblem& problem, const PosedProblem& posed, PosingReport& report);

/// From the report's solver status, live goals and active limits.
Outcome outcomeOf(const PosingReport& report);

/// "at limits: 12 mm left, left_elbow blocks most of 3": from the report's outcome, what is left of its goals and pins,
/// and its active limits. Says what is proved ("out of reach") and what holds near the pose alone ("nearest found").
std::string sentenceOf(const Figure& figure, const PosingReport& report);

/// "12.3 mm", "1.25 m".
std::string lengthInWords(double metres);

}  // namespace limber
