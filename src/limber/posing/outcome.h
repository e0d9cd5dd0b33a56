// SPDX-License-Identifier: MIT
// The result of a solve: the errors of its goals, computed by forward kinematics alone because a report does not trust
// the solver, and the result in one word and one sentence.
#pragma once

#include <string>

#include "limber/posing/posing.h"

namespace limber {

struct PosedProblem;

/// Fills goals, worst errors, balance and proofs of the report, at problem.pose, whose transforms `kinematics` has
/// then.
void judgeGoals(const IkProblem& problem, const PosedProblem& posed, Kinematics& kinematics, PosingReport& report);

/// Follows from the report's solver status, live goals and active limits.
Outcome outcomeOf(const PosingReport& report);

/// The report in a sentence: "at limits: 12 mm left, held back by left_elbow and 2 more joints". It distinguishes
/// proofs ("out of reach") from statements about near poses ("nearest found").
std::string sentenceOf(const Figure& figure, const PosingReport& report);

/// "12.3 mm", "1.25 m".
std::string lengthInWords(double metres);

}  // namespace limber
