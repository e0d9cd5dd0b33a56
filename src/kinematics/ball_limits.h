// SPDX-License-Identifier: MIT
#pragma once

#include "kinematics/figure.h"

namespace limber {

/// How far a ball joint is swung and twisted, as BallLimits defines it.
struct SwingTwist {
  double swing = 0.0;  ///< angle between the cone's axis and the turned twist axis, in [0, pi]
  double twist = 0.0;  ///< in (-pi, pi]; 0 at a swing of pi, where no twist is defined
};

/// rotation: of the joint, unit. With R0 the shortest turn from the twist axis to the cone's,
///   rotation R0^-1 = swing * twist,  twist = 2 atan2(q . coneAxis, q_w)  of that product's quaternion.
SwingTwist swingTwist(const BallLimits& limits, const Eigen::Quaterniond& rotation);

}  // namespace limber
