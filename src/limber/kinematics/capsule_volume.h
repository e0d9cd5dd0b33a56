// SPDX-License-Identifier: MIT
#pragma once

#include <numbers>

#include "limber/kinematics/figure.h"

namespace limber {

/// Volume of a cylinder with two half balls, cubic metres.
inline double volumeOf(const Capsule& capsule) {
  const double r = capsule.radius;
  return std::numbers::pi * r * r * ((capsule.end - capsule.start).norm() + 4.0 / 3.0 * r);
}

}  // namespace limber
