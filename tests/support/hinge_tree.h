// SPDX-License-Identifier: MIT
// Figures of a given number of hinges, for benchmarks and for what must hold at any size.
#pragma once

#include "limber/objective/objective.h"

namespace limber::test {

/// A trunk and `limbs` limbs that leave its end, all of hinges (about x, y, z in turn, 0.1 m apart), as many joints in
/// each as come out even. limbs = 1: a single chain. Limits of +-2.5 radians when asked for.
std::shared_ptr<const Figure> makeHingeTree(int joints, int limbs, bool withLimits = false);

/// The ends of the limbs.
std::vector<int> limbEnds(const Figure& figure);

/// Position goals at the given links, 0.1 m above each, on the places where `there` puts them, times `stretch`: more
/// than 1 may be out of reach. The pull leads to `rest`.
Objective makeReachObjective(std::shared_ptr<const Figure> figure, std::span<const int> links, const Pose& there,
                             const Pose& rest, double stretch = 1.0);

/// Every hinge bent by a smooth function of its index, at most `bend` radians; t moves it.
Pose bentPose(const Figure& figure, double bend, double t);

}  // namespace limber::test
