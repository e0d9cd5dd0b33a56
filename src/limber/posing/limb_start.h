// SPDX-License-Identifier: MIT
// Where an event of a drag starts: dragged limbs of two bones are placed in closed form.
//
//   fold   the limb is as long as the target is far (the law of cosines), on the side to which it bends now or,
//   straight,
//          to its preferred side
//   root   turns the shortest way until the end of the limb points at the target
//   end    a foot or a hand has the rotation that it had at the start of the drag
//
// Under a dragged trunk the body moves as a whole and its standing legs are placed so, from their feet; a heel rises as
// far as the ankle is beyond its limit.
//
// Two limbs that a goal ties to each other, such as two hands on a bar, are placed together, with what both hold in
// each of the 24 orientations of a cube against the trunk.
//
// A solve from there finds the bent limb where one from a straight limb may find another minimum: the derivative of the
// end's place with respect to a straight knee is zero along the leg.
#pragma once

#include "limber/posing/posed_problem.h"

namespace limber {

/// Places the limbs of pulled goals of a position, and the legs under a trunk that is pulled. Joints that the objective
/// does not move stay. The pose is within the limits; where these, or joints of another build than a ball or a hinge,
/// prevent an exact placement, it is approximate. False if there is no such limb; the pose then stays.
bool placeLimbs(const IkProblem& problem, const PosedProblem& posed, const Staying& staying, Pose& pose);

/// Where to start when the ends of two limbs that a goal ties to each other are more than a mean link length apart:
/// poses with these limbs placed. Empty if there is no such goal.
std::vector<Pose> tiedStarts(const IkProblem& problem, const PosedProblem& posed, const Staying& staying,
                             const Pose& pose);

}  // namespace limber
