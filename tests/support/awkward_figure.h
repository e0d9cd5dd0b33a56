// SPDX-License-Identifier: MIT
// A figure that is difficult for derivatives: every joint type, oblique axes and frames, branches before and after
// those of the goals, a link of length zero, limits, far from the world's origin.
#pragma once

#include <memory>
#include <random>

#include "limber/kinematics/figure.h"
#include "limber/kinematics/pose.h"
#include "limber/objective/objective.h"

namespace limber::test {

std::shared_ptr<const Figure> makeAwkwardFigure();

/// The awkward figure with couplings of degree four, across branches and with two drivers.
std::shared_ptr<const Figure> makeCoupledFigure();

/// The awkward figure with ball joints as drivers: scalar joints, one of them prismatic, follow the directions of
/// balls' bones by polynomials of degree four, two of them bones of one ball; a ball has the rotation of another far
/// above it.
std::shared_ptr<const Figure> makeBallLedFigure();

/// Goal links of the awkward figure: two tips of different branches and an inner link.
inline constexpr int kAwkwardTips[] = {6, 9, 3};

/// A tree of ball joints: a base, a spine, a chest fixed to it, and an arm at each side of the chest.
std::shared_ptr<const Figure> makeBallTree();

/// The ball tree in which the spine has the rotation of a hand far below it, and an upper arm that of the other side.
std::shared_ptr<const Figure> makeAlikeBallTree();

/// Goal links of the ball tree: both hands and one elbow.
inline constexpr int kBallTreeTips[] = {5, 8, 4};

/// A random pose: scalars uniform within their limits (within +-2 without limits), uniform rotations, couplings
/// applied.
Pose randomPose(const Figure& figure, std::mt19937& random);

struct ObjectiveOptions {
  double targetWeight = 1e3;
  double restWeight = 1.0;
  bool withLimits = true;
  std::vector<std::unique_ptr<Goal>> furtherGoals;  ///< in addition to the position goals
  std::vector<Regulariser> keepPoses;
  double stayWeight = 0.0;  ///< weight of a pull of most links to their positions in a random pose
  double forceLimit = 0.0;  ///< of the first goal, per unit of its weight; 0: none
};

/// An objective with all coordinates but followers active, position goals with random points and targets on the given
/// links, a random reference and random rigidities.
Objective makeRandomObjective(std::shared_ptr<const Figure> figure, std::span<const int> goalLinks,
                              std::mt19937& random, ObjectiveOptions options = {});

/// Pulls of most links to their positions in a random pose.
/// keepsRotations: also of links that keep their rotation alone.
StayTerm makeRandomStay(const Figure& figure, std::span<const int> active, double weight, std::mt19937& random,
                        bool keepsRotations = false);

/// The classical problem: a planar chain with a goal at its tip and the rest pose as reference; every link is active.
Objective makeChainObjective(int links, const Eigen::Vector3d& target, double targetWeight = 1e3,
                             double restWeight = 1.0);

}  // namespace limber::test
