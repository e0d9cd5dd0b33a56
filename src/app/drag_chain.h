// SPDX-License-Identifier: MIT
// Which joints follow what is dragged, and how many of them may.
#pragma once

#include <vector>

#include "scene/document.h"

namespace limber::app {

/// The joints at and above a link that inverse kinematics may move, the root's first. `freesRoot`: a free root counts
/// though it is locked.
std::vector<int> joinedAbove(const Document& document, int link, bool freesRoot);

/// One a link of the figure: 1 where the link's own joint is among these. Empty for none.
std::vector<char> byLink(const Document& document, const std::vector<int>& joints);

/// The last `count` of them: those nearest to what is dragged.
std::vector<int> nearest(const std::vector<int>& joints, int count);

}  // namespace limber::app
