// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "scene/document.h"

namespace limber {

/// The way from one pose to another: angles and lengths in proportion, rotations by their shortest turn, hinges that go
/// round the short way. At 0 and 1 the poses themselves, to the bit. Limits are not looked at: a cone may bulge less
/// than the way.
Pose blendPoses(const Document& document, const Pose& from, const Pose& to, double share);

/// `base` with the coordinates that `pose` has for the joint and all that hangs from it; for joint -1 all of them.
Pose takeFrom(const Figure& figure, const Pose& base, const Pose& pose, int joint);

}  // namespace limber
