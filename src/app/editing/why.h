// SPDX-License-Identifier: MIT
// Why a pose stops where it stops, in words: what is proved is told apart from what was only found nearby.
#pragma once

#include <string>
#include <vector>

#include "limber/posing/posing.h"
#include "limber/scene/document.h"

namespace limber::app {

/// "Out of reach, proved: left_hand's target is farther ...", "Nearest found: no better pose nearby; ...".
std::string outcomeInWords(const Document& document, const PosingReport& report);

/// "upper limit 145.0°", "swing cone 60.0°", "twist limit -30.0°", "elevation + abduction <= 90.0°".
std::string limitInWords(const Document& document, const ActiveLimit& limit);

/// "elevation + 0.5 abduction - twist"
std::string sumInWords(const Figure& figure, const LinearLimit& limit);

/// Whose limit it is: a joint's name, or that of a linear limit.
std::string ownerOf(const Document& document, const ActiveLimit& limit);

/// The joints that it holds: one, or those of a linear limit.
std::vector<int> jointsOf(const Figure& figure, const ActiveLimit& limit);

/// All that hold the pose back, each once.
std::vector<int> blockedJoints(const Figure& figure, const PosingReport& report);

/// True for limits counted in metres: of sliding joints.
bool isLengthLimit(const Figure& figure, const ActiveLimit& limit);

/// By how much f would fall, to first order, were the limit one degree (one millimetre) wider.
double gainOf(const Figure& figure, const ActiveLimit& limit);

/// What a row of "goals by residual" is about: "left_hand", "pin on left_foot", "drag".
std::string nameOf(const Document& document, const GoalReport& goal);

}  // namespace limber::app
