// SPDX-License-Identifier: MIT
// The parts of a human body, recognised by the names that characters and motion files use, and joint limits for bodies
// whose files have none.
//
//   ball joint of a limb    a cone about the middle of its range, and a twist about the bone
//   elbow, knee             a hinge: a twist about its axis, measured from the straight limb, and a narrow cone
//
// The ranges are those of docs/humanoid.md. Joints in a row share them equally.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "limber/problem/ik_problem.h"

namespace limber {

enum class BodyPart {
  Hips,
  Spine,
  Neck,
  Head,
  Clavicle,
  UpperArm,
  LowerArm,
  Hand,
  Thumb,
  Finger,
  UpperLeg,
  LowerLeg,
  Foot,
  Toes
};

enum class BodySide { Middle, Left, Right };

struct BodyPlace {
  BodyPart part = BodyPart::Hips;
  BodySide side = BodySide::Middle;

  auto operator<=>(const BodyPlace&) const = default;
};

using BodyPlaces = std::map<int, BodyPlace>;  ///< by link

/// The side across from left or right.
inline BodySide otherSide(BodySide side) { return side == BodySide::Left ? BodySide::Right : BodySide::Left; }
/// "left hand" for the left one; a name of the middle stays as it is.
std::string withSide(BodySide side, const std::string& name);
/// The first link that is this part; -1 for none.
int linkAt(const BodyPlaces& places, BodyPlace place);

/// The parts of a human body that names stand for, by the index of the name. Spine, neck and fingers may have several
/// names; of other parts the first one counts. Whether the parts make a whole body is not checked.
BodyPlaces recogniseParts(const std::vector<std::string>& names);

/// The links that are parts of a human body. Empty unless both arms and both legs are among them, each lower part below
/// its upper one. Spine, neck and fingers may have several links; of other parts the topmost counts.
/// names     by link, in the conventions of VRM, Mixamo, CMU, SMPL or MakeHuman
BodyPlaces recogniseHumanoid(const Figure& figure, const std::vector<std::string>& names);

/// True for a human body none of whose joints has limits.
bool wantsAnatomicalLimits(const IkProblem& problem);

/// Gives the ball joints of a human body limits that contain the rest pose, and brings the pose inside them. Returns
/// the number of joints that got limits.
int applyAnatomicalLimits(IkProblem& problem);

/// Gives the ball joints of a human body the figure's own limits again. The pose stays.
void removeAnatomicalLimits(IkProblem& problem);

}  // namespace limber
