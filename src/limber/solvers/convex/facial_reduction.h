// SPDX-License-Identifier: MIT
// Removes relations that hold in every pose from the relaxation, so that the rest has an interior.
//
// Poses are drawn at random within the limits of the relaxation, with random motions of roots and rotations of balls.
// The true local numbers of a frame are then samples, and each block's matrix is a mean of moments v v' over them:
//
//   unknowns  if the samples vary by less than 1e-5 along some direction (their covariance has an eigenvalue below
//             its square) the unknowns are fixed at their mean there; their slack is the largest deviation of any
//             pose
//   blocks    at the mean of the samples S is positive definite except along vectors that vanish in every pose: those
//             eigenvectors leave the basis
//   start     that mean is strictly inside, by construction
//
// Leaving out a part of a basis can only lower the relaxation's value. Fixing unknowns could raise it; the bound of
// interior_point.h subtracts the slack for that.
#pragma once

#include "limber/solvers/convex/relaxation.h"

namespace limber {

/// frames: parents first, unknowns and blocks of the form. Fills reduction, offset, slack, start, widens the bounds by
/// the offset, and sets the blocks' bases. Deterministic.
void reduceFrames(std::vector<RelaxationFrame>& frames, RelaxationForm form);

}  // namespace limber
