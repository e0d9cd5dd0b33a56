// SPDX-License-Identifier: MIT
// Shared by the fits of observed points: which coordinates the points determine.
#pragma once

#include <span>
#include <vector>

#include "limber/objective/objective.h"
#include "limber/problem/figure_point.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// The problem with its free roots unlocked.
IkProblem withFreeRoots(IkProblem problem);

inline Eigen::Vector3d placeOf(const Kinematics& kinematics, const FigurePoint& point) {
  return kinematics.worldFromLink[point.link] * point.pointInLink;
}

/// The usable step coordinates that can move the points.
std::vector<int> coordinatesAbove(const IkProblem& problem, const std::vector<FitPoint>& points,
                                  const std::vector<char>& usable);

/// `usable` without the joints that move no point: twists about an observed bone, and joints without a point below
/// them. objective: that of the points, with all usable coordinates active.
std::vector<char> observableCoordinates(const IkProblem& problem, const std::vector<FitPoint>& points,
                                        const Objective& objective, const std::vector<char>& usable);

/// Empty, or a sentence about a fault of the points.
std::string faultOfPoints(const IkProblem& problem, const std::vector<FitPoint>& points);

}  // namespace limber
