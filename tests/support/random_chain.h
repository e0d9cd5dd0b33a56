// SPDX-License-Identifier: MIT
// Random chains and trees with reachable goals, for the geometric methods.
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

/// A chain of `links` ball joints with links of random direction and of length 0.5 to 1.5, a goal at its tip whose
/// target is that of a random pose, and a random start. The rest term has the given weight.
ReachProblem makeBallChainProblem(int links, std::mt19937& random, double restWeight = 0.0);

/// The same with hinges in the plane and links of length 1.
ReachProblem makePlanarChainProblem(int links, std::mt19937& random, double restWeight = 0.0);

/// Two arms of `links` ball joints each, at the end of a trunk of `links` ball joints; a goal at each hand.
ReachProblem makeForkProblem(int links, std::mt19937& random, double restWeight = 0.0);

/// The largest distance between a goal's point and its target, in mean link lengths.
double worstMiss(const Objective& objective, const Pose& pose);

/// The fraction of 200 random problems of each kind, of 3 to 12 links, that `solve` solves to a thousandth of a link.
struct ReachShares {
  double ballChains, planarChains, forks;
};
ReachShares sharesReached(const std::function<void(const Objective&, Pose&)>& solve);

}  // namespace limber::test
