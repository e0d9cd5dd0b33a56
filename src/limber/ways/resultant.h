// SPDX-License-Identifier: MIT
// Arms of six joints without a special shape, hinges or slides: the elimination of Raghavan and Roth (1990) with the
// eigenvalues of Manocha and Canny (1994). docs/theory/closed_forms.md derives the equations.
#pragma once

#include "limber/ways/loop.h"

namespace limber::ways {

/// How well the elimination works if a given joint is the first of the loop.
struct Elimination {
  /// Reciprocal condition of the matrix whose eigenvalues are the answers; below 1e-12 the elimination has failed.
  double quality = 0.0;
  int realValues = 0;  ///< eigenvalues that are real: the number of answers, unless rounding has hidden one
};

/// Adds the answers of a loop of six joints, the last of which is a hinge: those of the third joint are eigenvalues.
/// Returns the quality, and adds nothing if it is too low.
Elimination solveByResultant(const Loop& loop, Candidates& candidates);

}  // namespace limber::ways
