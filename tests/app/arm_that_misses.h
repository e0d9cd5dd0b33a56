// SPDX-License-Identifier: MIT
#pragma once

#include "limber/kinematics/standard_figures.h"
#include "limber/scene/document.h"

namespace limber::app {

/// An arm whose target a solve from the current pose misses: behind its back, with the hand turned over.
inline Document armThatMisses() {
  Document document = makeDocument(makePlanarChain(3));
  for (JointSettings& joint : document.joints) joint.limits = {-2.0, 2.0};
  document.pose.coordinates << 1.9, 1.9, 1.9;
  document.goals[0].target = {-0.6, -1.1, 0.0};
  return document;
}

}  // namespace limber::app
