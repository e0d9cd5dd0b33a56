// SPDX-License-Identifier: MIT
// Starts of a drag's events: places dragged limbs of two bones in closed form.
//
//   fold   bends until the limb is as long as the target is far (law of cosines), to its present side; a straight limb
//          bends to its preferred side
//   root   turns the shortest way until the end of the limb points at the target
//   end    a foot or hand keeps the rotation that it had at the start of the drag
//
// Under a dragged trunk, the body moves as a whole and its standing legs are placed in the same way; a heel rises as
// far as the ankle would exceed its limit.
//
// Two limbs that a goal ties to each other, such as two hands on a bar, are placed together, with their common frame in
// each of the 24 orientations of a cube relative to the trunk.
//
// A solve from there finds the bent limb. From a straight limb it may find another minimum, because the derivative of
// the end's place with respect to a straight knee is zero along the leg.
#pragma once

#include "limber/posing/posed_problem.h"

namespace limber {

/// Places the limbs of pulled position goals, and the legs under a pulled trunk, by changing joints of the objective
/// alone. The pose is within the limits. It is approximate if these, or joints other than balls and hinges, prevent an
/// exact placement. False if there is no such limb; the pose is then unchanged.
bool placeLimbs(const IkProblem& problem, const PosedProblem& posed, const Staying& staying, Pose& pose);

/// Starts for two limbs that a goal ties to each other and whose ends are more than a mean link length apart: poses
/// with these limbs placed. Empty if there is no such goal.
std::vector<Pose> tiedStarts(const IkProblem& problem, const PosedProblem& posed, const Staying& staying,
                             const Pose& pose);

}  // namespace limber
