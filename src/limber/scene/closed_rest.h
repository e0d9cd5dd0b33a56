// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "limber/kinematics/figure.h"

namespace limber {

/// The figure with a rest pose that closes its loops, as nearly as was found within its limits. Notes that it moved,
/// and each loop that stays open with its gap. The same figure if its rest pose closes all loops already.
std::shared_ptr<const Figure> withClosedRest(const std::shared_ptr<const Figure>& figure,
                                             std::vector<std::string>& notes);

/// Coordinates that move freely when couplings and loops hold, near the rest pose.
int degreesOfFreedom(const std::shared_ptr<const Figure>& figure);

}  // namespace limber
