// SPDX-License-Identifier: MIT
// A figure made to break derivatives: every joint type, oblique axes and frames, branches before and after the ones
// that matter, a zero-length link, limits, far from the world's origin.
#pragma once

#include <memory>
#include <random>

#include "kinematics/figure.h"
#include "kinematics/pose.h"
#include "objective/objective.h"

namespace limber::test {

std::shared_ptr<const Figure> makeAwkwardFigure();

/// Links of the awkward figure that goals sit on: two tips of different branches and an inner link.
inline constexpr int kAwkwardTips[] = {6, 9, 3};

/// Scalars uniform within their limits (within +-2 when unbounded), rotations uniform.
Pose randomPose(const Figure& figure, std::mt19937& random);

struct ObjectiveOptions {
  double targetWeight = 1e3;
  double restWeight = 1.0;
  bool withLimits = true;
};

/// All coordinates active, position goals at random points and targets on the given links, random reference and
/// rigidities.
Objective makeRandomObjective(std::shared_ptr<const Figure> figure, std::span<const int> goalLinks,
                              std::mt19937& random, const ObjectiveOptions& options = {});

/// The assignment's problem: planar chain, goal at the tip, reference zero, every link active.
Objective makeChainObjective(int links, const Eigen::Vector3d& target, double targetWeight = 1e3,
                             double restWeight = 1.0);

}  // namespace limber::test
