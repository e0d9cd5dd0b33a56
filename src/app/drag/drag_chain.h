// SPDX-License-Identifier: MIT
// Which joints follow what is dragged, and how many of them may.
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

/// One entry per link: 1 for the limb that moves first when a link is dragged. Empty without such a limb: posing is not
/// natural, the whole figure is one limb, or it is too large to find that at every movement of the mouse.
std::vector<char> limbThatReaches(const Document& document, int link);

/// The status of a drag of such a limb: "arm reaches", or "trunk leans" once the rest of the body moves, too; "limb
/// reaches" and "body follows" if the parts of the body are unknown.
std::string limbWords(const Document& document, const std::vector<char>& limb, bool bodyMoves);

/// The last `count` joints, which are nearest to what is dragged.
std::vector<int> nearest(const std::vector<int>& joints, int count);

}  // namespace limber::app
