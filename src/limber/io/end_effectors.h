// SPDX-License-Identifier: MIT
// What one would want to hold of a robot whose file does not say it: the ends of its branches, and frames named for
// tools.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "limber/kinematics/figure_builder.h"

namespace limber::io {

/// True for the names that tool frames go by: tool0, tcp, ee_link, gripper, hand, flange, ...
bool isToolName(std::string_view name);

/// Gives each leaf link that can move a site of its name, at its origin when it is fixed to its parent, else at the far
/// end of its capsules, or at its tip where `tips` has one a link (in the link); and each other link with the name of a
/// tool. Tools come first, at leaves before others. Links in `hasSite` have one already, and the names in `taken` are
/// given. There are kMaxRobotSites in all.
void addEndEffectors(const std::vector<char>& hasSite, std::set<std::string> taken, FigureBuilder& builder,
                     const std::vector<Eigen::Vector3d>& tips = {});

}  // namespace limber::io
