// SPDX-License-Identifier: MIT
// The take of a document, which exports write: the frames of its motion, with the present pose in the present frame.
#pragma once

#include "limber/scene/document.h"

namespace limber {

/// The number of frames, at least 1: the take of a document without a motion is its pose.
int takeLength(const Document& document);

/// The pose of a frame (0 <= frame < takeLength, asserted).
Pose poseOfTake(const Document& document, int frame);

/// True when the frame's pose is that of the motion.
bool isUntouched(const Document& document, int frame);

}  // namespace limber
