// SPDX-License-Identifier: MIT
// How a solve went, in one word and in one sentence.
#pragma once

#include <string>

#include "posing/posing.h"

namespace limber {

/// From the report's solver status, goals and limited joints.
Outcome outcomeOf(const PosingReport& report);

/// "at limits: 12 mm left, left_elbow blocks": from the report's outcome, error and limited joints.
std::string sentenceOf(const Figure& figure, const PosingReport& report);

}  // namespace limber
