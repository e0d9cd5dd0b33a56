// SPDX-License-Identifier: MIT
// Human bodies that come without limits: which link is which part, by the names that characters and motion files use,
// and the limits that such a part has.
//
//   ball joint of a limb    a cone about the middle of its range, a twist about the bone
//   elbow, knee             a hinge: the twist about its axis, measured from the straight limb, with a little play
//
// The ranges are those of docs/humanoid.md; how they are shared among joints in a row is our choice.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "limber/problem/ik_problem.h"

namespace limber {

enum class BodyPart {
  Hips, Spine, Neck, Head, Clavicle, UpperArm, LowerArm, Hand, Thumb, Finger, UpperLeg, LowerLeg, Foot, Toes
};

enum class BodySide { Middle, Left, Right };

struct BodyPlace {
  BodyPart part = BodyPart::Hips;
  BodySide side = BodySide::Middle;

  auto operator<=>(const BodyPlace&) const = default;
};

/// Which of the names are parts of a human body, by index. Spine, neck and fingers may have several, other parts have
/// the first. Says nothing of whether there is a body.
std::map<int, BodyPlace> recogniseParts(const std::vector<std::string>& names);

/// Links that are parts of a human body; empty unless both arms and both legs are among them, each lower part below its
/// upper one. Spine, neck and fingers may have several links, other parts have their topmost.
/// names     one a link, to know it by: VRM's, Mixamo's, CMU's, SMPL's, MakeHuman's
std::map<int, BodyPlace> recogniseHumanoid(const Figure& figure, const std::vector<std::string>& names);
/// The same by what the problem's file says of its bones, else by the names of its links.
std::map<int, BodyPlace> recogniseHumanoid(const IkProblem& problem);

/// True when limits can be offered: a human body none of whose joints has any.
bool wantsAnatomicalLimits(const IkProblem& problem);

/// Gives the ball joints of a human body limits, wide enough for the pose of rest, and brings the pose inside. The
/// number of joints that got some.
int applyAnatomicalLimits(IkProblem& problem);

/// Gives the ball joints of a human body the figure's own limits back. The pose stays.
void removeAnatomicalLimits(IkProblem& problem);

}  // namespace limber
