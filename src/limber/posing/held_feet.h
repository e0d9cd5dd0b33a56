// SPDX-License-Identifier: MIT
// Holds for the feet on which a figure stands while its pelvis is dragged or balance is kept.
#pragma once

#include <vector>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/posing.h"

namespace limber {

/// Holds three points of each link that are not on one line, so that the link neither slides nor turns.
std::vector<Hold> holdLinks(const Figure& figure, const Kinematics& kinematics, const std::vector<int>& links);

/// Holds the links that stand on the ground (body/balance.h).
std::vector<Hold> heldFeet(const Figure& figure, const Kinematics& kinematics);

/// Holds these links while another one is dragged. If a foot touches the ground in a point (body/footholds.h), only
/// that point is held, and the leg may turn about it.
std::vector<Hold> feetUnder(const IkProblem& problem, const Kinematics& kinematics, int draggedLink);

}  // namespace limber
