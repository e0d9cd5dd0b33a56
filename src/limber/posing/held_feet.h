// SPDX-License-Identifier: MIT
// What stays put when the pelvis is dragged, or balance is kept: the feet that a figure stands on.
#pragma once

#include <vector>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/posing/posing.h"

namespace limber {

/// Three points of each link that do not lie on one line, asked to stay: it neither slides nor turns.
std::vector<Hold> holdLinks(const Figure& figure, const Kinematics& kinematics, const std::vector<int>& links);

/// The same of the links that stand (body/balance.h).
std::vector<Hold> heldFeet(const Figure& figure, const Kinematics& kinematics);

/// The same while a body is dragged by one of its links; of a foot that touches the ground in a point
/// (body/footholds.h) that point alone, about which its leg may turn.
std::vector<Hold> feetUnder(const IkProblem& problem, const Kinematics& kinematics, int draggedLink);

}  // namespace limber
