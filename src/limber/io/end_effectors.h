// SPDX-License-Identifier: MIT
// End effectors of robots whose files do not name them: the ends of the branches, and links with the names of tool
// frames.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "limber/kinematics/figure_builder.h"

namespace limber::io {

/// Adds a site to each link that can move, is a leaf or has the name of a tool frame, and has no site yet (`hasSite`).
/// The site has the link's name, made unique among `taken`. A leaf that is not fixed to its parent has the site at its
/// point in `tips` (one for each link, in the link's frame) or, if `tips` is empty, at the far end of its capsules;
/// other links have it at their origin. Tools at leaves come first, then other tools; there are at most kMaxRobotSites.
void addEndEffectors(const std::vector<char>& hasSite, std::set<std::string> taken, FigureBuilder& builder,
                     const std::vector<Eigen::Vector3d>& tips = {});

}  // namespace limber::io
