// SPDX-License-Identifier: MIT
// Swing and twist of a ball joint: their values, their derivatives, and their limits.
//
// Notation as at BallLimits: u the cone's axis, t the twist axis, R the joint's rotation. All vectors are in link axes,
// where a step is q <- q exp(s) and the cone's axis is u' = R^T u; c = u'.t:
//
//   swing  a = angle(u', t)     d a = s.n,          n = (u' x t) / |u' x t|      |n| = 1
//   twist  b                    d b = s.w / (1+c),  w = t + u'                   |w| / (1+c) = 1 / cos(a/2)
//
// The two gradients are orthogonal, so swing and twist can be limited separately.
#pragma once

#include <optional>

#include "limber/kinematics/pose.h"

namespace limber {

/// Swing and twist angles of a ball joint, as BallLimits defines them. Radians.
struct SwingTwist {
  double swing = 0.0;  ///< angle between the cone's axis and the turned twist axis, in [0, pi]
  double twist = 0.0;  ///< in (-pi, pi]; 0 at a swing of pi, where no twist is defined
};

/// `rotation` is the joint's, a unit quaternion. With R0 the shortest rotation from the twist axis to the cone's axis,
///   rotation R0^-1 = swing * twist,  twist = 2 atan2(q . coneAxis, q_w)  of that product's quaternion.
SwingTwist swingTwist(const BallLimits& limits, const Eigen::Quaterniond& rotation);

/// The limits that allow what both allow; nothing if their axes differ or their twist intervals are disjoint.
std::optional<BallLimits> intersection(const BallLimits& a, const BallLimits& b);

/// The limits of one ball joint, with all that does not depend on its rotation computed once.
class BallRange {
 public:
  BallRange() = default;
  explicit BallRange(const BallLimits& limits);

  /// Swing and twist of one rotation.
  struct Place {
    Eigen::Vector3d cone;       ///< u', unit, link axes
    Eigen::Vector3d twistAxis;  ///< t
    double swing = 0.0;         ///< [0, pi]
    double twist = 0.0;         ///< from the middle of its interval, [-pi, pi]; 0 at a swing of pi
  };
  Place placeOf(const Eigen::Quaterniond& rotation) const;

  bool limitsSwing() const { return swing_ < std::numbers::pi; }
  bool limitsTwist() const { return halfTwist_ < std::numbers::pi; }
  /// True when the joint cannot swing: a hinge about the twist axis.
  bool isHinge() const { return swing_ <= kNoSwing; }
  bool isTwistFixed() const { return halfTwist_ <= kNoSwing; }
  double swing() const { return swing_; }
  double halfTwist() const { return halfTwist_; }  ///< half the width of the twist's interval
  double middleTwist() const { return middleTwist_; }

  /// The rotation moved inside the limits: first its swing, by the shortest rotation, then its twist about the bone.
  /// A rotation inside the limits is returned unchanged. A swing of pi is reduced about an arbitrary, fixed axis.
  Eigen::Quaterniond clamp(const Eigen::Quaterniond& rotation) const;
  /// As clamp, and then moved onto the limits that are held. twistSide: 1 upper, -1 lower, 0 not held.
  Eigen::Quaterniond clampOnto(const Eigen::Quaterniond& rotation, bool holdSwing, int twistSide) const;
  /// R R0^-1, from which the twist is computed.
  Eigen::Quaterniond turned(const Eigen::Quaterniond& rotation) const { return rotation * restInverse_; }
  const BallLimits& limits() const { return limits_; }

  /// Angle between the rotation and the nearest one inside the limits, to first order, radians; 0 inside.
  double violation(const Eigen::Quaterniond& rotation) const;

 private:
  static constexpr double kNoSwing = 1e-10;  // radians: a narrower cone allows no swing

  Eigen::Quaterniond turnSwing(const Eigen::Quaterniond& rotation, double by) const;
  Eigen::Quaterniond turnTwist(const Eigen::Quaterniond& rotation, double by) const;

  BallLimits limits_;
  Eigen::Quaterniond restInverse_ = Eigen::Quaterniond::Identity();  ///< R0^-1
  double swing_ = std::numbers::pi;
  double middleTwist_ = 0.0, halfTwist_ = std::numbers::pi;
};

/// Smallest angle in (0, upTo] of a turn about `axis` (unit, link axes) at which the swing, or the twist, reaches its
/// limit from inside; upTo if there is no such angle. side: 1 for the twist's upper limit, -1 for its lower one.
double swingReach(const BallRange& range, const Eigen::Quaterniond& rotation, const Eigen::Vector3d& axis, double upTo);
double twistReach(const BallRange& range, const Eigen::Quaterniond& rotation, const Eigen::Vector3d& axis, double upTo,
                  int side);

/// n: the gradient of the swing, unit. Zero at swings of 0 and pi, where the swing is not differentiable.
Eigen::Vector3d swingNormal(const BallRange::Place& place);
/// w / |w|: the direction of the twist's gradient, which has the length 1 / twistRate. Zero at a swing of pi.
Eigen::Vector3d twistNormal(const BallRange::Place& place);
/// cos(a/2): the angle of a turn that changes the twist by one radian.
double twistRate(const BallRange::Place& place);

/// Second derivative of the swing, symmetric (3 x 3):  -(sym(t u'^T) - c 1 + c n n^T) / sin a.  The quaternions of one
/// twist form a plane, so the twist has no curvature along them.
Eigen::Matrix3d swingCurvature(const BallRange::Place& place);

}  // namespace limber
