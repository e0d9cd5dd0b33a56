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
  bool withBallCouplings = false;  ///< scalars that follow directions of balls, and balls that follow balls
};

/// A random tree of revolute, prismatic and ball joints. Its rest pose is within all limits.
std::shared_ptr<const Figure> makeLimitedFigure(std::mt19937& random, const LimitedFigureOptions& options = {});

/// Position goals on random links. If `reachable`, the targets are those of a random pose within the limits, else any
/// points. With `anyGoals` also directions, aims, half-spaces, and distances between two links. All coordinates but
/// followers are active.
Objective makeLimitedObjective(std::shared_ptr<const Figure> figure, int goals, bool reachable, std::mt19937& random,
                               bool anyGoals = false);

}  // namespace limber::test
