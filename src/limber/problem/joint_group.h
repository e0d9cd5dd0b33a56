// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "limber/kinematics/figure.h"

namespace limber {

/// The joints that couplings of one name tie together (the joint group of Zhao and Badler 1994, section 12).
struct JointGroup {
  std::string name;         ///< of the couplings: "torso flexion"
  std::vector<int> joints;  ///< followers and drivers, ascending: from the root outward
  /// True if the joints follow one driver and are ancestors of each other, as vertebrae are.
  bool isRow = false;
};

/// In the order in which the figure lists their couplings; couplings that the user has switched off count, too.
std::vector<JointGroup> jointGroups(const Figure& figure);

}  // namespace limber
