// SPDX-License-Identifier: MIT
// Forward edits of figures with closed loops: the rest of a loop follows the joints that the user turns.
#pragma once

#include <span>

#include "limber/problem/ik_problem.h"

namespace limber {

/// After a forward edit of some joints: moves the other unlocked joints to close the loops within limits. If they
/// cannot, the edited joints return as far as they must; if the loops stay open, the pose is that of before the edit.
/// Figures without loops: no change.
void bringLoopsAlong(const Pose& before, std::span<const int> editedJoints, IkProblem& problem);

}  // namespace limber
