// SPDX-License-Identifier: MIT
// Swing and twist of a ball joint: how far it has turned, which way a limit looks, how to come back inside.
//
// Notation as at BallLimits: u the cone's axis, t the twist axis, R the joint's rotation. Everything is told in link
// axes, where a step is q <- q exp(s) and the cone's axis stands at u' = R^T u, with c = u'.t:
//
//   swing  a = angle(u', t)     d a = s.n,          n = (u' x t) / |u' x t|      |n| = 1
//   twist  b                    d b = s.w / (1+c),  w = t + u'                   |w| / (1+c) = 1 / cos(a/2)
//
// The two gradients are orthogonal, so swing and twist may be limited apart.
#pragma once

#include <optional>

#include "limber/kinematics/pose.h"

namespace limber {

/// How far a ball joint is swung and twisted, as BallLimits defines it.
struct SwingTwist {
  double swing = 0.0;  ///< angle between the cone's axis and the turned twist axis, in [0, pi]
  double twist = 0.0;  ///< in (-pi, pi]; 0 at a swing of pi, where no twist is defined
};

/// rotation: of the joint, unit. With R0 the shortest turn from the twist axis to the cone's,
///   rotation R0^-1 = swing * twist,  twist = 2 atan2(q . coneAxis, q_w)  of that product's quaternion.
SwingTwist swingTwist(const BallLimits& limits, const Eigen::Quaterniond& rotation);

/// What both allow; nothing where their axes differ or their twists do not meet.
std::optional<BallLimits> intersection(const BallLimits& a, const BallLimits& b);

/// The limits of one ball joint, made ready.
class BallRange {
 public:
  BallRange() = default;
  explicit BallRange(const BallLimits& limits);

  /// A rotation as the limits see it.
  struct Place {
    Eigen::Vector3d cone;      ///< u', unit, link axes
    Eigen::Vector3d twistAxis; ///< t
    double swing = 0.0;        ///< [0, pi]
    double twist = 0.0;        ///< from the middle of its interval, [-pi, pi]; 0 where a half turn of swing leaves none
  };
  Place placeOf(const Eigen::Quaterniond& rotation) const;

  bool limitsSwing() const { return swing_ < std::numbers::pi; }
  bool limitsTwist() const { return halfTwist_ < std::numbers::pi; }
  /// No swing at all: a hinge about the twist axis.
  bool isHinge() const { return swing_ <= kNoSwing; }
  bool isTwistFixed() const { return halfTwist_ <= kNoSwing; }
  double swing() const { return swing_; }
  double halfTwist() const { return halfTwist_; }  ///< half the width of the twist's interval
  double middleTwist() const { return middleTwist_; }

  /// The rotation brought inside: the swing by the shortest turn, then the twist about the bone. A rotation inside is
  /// returned as it is, to the bit. Swings of pi come back about an arbitrary, fixed axis.
  Eigen::Quaterniond clamp(const Eigen::Quaterniond& rotation) const;
  /// The same, and out onto the limits that are said to hold. twistSide: 1 upper, -1 lower, 0 not held.
  Eigen::Quaterniond clampOnto(const Eigen::Quaterniond& rotation, bool holdSwing, int twistSide) const;
  /// R R0^-1, which the twist is read from.
  Eigen::Quaterniond turned(const Eigen::Quaterniond& rotation) const { return rotation * restInverse_; }
  const BallLimits& limits() const { return limits_; }

  /// How far to turn to come inside, to first order; 0 inside. Radians.
  double violation(const Eigen::Quaterniond& rotation) const;

 private:
  static constexpr double kNoSwing = 1e-10;  // radians: below, a cone is a line

  Eigen::Quaterniond turnSwing(const Eigen::Quaterniond& rotation, double by) const;
  Eigen::Quaterniond turnTwist(const Eigen::Quaterniond& rotation, double by) const;

  BallLimits limits_;
  Eigen::Quaterniond restInverse_ = Eigen::Quaterniond::Identity();  ///< R0^-1
  double swing_ = std::numbers::pi;
  double middleTwist_ = 0.0, halfTwist_ = std::numbers::pi;
};

/// Smallest angle in (0, upTo] about a unit axis (link axes) at which the swing, or the twist, comes to a limit from
/// inside; upTo when it does not. side: 1 for the twist's upper limit, -1 for its lower.
double swingReach(const BallRange& range, const Eigen::Quaterniond& rotation, const Eigen::Vector3d& axis, double upTo);
double twistReach(const BallRange& range, const Eigen::Quaterniond& rotation, const Eigen::Vector3d& axis, double upTo,
                  int side);

/// n, unit: the swing grows along it. Zero where the swing is 0 or pi: there every direction across t is alike.
Eigen::Vector3d swingNormal(const BallRange::Place& place);
/// w / |w|, unit: the twist grows along it, by 1 / twistRate. Zero where the swing is pi.
Eigen::Vector3d twistNormal(const BallRange::Place& place);
/// cos(a/2): how far to turn for one radian of twist.
double twistRate(const BallRange::Place& place);

/// Second derivative of the swing, symmetric (3 x 3):  -(sym(t u'^T) - c 1 + c n n^T) / sin a.  Rotations of one twist
/// are a plane of quaternions, so that along them the twist has none.
Eigen::Matrix3d swingCurvature(const BallRange::Place& place);

}  // namespace limber
