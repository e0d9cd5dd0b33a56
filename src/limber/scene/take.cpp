// SPDX-License-Identifier: MIT
#include "limber/scene/take.h"

#include <algorithm>
#include <cassert>

namespace limber {

int takeLength(const Document& document) { return document.motion ? std::max(1, document.motion->frameCount) : 1; }

bool isUntouched(const Document& document, int frame) {
  if (!document.motion || document.motion->frameCount == 0) return false;
  return frame != document.frame || document.pose == document.motion->poseAt(*document.figure, frame);
}

Pose poseOfTake(const Document& document, int frame) {
  assert(frame >= 0 && frame < takeLength(document));
  return isUntouched(document, frame) ? document.motion->poseAt(*document.figure, frame) : document.pose;
}

}  // namespace limber
