// SPDX-License-Identifier: MIT
#pragma once

#include "kinematics/figure.h"

namespace limber::io {

/// True when two figures have the same links in the same places: what one was read from fits the other. Names, limits,
/// masses and sites may differ.
inline bool hasSameBones(const Figure& a, const Figure& b) {
  if (a.linkCount() != b.linkCount()) return false;
  for (int i = 0; i < a.linkCount(); ++i)
    if (a.link(i).parent != b.link(i).parent || a.joint(i).type != b.joint(i).type ||
        !(a.joint(i).parentFromJoint == b.joint(i).parentFromJoint))
      return false;
  return true;
}

}  // namespace limber::io
