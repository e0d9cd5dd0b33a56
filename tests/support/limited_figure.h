// SPDX-License-Identifier: MIT
// Random figures with every kind of limit: cones and twists, couplings with limited followers, linear limits.
#pragma once

#include <memory>
#include <random>

#include "limber/objective/objective.h"

namespace limber::test {

struct LimitedFigureOptions {
  int links = 10;
  bool withBalls = true;
  bool withCouplings = true;
  bool withLinearLimits = true;
  bool withBallCouplings = false;  ///< scalars follow how balls point, and balls turn as others
};

/// A random tree of hinges, slides and balls. Its rest pose meets every limit.
std::shared_ptr<const Figure> makeLimitedFigure(std::mt19937& random, const LimitedFigureOptions& options = {});

/// Position goals on random links, at points that a random pose of the set can reach when `reachable`, else anywhere;
/// with `anyGoals` also directions, aims, half-spaces, and distances between two links. Every coordinate that follows
/// nothing is active.
Objective makeLimitedObjective(std::shared_ptr<const Figure> figure, int goals, bool reachable, std::mt19937& random,
                               bool anyGoals = false);

}  // namespace limber::test
