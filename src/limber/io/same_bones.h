// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "limber/kinematics/figure.h"

namespace limber::io {

/// True when two figures have the same links in the same places of their file: what one was read from fits the other.
/// Names, limits, masses and sites may differ, and the metres that a unit of the file is taken for.
inline bool hasSameBones(const Figure& a, const Figure& b) {
  constexpr double kRounding = 1e-9;  // relative: of changing the unit and back
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
