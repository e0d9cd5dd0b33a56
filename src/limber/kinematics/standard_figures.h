// SPDX-License-Identifier: MIT
// Figures without a file: a planar chain, a chain of ball joints, and a robot arm.
#pragma once

#include <memory>

#include "limber/kinematics/figure.h"

namespace limber {

inline constexpr int kMaxChainLinks = 100000;

/// A chain of links of length 1 m along x with revolute joints about z; the first is at the origin, all rest angles are
/// 0, and the site "tip" is at the end. Links and joints are called "link0", "joint0", ...
/// 1 <= linkCount <= kMaxChainLinks (asserted).
std::shared_ptr<const Figure> makePlanarChain(int linkCount);

/// The same with ball joints, upright along y.
std::shared_ptr<const Figure> makeBallChain(int linkCount);

/// An arm with seven revolute joints, 1.25 m tall when upright along y. Joints about the long axes (y) alternate with
/// those that bend shoulder, elbow and wrist (z); limits are +-165 and +-115 degrees. The elbow's rest is 60 degrees.
/// The site "tool" is at the end.
std::shared_ptr<const Figure> makeArm();

}  // namespace limber
