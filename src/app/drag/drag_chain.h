// SPDX-License-Identifier: MIT
// Which joints follow what is dragged, and how many of them may.
#pragma once

#include <string>
#include <vector>

#include "limber/scene/document.h"

namespace limber::app {

/// The joints at and above a link that inverse kinematics may move, the root's first. `freesRoot`: a free root counts
/// though it is locked.
std::vector<int> joinedAbove(const Document& document, int link, bool freesRoot);

/// One a link of the figure: 1 where the link's own joint is among these. Empty for none.
std::vector<char> byLink(const Document& document, const std::vector<int>& joints);

/// One a link of the figure: 1 for the limb that moves first when a link is dragged. Empty where no limb does: posing is
/// not natural, all of the figure is one limb, or it is too large to find that at every movement of the mouse.
std::vector<char> limbThatReaches(const Document& document, int link);

/// What is said of such a limb while it is dragged: "arm reaches", and once the rest of the body moves, too, "trunk
/// leans"; by the parts of a person where they are known, else "limb reaches" and "body follows".
std::string limbWords(const Document& document, const std::vector<char>& limb, bool bodyMoves);

/// The last `count` of them: those nearest to what is dragged.
std::vector<int> nearest(const std::vector<int>& joints, int count);

}  // namespace limber::app
