// SPDX-License-Identifier: MIT
// What stays put when the pelvis is dragged: the feet that a figure stands on.
#pragma once

#include <vector>

#include "kinematics/forward_kinematics.h"
#include "posing/posing.h"
#include "scene/document.h"

namespace limber::app {

/// The links that stand on the ground, one for each limb, in order of their index.
///
/// A limb stands when its last link comes within kStandingHeight (of the figure's height) of the figure's lowest
/// point. Of the links of that limb that do, the uppermost counts: the foot, not its toe. When some of these limbs
/// are named like feet (foot, toe, ankle), the others are left out: a hand on the floor does not stand.
std::vector<int> standingLinks(const Figure& figure, const Kinematics& kinematics);

/// Three points of each standing link that do not lie on one line, asked to stay: the foot neither slides nor turns.
std::vector<DragGoal> heldFeet(const Figure& figure, const Kinematics& kinematics);

inline constexpr double kStandingHeight = 0.025;  ///< of the figure's height

}  // namespace limber::app
