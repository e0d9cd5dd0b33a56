// SPDX-License-Identifier: MIT
#pragma once

#include <numbers>

#include "limber/kinematics/figure.h"

namespace limber {

/// Cubic metres: a cylinder and the two halves of a ball.
inline double volumeOf(const Capsule& capsule) {
  const double r = capsule.radius;
  return std::numbers::pi * r * r * ((capsule.end - capsule.start).norm() + 4.0 / 3.0 * r);
}

}  // namespace limber
