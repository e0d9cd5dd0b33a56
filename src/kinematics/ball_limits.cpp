// SPDX-License-Identifier: MIT
#include "kinematics/ball_limits.h"

#include <cmath>

namespace limber {

SwingTwist swingTwist(const BallLimits& limits, const Eigen::Quaterniond& rotation) {
  const Eigen::Vector3d& u = limits.coneAxis;
  const Eigen::Vector3d turned = rotation * limits.twistAxis;
  const Eigen::Quaterniond fromStart =
      rotation * Eigen::Quaterniond::FromTwoVectors(limits.twistAxis, u).conjugate();
  const double sign = fromStart.w() < 0.0 ? -1.0 : 1.0;  // q and -q are one rotation
  // atan2 keeps its digits near 0 and pi, where an arc cosine loses half of them.
  return {std::atan2(u.cross(turned).norm(), u.dot(turned)),
          2.0 * std::atan2(sign * fromStart.vec().dot(u), sign * fromStart.w())};
}

}  // namespace limber
