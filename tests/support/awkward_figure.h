// SPDX-License-Identifier: MIT
// A figure made to break derivatives: every joint type, oblique axes and frames, branches before and after the ones
// that matter, a zero-length link, limits, far from the world's origin.
#pragma once

#include <memory>
#include <random>

#include "limber/kinematics/figure.h"
#include "limber/kinematics/pose.h"
#include "limber/objective/objective.h"

namespace limber::test {

std::shared_ptr<const Figure> makeAwkwardFigure();

/// The same with couplings of degree four, across branches and of two drivers.
std::shared_ptr<const Figure> makeCoupledFigure();

/// The same where balls lead: scalars follow, by curves of degree four, how far balls' bones point along axes, one of them
/// a slide and two bones of one ball; a ball turns as another far above it.
std::shared_ptr<const Figure> makeBallLedFigure();

/// Links of the awkward figure that goals sit on: two tips of different branches and an inner link.
inline constexpr int kAwkwardTips[] = {6, 9, 3};

/// Ball joints alone: a base, a spine, a chest bolted to it, and two arms that hang on the chest's sides.
std::shared_ptr<const Figure> makeBallTree();

/// The same where the spine turns as a hand far below it, and an upper arm as that of the other side.
std::shared_ptr<const Figure> makeAlikeBallTree();

/// Links of the ball tree that goals sit on: both hands and one elbow.
inline constexpr int kBallTreeTips[] = {5, 8, 4};

/// Scalars uniform within their limits (within +-2 when unbounded), rotations uniform, followers where they belong.
Pose randomPose(const Figure& figure, std::mt19937& random);

struct ObjectiveOptions {
  double targetWeight = 1e3;
  double restWeight = 1.0;
  bool withLimits = true;
  std::vector<std::unique_ptr<Goal>> furtherGoals;  ///< beside the position goals
  std::vector<Regulariser> keepPoses;
  double stayWeight = 0.0;   ///< of most links, more or less, to their places in a random pose
  double forceLimit = 0.0;   ///< of the first goal, for a unit of its weight; 0: none
};

/// All coordinates active but followers, position goals at random points and targets on the given links, random
/// reference and rigidities.
Objective makeRandomObjective(std::shared_ptr<const Figure> figure, std::span<const int> goalLinks,
                              std::mt19937& random, ObjectiveOptions options = {});

/// Pulls to the places of a random pose, of most links.
StayTerm makeRandomStay(const Figure& figure, std::span<const int> active, double weight, std::mt19937& random);

/// The assignment's problem: planar chain, goal at the tip, reference zero, every link active.
Objective makeChainObjective(int links, const Eigen::Vector3d& target, double targetWeight = 1e3,
                             double restWeight = 1.0);

}  // namespace limber::test
