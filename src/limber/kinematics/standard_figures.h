// SPDX-License-Identifier: MIT
// Figures that need no file: the assignment's planar chain, its three-dimensional sister, and a robot's arm.
#pragma once

#include <memory>

#include "limber/kinematics/figure.h"

namespace limber {

inline constexpr int kMaxChainLinks = 100000;

/// n links of length 1 along x, hinged about z, the first at the origin; rest angles 0; site "tip" at the end.
/// Links and joints are "link0", "joint0", ...   1 <= n <= kMaxChainLinks (asserted).
std::shared_ptr<const Figure> makePlanarChain(int linkCount);

/// The same with ball joints, standing upright along y.
std::shared_ptr<const Figure> makeBallChain(int linkCount);

/// An arm of seven hinges, 1.25 m tall when upright along y: turns about the upper arm, forearm and hand (y) alternate
/// with bends of shoulder, elbow and wrist (z). Limits of +-165 degrees for turns and +-115 for bends; the elbow rests
/// bent by 60 degrees. Site "tool" at the end.
std::shared_ptr<const Figure> makeArm();

}  // namespace limber
