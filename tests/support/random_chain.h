// SPDX-License-Identifier: MIT
// Random chains and trees with goals that some pose meets, for the geometric methods.
#pragma once

#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "limber/objective/objective.h"

namespace limber::test {

struct ReachProblem {
  Objective objective;
  Pose start;
};

/// A chain of `links` ball joints, links of random direction and of length 0.5 to 1.5, a goal at its tip where a random
/// pose has it, and a random start. The pull to the reference has the weight given.
ReachProblem makeBallChainProblem(int links, std::mt19937& random, double restWeight = 0.0);

/// The same with hinges in the plane, links of length 1.
ReachProblem makePlanarChainProblem(int links, std::mt19937& random, double restWeight = 0.0);

/// Two arms of `links` ball joints each on a trunk of as many, whose ends are the same point; a goal at each hand.
ReachProblem makeForkProblem(int links, std::mt19937& random, double restWeight = 0.0);

/// The largest distance between a goal's point and its target, in mean links.
double worstMiss(const Objective& objective, const Pose& pose);

/// Of 200 random problems of each kind, of 3 to 12 links, the share that `solve` ends within a thousandth of a link.
struct ReachShares {
  double ballChains, planarChains, forks;
};
ReachShares sharesReached(const std::function<void(const Objective&, Pose&)>& solve);

}  // namespace limber::test
