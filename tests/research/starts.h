// SPDX-License-Identifier: MIT
// Where local methods start.
#pragma once

#include <vector>

#include "limber/solvers/steps/random_pose.h"
#include "support/observed_figure.h"

namespace limber::experiments {

/// As in the paper, angles are uniform within their limits. The paper does not specify the root: here it is turned
/// uniformly at random, and the mean of the points stands on the mean of their targets.
std::vector<Pose> randomStarts(const test::ObservedFigure& problem, const Objective& objective, int count,
                               RandomStream& random);

/// The pose moved as a whole to where its points are nearest to their targets (Kabsch).
Pose laidOnTargets(const test::ObservedFigure& problem, Pose pose);

}  // namespace limber::experiments
