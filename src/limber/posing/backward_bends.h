// SPDX-License-Identifier: MIT
// Preferred bending: a straight limb that must shorten can bend either way, and both are minima. Pulled up and forward,
// a straight leg's knee goes backward, if its limits let it: that is the nearer one. This finds the hinges that a solve
// has bent so; it is then solved again with these kept to the side that they prefer.
#pragma once

#include <vector>

#include "limber/posing/posed_problem.h"

namespace limber {

struct BackwardBend {
  int joint = 0;
  double mirrored = 0.0;  ///< the coordinate that bends it as far the other way, within its limits; radians
  Interval forward;       ///< its limits on that side of straight
};

/// Hinges on the ways from the end effectors of live goals of a place to the root that the solve has bent away from the
/// side that they prefer (bendOf), and that were straight or bent to that side before.
///
/// before, after  poses of the problem's figure; kinematicsAfter those of the latter
/// cost           O(depth) for each goal, and a forward-kinematics pass where there is one
std::vector<BackwardBend> findBackwardBends(const IkProblem& problem, const PosedProblem& posed, const Pose& before,
                                            const Pose& after, const Kinematics& kinematicsAfter);

/// Bends, for each live goal of a place whose limb stands nearly straight, the hinge between its longest bones to the
/// side that it prefers, until the limb is as long as the target is far (the law of cosines): where a solve that begins
/// straight ends at limits, one that begins so finds the target. False when there is no such hinge.
bool foldLimbs(const IkProblem& problem, const PosedProblem& posed, const Kinematics& kinematics, Pose& pose);

}  // namespace limber
