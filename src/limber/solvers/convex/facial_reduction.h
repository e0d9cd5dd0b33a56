// SPDX-License-Identifier: MIT
// What holds in every pose is taken out of the relaxation, so that the rest has an interior.
//
// Poses are drawn at random, within the limits that the relaxation knows: roots turned and shifted, balls turned. The
// true local numbers of a frame are then samples, and each block's matrix is a mean of moments v v' over them:
//
//   unknowns  where the samples vary by less than 1e-5 along some direction (their covariance has an eigenvalue below
//             its square) the unknowns are held at their mean there; how far any pose may be from it is kept as slack
//   blocks    at the mean of the samples S is positive definite but along vectors that vanish in every pose: those
//             eigenvectors leave the basis
//   start     that mean is strictly inside, by construction
//
// Leaving out a part of a basis can only lower the relaxation's value. Holding unknowns could raise it: the bound of
// interior_point.h takes that off, by the slack.
#pragma once

#include "limber/solvers/convex/relaxation.h"

namespace limber {

/// frames: parents first, unknowns and blocks as the form has them. Fills reduction, offset, slack, start, widens the
/// bounds by the offset, and sets the blocks' bases. The same for the same frames.
void reduceFrames(std::vector<RelaxationFrame>& frames, RelaxationForm form);

}  // namespace limber
