// SPDX-License-Identifier: MIT
// Poses and goals seen in a mirror that goes with the figure: it stands where the figure stands, and turns with it
// about the vertical. A body that has walked away, or turned, is mirrored where it is.
#pragma once

#include <string>
#include <vector>

#include "limber/problem/symmetry.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// A reflection of the world: x -> x - 2 (normal . x - offset) normal.
struct Mirror {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();  ///< unit, to the figure's left
  double offset = 0.0;                                ///< metres

  Eigen::Vector3d imageOf(const Eigen::Vector3d& point) const {
    return point - 2.0 * (normal.dot(point) - offset) * normal;
  }
  Eigen::Vector3d directionOf(const Eigen::Vector3d& direction) const {
    return direction - 2.0 * normal.dot(direction) * normal;
  }
};

/// Where the mirror stands in a pose. It goes with the first root where that is a free joint in the middle.
Mirror mirrorAt(const Figure& figure, const Symmetry& symmetry, const Pose& pose);

/// Both sides exchanged: the figure as the mirror shows it. Joints without a partner stay as they are. Knows no limits;
/// twice is the pose itself, to rounding.
Pose flipped(const Figure& figure, const Symmetry& symmetry, const Pose& pose);

/// The joints of `from` as they are, those of the other side their mirror images, all else as it is. Knows no limits.
Pose copiedAcross(const Figure& figure, const Symmetry& symmetry, const Pose& pose, BodySide from);

/// The same with a middle that is its own image, within the limits of both sides and their images: the nearest
/// symmetric pose that `from` allows. A pose that is symmetric within 1e-10 is left as it is.
void makeSymmetric(const IkProblem& problem, const Symmetry& symmetry, BodySide from, Pose& pose);

/// The largest difference between a pose and its mirror image, radians and metres; joints without a partner apart.
double asymmetry(const Figure& figure, const Symmetry& symmetry, const Pose& pose);

/// After an edit: where the problem keeps symmetry, the side that has changed more since `before`, a pose of the same
/// figure, is taken over to the other. No change where nothing changed.
void keepSymmetry(const Pose& before, IkProblem& problem);

/// Of a link, a point of it.
Eigen::Vector3d pointAcross(const Symmetry& symmetry, int link, const Eigen::Vector3d& pointInLink);

/// What the goal asks, asked of the other side. Nothing is known of its links: false, and the goal is as it was.
bool mirrorGoal(const Figure& figure, const Symmetry& symmetry, const Mirror& mirror, GoalItem& goal);

/// The names of the joints that limits have moved by more than rounding.
std::vector<std::string> jointsThatDiffer(const Figure& figure, const Pose& a, const Pose& b);

}  // namespace limber
