// SPDX-License-Identifier: MIT
// What a document takes home: the frames of its motion, the one on the screen with the pose on the screen.
#pragma once

#include "limber/scene/document.h"

namespace limber {

/// At least 1: a document without a motion has its pose alone.
int takeLength(const Document& document);

/// The pose of a frame (0 <= frame < takeLength, asserted).
Pose poseOfTake(const Document& document, int frame);

/// True when the frame's pose is still that of the motion: nobody has posed it.
bool isUntouched(const Document& document, int frame);

}  // namespace limber
