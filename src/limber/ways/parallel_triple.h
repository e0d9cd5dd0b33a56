// SPDX-License-Identifier: MIT
// Arms in which three consecutive axes are parallel. Their joints move in a plane: they keep the direction of the axes
// and the height along it, which gives equations for the other joints alone.
#pragma once

#include "limber/ways/loop.h"

namespace limber::ways {

/// The index of the first of three consecutive hinges with parallel axes, -1 if there is none. Loops of six need hinges
/// only, loops of five hinges next to the triple.
int findParallelTriple(const Loop& loop);

/// Adds the answers of a loop of 3 to 6 joints with three parallel axes; the triple is second to fourth, or first to
/// third in a loop of three.
void solveParallel(const Loop& loop, Candidates& candidates);

}  // namespace limber::ways
