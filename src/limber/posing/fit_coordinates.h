// SPDX-License-Identifier: MIT
// What fits of observed points have in common: which coordinates the points tell of.
#pragma once

#include <span>
#include <vector>

#include "limber/objective/objective.h"
#include "limber/problem/figure_point.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// An observed point and the point of the figure that corresponds to it.
struct FitPoint {
  int observed = 0;  ///< among the names of the observations
  FigurePoint point;
  double weight = 1.0;  ///< > 0
};

/// The problem with its free roots unlocked.
IkProblem withFreeRoots(IkProblem problem);

inline Eigen::Vector3d placeOf(const Kinematics& kinematics, const FigurePoint& point) {
  return kinematics.worldFromLink[point.link] * point.pointInLink;
}

/// The step coordinates that can move the points, of those that are usable.
std::vector<int> coordinatesAbove(const IkProblem& problem, const std::vector<FitPoint>& points,
                                  const std::vector<char>& usable);

/// `usable` without the joints that move no point: twists about an observed bone, and joints without a point below
/// them. objective: of the points, with all that is usable active.
std::vector<char> tellableCoordinates(const IkProblem& problem, const std::vector<FitPoint>& points,
                                      const Objective& objective, const std::vector<char>& usable);

/// Empty, or what is wrong with the points.
std::string faultOfPoints(const IkProblem& problem, const std::vector<FitPoint>& points);

}  // namespace limber
