// SPDX-License-Identifier: MIT
// Preferred bend directions: a straight limb that must shorten can bend either way, and both are minima. Pulled up and
// forward, a straight leg bends its knee backward if the limits allow it, because that minimum is nearer. This finds
// the hinges that a solve has bent against their preference (OtherBend solves again), and folds limbs.
#pragma once

#include <vector>

#include "limber/posing/posed_problem.h"

namespace limber {

struct BackwardBend {
  int joint = 0;
  double mirrored = 0.0;  ///< the coordinate of the opposite bend, within its limits; radians
  Interval forward;       ///< its limits on the preferred side of straight
};

/// The hinges between the end effectors of live position goals and the root that the solve has bent against their
/// preferred side (bendOf), and that were straight or bent to that side before.
///
/// before, after   poses of the problem's figure
/// kinematicsAfter transforms of `after`
/// cost            O(depth) per goal, and one forward-kinematics pass if there is such a hinge
std::vector<BackwardBend> findBackwardBends(const IkProblem& problem, const PosedProblem& posed, const Pose& before,
                                            const Pose& after, const Kinematics& kinematicsAfter);

/// For each live position goal with a nearly straight limb, bends the hinge between its longest bones to its preferred
/// side until the limb is as long as the target is far (law of cosines). A solve from there finds targets that a solve
/// from the straight limb misses at limits. False if there is no such hinge.
bool foldLimbs(const IkProblem& problem, const PosedProblem& posed, const Kinematics& kinematics, Pose& pose);

}  // namespace limber
