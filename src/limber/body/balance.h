// SPDX-License-Identifier: MIT
// The support of a figure: the links that stand on the ground, the polygon that they span, and how far a point is
// inside it. Points on the ground are (x, z), metres; y is up.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "limber/goals/support_goal.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/ik_problem.h"

namespace limber {

inline constexpr double kStandingHeight = 0.025;  ///< of the figure's height

/// The links that stand on the ground, one for each limb, in order of their index.
///
/// A limb stands if its last link comes within kStandingHeight of the figure's lowest point. The uppermost link of the
/// limb that does so represents it: the foot, not its toe. When some of these limbs have names like feet (foot, toe,
/// ankle), the others do not count: a hand on the floor does not stand.
std::vector<int> standingLinks(const Figure& figure, const Kinematics& kinematics);

/// The links that carry the figure. With pinned positions, these are the pinned links, or only those named like feet if
/// there are any; without pins, the standing links. Empty for a figure without a free root, which the world supports.
std::vector<int> plantedLinks(const IkProblem& problem, const Kinematics& kinematics);

inline constexpr int kMaxSupportCorners = 9;

/// The convex hull, in (x, z), of the contacts of the planted links and of the links below them with the ground: the
/// outlines of capsules that lie as low as the lowest point of their link. Counterclockwise with x to the right and z
/// upward; one corner is a point, two are a line. Of more than kMaxSupportCorners corners, those that span the smallest
/// triangles with their neighbours are left out, so that the result lies within the hull.
std::vector<Eigen::Vector2d> supportPolygon(const Figure& figure, const Kinematics& kinematics,
                                            const std::vector<int>& planted);

/// The sides of the polygon, each moved inward by `margin` or by a quarter of the polygon's width, whichever is less.
/// The sides of a line or a point enclose exactly that line or point.
std::vector<SupportGoal::Side> supportSides(const std::vector<Eigen::Vector2d>& polygon, double margin = 0.0);

/// The distance of a point from the polygon's edge: positive inside, negative outside. Minus infinity for no polygon.
double supportMargin(const std::vector<Eigen::Vector2d>& polygon, const Eigen::Vector2d& place);

/// The point of the polygon that is nearest to `place`.
Eigen::Vector2d nearestOnSupport(const std::vector<Eigen::Vector2d>& polygon, const Eigen::Vector2d& place);

/// The point below a place on the ground.
inline Eigen::Vector2d onGround(const Eigen::Vector3d& place) { return {place.x(), place.z()}; }

}  // namespace limber
