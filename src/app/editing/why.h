// SPDX-License-Identifier: MIT
// Explains the outcome of a solve in words. The text distinguishes proofs from results of a local search.
#pragma once

#include <string>
#include <vector>

#include "limber/posing/posing.h"
#include "limber/scene/document.h"

namespace limber::app {

/// The outcome in one or two sentences: "Nearest found. No better pose nearby; there may be one elsewhere."
std::string outcomeInWords(const Document& document, const PosingReport& report);

/// "upper limit 145.0°", "swing cone 60.0°", "twist limit -30.0°", "elevation + abduction <= 90.0°".
std::string limitInWords(const Document& document, const ActiveLimit& limit);

/// "elevation + 0.5 abduction - twist"
std::string sumInWords(const Figure& figure, const LinearLimit& limit);

/// The name of the limit's joint, or of the linear limit.
std::string ownerOf(const Document& document, const ActiveLimit& limit);

/// The joints that the limit restricts: one, or those of a linear limit.
std::vector<int> jointsOf(const Figure& figure, const ActiveLimit& limit);

/// The joints whose limits hold the pose back, each once, ascending.
std::vector<int> blockedJoints(const Figure& figure, const PosingReport& report);

/// True for limits in metres, which are those of prismatic joints.
bool isLengthLimit(const Figure& figure, const ActiveLimit& limit);

/// How much f would fall, to first order, if the limit were one degree (one millimetre) wider.
double gainOf(const Figure& figure, const ActiveLimit& limit);

/// The name of a row of "goals by residual": "left_hand", "pin on left_foot", "the drag".
std::string nameOf(const Document& document, const GoalReport& goal);

}  // namespace limber::app
