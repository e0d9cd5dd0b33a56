// SPDX-License-Identifier: MIT
// Figures with a given number of hinges, for benchmarks and for tests at any size.
#pragma once

#include "limber/objective/objective.h"

namespace limber::test {

/// A trunk with `limbs` limbs at its end, of hinges about x, y, z in turn, 0.1 m apart, equally many in each part.
/// limbs = 1: a single chain. The limits, if wanted, are +-2.5 radians.
std::shared_ptr<const Figure> makeHingeTree(int joints, int limbs, bool withLimits = false);

/// The ends of the limbs.
std::vector<int> limbEnds(const Figure& figure);

/// Position goals at points 0.1 m above the given links. The targets are the points' positions in the pose `there`,
/// times `stretch`: above 1 they may be out of reach. The reference pose is `rest`.
Objective makeReachObjective(std::shared_ptr<const Figure> figure, std::span<const int> links, const Pose& there,
                             const Pose& rest, double stretch = 1.0);

/// A pose with each angle a smooth function of the hinge's index and of t, at most `bend` radians.
Pose bentPose(const Figure& figure, double bend, double t);

}  // namespace limber::test
