// SPDX-License-Identifier: MIT
// Holds the stances of a motion: a standing point of a foot stays in one place on the ground.
//
// - A foot is level while heel and ball stand, and turned about the standing point while only one of them does. Else it
//   is as in the motion, corrected by a turn and an offset that go smoothly from stance to stance.
// - An anchor is the mean place of a standing point in the motion. It is on the ground unless it is clearly above it,
//   as on stairs.
// - Toes are flat while the ball stands, and the heel rises no farther than they bend.
// - The pelvis is shifted as smoothly as possible. Standing legs are as bent as in the motion and reach their anchors.
// - Legs are placed by body/leg_placer.h within the joints' limits.
// - In other frames no sole is below the ground.
//
// Frames are solved from the motion, and only where a leg is jerked, from the frames around. The same input gives the
// same bits. Linear in the frames.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "limber/problem/ik_problem.h"
#include "limber/scene/accelerations.h"
#include "limber/scene/document.h"

namespace limber {

struct HeldStances {
  std::vector<Pose> poses;    ///< by frame
  double largestMiss = 0.0;   ///< metres: of a standing point from its anchor, where limits or lengths prevent more
  int largestMissFrame = -1;  ///< -1 without stances
};

/// Frames of a motion of the figure, which must outlive them. Their time is between a millisecond and a second,
/// whatever the motion says.
Frames framesOf(const Figure& figure, const Motion& motion);

/// Stances of sides that the figure does not have, and frames beyond the motion's, are ignored.
///
/// most  accelerations of the legs; where limits or other ways of a leg exceed them, it is placed from the legs of the
///       frames before and after
HeldStances holdStances(const IkProblem& problem, const Frames& frames, const std::vector<Stance>& stances,
                        std::optional<Accelerations> most = {});

/// The motion with these stances instead of its own, and with the arms outside of the body unless the problem's
/// self-avoidance is off. Without stances the motion before any were held.
///
/// most  accelerations that are kept where stances and the body allow it; by default a little more than the largest of
///       the motion before
std::shared_ptr<const Motion> withStances(const IkProblem& problem, const std::shared_ptr<const Motion>& motion,
                                          std::vector<Stance> stances, std::optional<Accelerations> most = {});

/// Edits the motion of a document, under its layer of keys: withStances(). No change without a motion.
void setStances(Document& document, std::vector<Stance> stances);

}  // namespace limber
