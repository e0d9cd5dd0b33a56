// SPDX-License-Identifier: MIT
// Figures that need no file: the assignment's planar chain, and its three-dimensional sister.
#pragma once

#include <memory>

#include "kinematics/figure.h"

namespace limber {

inline constexpr int kMaxChainLinks = 100000;

/// n links of length 1 along x, hinged about z, the first at the origin; rest angles 0; site "tip" at the end.
/// Links and joints are "link0", "joint0", ...   1 <= n <= kMaxChainLinks (asserted).
std::shared_ptr<const Figure> makePlanarChain(int linkCount);

/// The same with ball joints, standing upright along y.
std::shared_ptr<const Figure> makeBallChain(int linkCount);

}  // namespace limber
