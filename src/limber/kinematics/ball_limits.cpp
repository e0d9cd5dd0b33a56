// SPDX-License-Identifier: MIT
#include "limber/kinematics/ball_limits.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/kinematics/shortest_turn.h"

namespace limber {

namespace {

constexpr double kRounding = 1e-13;     // radians: a smaller violation counts as none
constexpr double kSameAxis = 1e-9;      // unit vectors this close count as equal
constexpr double kNoDirection = 1e-14;  // a shorter cross product of unit vectors has no direction

Eigen::Matrix3d symmetric(const Eigen::Matrix3d& m) { return 0.5 * (m + m.transpose()); }

}  // namespace

SwingTwist swingTwist(const BallLimits& limits, const Eigen::Quaterniond& rotation) {
  const Eigen::Vector3d& u = limits.coneAxis;
  const Eigen::Vector3d turned = rotation * limits.twistAxis;
  const Eigen::Quaterniond fromStart = rotation * shortestTurn(limits.twistAxis, u).conjugate();
  const double sign = fromStart.w() < 0.0 ? -1.0 : 1.0;  // q and -q are the same rotation
  // atan2 keeps its digits near 0 and pi, where an arc cosine loses half of them.
  return {std::atan2(u.cross(turned).norm(), u.dot(turned)),
          2.0 * std::atan2(sign * fromStart.vec().dot(u), sign * fromStart.w())};
}

std::optional<BallLimits> intersection(const BallLimits& a, const BallLimits& b) {
  const bool haveSameAxes =
      (a.coneAxis - b.coneAxis).norm() < kSameAxis && (a.twistAxis - b.twistAxis).norm() < kSameAxis;
  if (!a.isBounded()) return b;
  if (!b.isBounded()) return a;
  const Interval twist{std::max(a.twist.lower, b.twist.lower), std::min(a.twist.upper, b.twist.upper)};
  if (!haveSameAxes || twist.lower > twist.upper) return std::nullopt;
  BallLimits both = a;
  both.swing = std::min(a.swing, b.swing);
  both.twist = twist;
  return both;
}

BallRange::BallRange(const BallLimits& limits)
    : limits_(limits), swing_(std::clamp(limits.swing, 0.0, std::numbers::pi)) {
  limits_.coneAxis.normalize();
  limits_.twistAxis.normalize();
  restInverse_ = shortestTurn(limits_.twistAxis, limits_.coneAxis).conjugate();
  const double lower = std::max(limits.twist.lower, -std::numbers::pi);
  const double upper = std::min(limits.twist.upper, std::numbers::pi);
  middleTwist_ = 0.5 * (lower + upper);
  halfTwist_ = std::max(0.5 * (upper - lower), 0.0);
}

BallRange::Place BallRange::placeOf(const Eigen::Quaterniond& rotation) const {
  Place place;
  place.twistAxis = limits_.twistAxis;
  place.cone = rotation.conjugate() * limits_.coneAxis;
  place.swing = std::atan2(place.cone.cross(place.twistAxis).norm(), place.cone.dot(place.twistAxis));
  const Eigen::Quaterniond q = turned(rotation);
  const double along = q.vec().dot(limits_.coneAxis);
  const bool hasTwist = std::max(std::abs(along), std::abs(q.w())) > kNoDirection;
  if (hasTwist) place.twist = std::remainder(2.0 * std::atan2(along, q.w()) - middleTwist_, 2.0 * std::numbers::pi);
  return place;
}

/// Turns about the axis normal to u and R t, which keeps the twist.
Eigen::Quaterniond BallRange::turnSwing(const Eigen::Quaterniond& rotation, double by) const {
  const Eigen::Vector3d cone = rotation.conjugate() * limits_.coneAxis;
  Eigen::Vector3d axis = cone.cross(limits_.twistAxis);
  const double length = axis.norm();
  axis = length > kNoDirection ? Eigen::Vector3d(axis / length) : limits_.twistAxis.unitOrthogonal();
  return (rotation * exponential(by * axis)).normalized();
}

/// Turns about the bone, which keeps the swing.
Eigen::Quaterniond BallRange::turnTwist(const Eigen::Quaterniond& rotation, double by) const {
  return (rotation * exponential(by * limits_.twistAxis)).normalized();
}

Eigen::Quaterniond BallRange::clamp(const Eigen::Quaterniond& rotation) const {
  Eigen::Quaterniond result = rotation;
  if (limitsSwing())
    if (const double swing = placeOf(result).swing; swing > swing_ + kRounding)
      result = turnSwing(result, swing_ - swing);
  if (limitsTwist())
    if (const Place place = placeOf(result); (std::abs(place.twist) - halfTwist_) * twistRate(place) > kRounding)
      result = turnTwist(result, std::copysign(halfTwist_, place.twist) - place.twist);
  return result;
}

Eigen::Quaterniond BallRange::clampOnto(const Eigen::Quaterniond& rotation, bool holdSwing, int twistSide) const {
  Eigen::Quaterniond result = clamp(rotation);
  if (holdSwing)
    if (const double missing = swing_ - placeOf(result).swing; missing > kRounding) result = turnSwing(result, missing);
  if (twistSide != 0)
    if (const Place place = placeOf(result);
        std::abs(twistSide * halfTwist_ - place.twist) * twistRate(place) > kRounding)
      result = turnTwist(result, twistSide * halfTwist_ - place.twist);
  return result;
}

double BallRange::violation(const Eigen::Quaterniond& rotation) const {
  const Place place = placeOf(rotation);
  const double swing = limitsSwing() ? place.swing - swing_ : 0.0;
  const double twist = limitsTwist() ? (std::abs(place.twist) - halfTwist_) * twistRate(place) : 0.0;
  const double worst = std::max(swing, twist);
  return worst > kRounding ? worst : 0.0;
}

/// Cosine of the swing after a turn by phi about the axis k:  u'.(t turned by phi) = A + B cos phi + C sin phi.
double swingReach(const BallRange& range, const Eigen::Quaterniond& rotation, const Eigen::Vector3d& axis,
                  double upTo) {
  const BallRange::Place place = range.placeOf(rotation);
  const double a = place.cone.dot(axis) * axis.dot(place.twistAxis);
  const double b = place.cone.dot(place.twistAxis) - a;
  const double c = place.cone.dot(axis.cross(place.twistAxis));
  const double radius = std::hypot(b, c);
  const double cosine = (std::cos(range.swing()) - a) / radius;
  if (!(std::abs(cosine) <= 1.0)) return upTo;
  // The cosine falls through the limit's where phi - phi0 is +acos.
  double angle = std::remainder(std::atan2(c, b) + std::acos(cosine), 2.0 * std::numbers::pi);
  if (angle <= kRounding) angle += 2.0 * std::numbers::pi;
  return std::min(angle, upTo);
}

/// After a turn by phi, R R0^-1 = q0 cos(phi/2) + q1 sin(phi/2); the twist is b where v_u cos(b/2) - w sin(b/2) = 0.
double twistReach(const BallRange& range, const Eigen::Quaterniond& rotation, const Eigen::Vector3d& axis, double upTo,
                  int side) {
  const Eigen::Quaterniond q0 = range.turned(rotation);
  const Eigen::Quaterniond q1 = range.turned(rotation * Eigen::Quaterniond(0.0, axis.x(), axis.y(), axis.z()));
  const Eigen::Vector3d& u = range.limits().coneAxis;
  const double half = 0.5 * (range.middleTwist() + side * range.halfTwist());
  const double at0 = q0.vec().dot(u) * std::cos(half) - q0.w() * std::sin(half);
  const double at1 = q1.vec().dot(u) * std::cos(half) - q1.w() * std::sin(half);
  if (at0 == 0.0 && at1 == 0.0) return upTo;
  double angle = 2.0 * std::atan2(-at0, at1);
  while (angle <= kRounding) angle += 2.0 * std::numbers::pi;
  return std::min(angle, upTo);
}

Eigen::Vector3d swingNormal(const BallRange::Place& place) {
  const Eigen::Vector3d across = place.cone.cross(place.twistAxis);
  const double length = across.norm();
  return length > kNoDirection ? Eigen::Vector3d(across / length) : Eigen::Vector3d::Zero();
}

Eigen::Vector3d twistNormal(const BallRange::Place& place) {
  const Eigen::Vector3d w = place.twistAxis + place.cone;
  const double length = w.norm();
  return length > kNoDirection ? Eigen::Vector3d(w / length) : Eigen::Vector3d::Zero();
}

double twistRate(const BallRange::Place& place) { return 0.5 * (place.twistAxis + place.cone).norm(); }

Eigen::Matrix3d swingCurvature(const BallRange::Place& place) {
  const Eigen::Vector3d across = place.cone.cross(place.twistAxis);
  const double sine = across.norm(), cosine = place.cone.dot(place.twistAxis);
  if (sine <= kNoDirection) return Eigen::Matrix3d::Zero();
  const Eigen::Vector3d n = across / sine;
  return -(symmetric(place.twistAxis * place.cone.transpose()) - cosine * Eigen::Matrix3d::Identity() +
           cosine * n * n.transpose()) /
         sine;
}

}  // namespace limber
