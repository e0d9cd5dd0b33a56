// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "limber/kinematics/figure.h"

namespace limber::io {

/// True when two figures have equal links and joint frames in file units, so that the file of one fits the other.
/// Names, limits, masses, sites and the scale from file units to metres may differ.
inline bool hasSameBones(const Figure& a, const Figure& b) {
  constexpr double kRounding = 1e-9;  // relative, of converting a length to another unit and back
  if (a.linkCount() != b.linkCount()) return false;
  for (int i = 0; i < a.linkCount(); ++i) {
    const Transform &one = a.joint(i).parentFromJoint, &other = b.joint(i).parentFromJoint;
    const Eigen::Vector3d oneInFile = one.translation / a.fileFrame().metresPerUnit;
    const Eigen::Vector3d otherInFile = other.translation / b.fileFrame().metresPerUnit;
    if (a.link(i).parent != b.link(i).parent || a.joint(i).type != b.joint(i).type || one.rotation != other.rotation ||
        (oneInFile - otherInFile).norm() > kRounding * std::max(oneInFile.norm(), otherInFile.norm()))
      return false;
  }
  return true;
}

}  // namespace limber::io
