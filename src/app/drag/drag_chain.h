// SPDX-License-Identifier: MIT
// The joints that follow a dragged item, and the choice of their number.
#pragma once

#include <string>
#include <vector>

#include "limber/scene/document.h"

namespace limber::app {

/// The joints at and above a link that inverse kinematics may move, from the root on. With `freesRoot` these include a
/// free root that is locked.
std::vector<int> joinedAbove(const Document& document, int link, bool freesRoot);

/// One entry per link: 1 if the link's joint is among `joints`. Empty if there are none.
std::vector<char> byLink(const Document& document, const std::vector<int>& joints);

/// One entry per link: 1 for the limb that moves first when a link is dragged. Empty if posing is not natural, if the
/// whole figure is one limb, or if the figure is too large to find the limb at every movement of the mouse.
std::vector<char> limbThatReaches(const Document& document, int link);

/// The status of a drag of such a limb: "arm reaches", or "trunk leans" once the rest of the body moves, too; "limb
/// reaches" and "body follows" if the parts of the body are unknown.
std::string limbWords(const Document& document, const std::vector<char>& limb, bool bodyMoves);

/// The last `count` joints, which are nearest to the dragged link.
std::vector<int> nearest(const std::vector<int>& joints, int count);

}  // namespace limber::app
