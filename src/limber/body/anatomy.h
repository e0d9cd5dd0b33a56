// SPDX-License-Identifier: MIT
// The parts of a human body, recognised by the names that characters and motion files use, and joint limits for bodies
// whose files have none.
//
//   ball joint of a limb    a cone about the middle of its range, and a twist about the bone
//   elbow, knee             a hinge: a twist about its axis, measured from the straight limb, and a narrow cone
//
// The ranges are those of docs/humanoid.md. Joints in a row share them equally.
#pragma once

#include <string>
#include <vector>

#include "limber/body/body_words.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// The links that are parts of a human body. Empty unless both arms and both legs are among them, each lower part below
/// its upper one. Spine, neck and fingers may have several links; of other parts the topmost counts.
/// names     by link, in the conventions of VRM, VRoid, Mixamo, Biped, CMU, SMPL or MakeHuman
BodyPlaces recogniseHumanoid(const Figure& figure, const std::vector<std::string>& names);

/// True for a human body none of whose joints has limits.
bool wantsAnatomicalLimits(const IkProblem& problem);

/// Gives the ball joints of a human body limits that contain the rest pose, and brings the pose inside them. Returns
/// the number of joints that got limits.
int applyAnatomicalLimits(IkProblem& problem);

/// Gives the ball joints of a human body the figure's own limits again. The pose stays.
void removeAnatomicalLimits(IkProblem& problem);

}  // namespace limber
