// SPDX-License-Identifier: MIT
// What a figure stands on, and whether its centre of mass is above it. Places on the ground are (x, z): y is up.
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
/// A limb stands when its last link comes within kStandingHeight (of the figure's height) of the figure's lowest
/// point. Of the links of that limb that do, the uppermost counts: the foot, not its toe. When some of these limbs
/// are named like feet (foot, toe, ankle), the others are left out: a hand on the floor does not stand.
std::vector<int> standingLinks(const Figure& figure, const Kinematics& kinematics);

/// The links that carry the figure: those whose position is pinned, of these the ones named like feet where there are
/// any; without pins the standing ones. Empty for a figure whose root is not free: the world holds it.
std::vector<int> plantedLinks(const IkProblem& problem, const Kinematics& kinematics);

inline constexpr int kMaxSupportCorners = 9;

/// The convex hull, in (x, z), of where the planted links and what hangs below them touch the ground: the outlines of
/// capsules that lie as low as the link's lowest point. Counterclockwise with x to the right and z upward; one corner
/// is a point, two are a line. At most kMaxSupportCorners: of more, those that matter least are left out, so that
/// what is left lies within.
std::vector<Eigen::Vector2d> supportPolygon(const Figure& figure, const Kinematics& kinematics,
                                            const std::vector<int>& planted);

/// The polygon as its sides, each moved inward by `margin` or by a quarter of the polygon's width, whichever is less.
/// A line or a point has sides that leave nothing between them but itself.
std::vector<SupportGoal::Side> supportSides(const std::vector<Eigen::Vector2d>& polygon, double margin = 0.0);

/// Metres from the polygon's edge: positive inside, negative outside. Minus infinity without a polygon.
double supportMargin(const std::vector<Eigen::Vector2d>& polygon, const Eigen::Vector2d& place);

/// The polygon's point that is nearest.
Eigen::Vector2d nearestOnSupport(const std::vector<Eigen::Vector2d>& polygon, const Eigen::Vector2d& place);

/// (x, z)
inline Eigen::Vector2d onGround(const Eigen::Vector3d& place) { return {place.x(), place.z()}; }

}  // namespace limber
