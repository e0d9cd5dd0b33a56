// SPDX-License-Identifier: MIT
// Arms in which three consecutive axes meet in a point, such as a spherical wrist. That point does not move with the
// three joints, so that the others alone must bring it to its goal (Pieper 1968); the three then turn it.
#pragma once

#include "limber/ways/loop.h"

namespace limber::ways {

/// The index of the first of three consecutive hinges whose axes meet in a point, -1 if there is none. Sets the point.
int findSphericalTriple(const Loop& loop, Eigen::Vector3d& centre);

/// Adds the answers of a loop of 3 to 6 joints whose last three axes meet at `centre`.
void solveSpherical(const Loop& loop, const Eigen::Vector3d& centre, Candidates& candidates);

/// Adds the answers of a loop of three hinges and up to three slides, in any order: the hinges alone turn the tip, and
/// the slides solve linear equations. False if the loop has other joints.
bool solveThreeHinges(const Loop& loop, Candidates& candidates);

/// Adds the answers of three joints that bring a point to a target: E_1 E_2 E_3 point = target.
void solvePosition(const Loop& loop, const Eigen::Vector3d& point, const Eigen::Vector3d& target,
                   Candidates& candidates);

}  // namespace limber::ways
