// SPDX-License-Identifier: MIT
#include "limber/goals/swivel_goal.h"

#include <cassert>
#include <cmath>

#include "limber/goals/link_feature.h"

namespace limber {

namespace {

constexpr double kStraight = 0.05;        // s: units of length times the sine of the angle between limb and direction
constexpr double kLineSoftening = 1e-3;   // units of length: keeps l regular where root and end coincide
constexpr double kNothingToTurn = 1e-30;  // bound on t below which r is far below rounding

/// A function of (a; l), a = c - h and l = e - h, with its first and second derivatives.
struct Smooth {
  double value = 0.0;
  Vector6d gradient = Vector6d::Zero();
  Matrix6d hessian = Matrix6d::Zero();
};

Matrix6d symmetricOuter(const Vector6d& a, const Vector6d& b) {
  const Matrix6d outer = a * b.transpose();
  return outer + outer.transpose();
}

Smooth operator*(const Smooth& f, const Smooth& g) {
  return {f.value * g.value, f.value * g.gradient + g.value * f.gradient,
          f.value * g.hessian + g.value * f.hessian + symmetricOuter(f.gradient, g.gradient)};
}

/// h(f), given h and its derivatives at f.
Smooth compose(const Smooth& f, double value, double first, double second) {
  return {value, first * f.gradient, first * f.hessian + second * f.gradient * f.gradient.transpose()};
}

/// (l x a) . (l x d) = (l . l) (a . d) - (l . d) (a . l): x times l . l.
Smooth alongDirection(const Eigen::Vector3d& a, const Eigen::Vector3d& l, const Eigen::Vector3d& d) {
  const double ll = l.squaredNorm(), ad = a.dot(d), ld = l.dot(d), al = a.dot(l);
  Smooth f;
  f.value = ll * ad - ld * al;
  f.gradient << ll * d - ld * l, 2.0 * ad * l - al * d - ld * a;
  f.hessian.topRightCorner<3, 3>() = 2.0 * d * l.transpose() - l * d.transpose() - ld * Eigen::Matrix3d::Identity();
  f.hessian.bottomLeftCorner<3, 3>() = f.hessian.topRightCorner<3, 3>().transpose();
  f.hessian.bottomRightCorner<3, 3>() = 2.0 * ad * Eigen::Matrix3d::Identity() - d * a.transpose() - a * d.transpose();
  return f;
}

/// l . (d x a): y times |l|.
Smooth acrossDirection(const Eigen::Vector3d& a, const Eigen::Vector3d& l, const Eigen::Vector3d& d) {
  Smooth f;
  f.value = l.dot(d.cross(a));
  f.gradient << l.cross(d), d.cross(a);
  f.hessian.topRightCorner<3, 3>() = -skew(d);
  f.hessian.bottomLeftCorner<3, 3>() = skew(d);
  return f;
}

Smooth squaredLine(const Eigen::Vector3d& l) {
  Smooth f;
  f.value = l.squaredNorm() + kLineSoftening * kLineSoftening;
  f.gradient.tail<3>() = 2.0 * l;
  f.hessian.bottomRightCorner<3, 3>() = 2.0 * Eigen::Matrix3d::Identity();
  return f;
}

/// atan2(y, x), away from the origin.
Smooth angleOf(const Smooth& x, const Smooth& y) {
  const double t = x.value * x.value + y.value * y.value;
  const double byX = -y.value / t, byY = x.value / t;
  const double byXX = 2.0 * x.value * y.value / (t * t), byXY = (y.value * y.value - x.value * x.value) / (t * t);
  return {std::atan2(y.value, x.value), byX * x.gradient + byY * y.gradient,
          byX * x.hessian + byY * y.hessian +
              byXX * (x.gradient * x.gradient.transpose() - y.gradient * y.gradient.transpose()) +
              byXY * symmetricOuter(x.gradient, y.gradient)};
}

/// r at a = c - h, l = e - h, both in units of length.
Smooth swivelAt(const Eigen::Vector3d& a, const Eigen::Vector3d& l, const Eigen::Vector3d& d) {
  const Smooth square = squaredLine(l);
  const double s = square.value, root = std::sqrt(s);
  const Smooth x = alongDirection(a, l, d) * compose(square, 1.0 / s, -1.0 / (s * s), 2.0 / (s * s * s));
  const Smooth y = acrossDirection(a, l, d) * compose(square, 1.0 / root, -0.5 / (s * root), 0.75 / (s * s * root));
  const Smooth x2 = x * x, y2 = y * y;
  const Smooth t{x2.value + y2.value, x2.gradient + y2.gradient, x2.hessian + y2.hessian};
  if (!(t.value > kNothingToTurn)) return {};
  const double fade = kStraight * kStraight, sum = t.value + fade;
  return angleOf(x, y) * compose(t, t.value / sum, fade / (sum * sum), -2.0 * fade / (sum * sum * sum));
}

}  // namespace

SwivelGoal::SwivelGoal(const Upper& upper, int lowerLink, const Eigen::Vector3d& endInLower,
                       const Eigen::Vector3d& direction, double weight, double lengthUnit)
    : Goal(weight), upper_(upper), lowerLink_(lowerLink), endInLower_(endInLower), direction_(direction),
      inverseLength_(1.0 / lengthUnit) {
  assert(upper.link != lowerLink && "a limb bends between two links");
  assert(lengthUnit > 0.0);
}

SwivelGoal::Places SwivelGoal::placesAt(const Kinematics& kinematics) const {
  const Transform& upper = kinematics.worldFromLink[upper_.link];
  return {upper * upper_.root, upper * upper_.middle, kinematics.worldFromLink[lowerLink_] * endInLower_};
}

Matrix6d SwivelGoal::motionOf(const Kinematics& kinematics, const Places& places, int which) const {
  Matrix6d motion = Matrix6d::Zero();
  if (which == 0) motion << directionJacobian(places.middle - places.root), -pointJacobian(kinematics, places.root);
  else motion.bottomRows<3>() = pointJacobian(kinematics, places.end);
  return motion;
}

void SwivelGoal::computeResidual(const Kinematics& kinematics, Residual& residual) const {
  const Places places = placesAt(kinematics);
  residual.resize(1);
  residual[0] = swivelAngle(places.root, places.middle, places.end, direction_, 1.0 / inverseLength_);
}

void SwivelGoal::computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const {
  const Places places = placesAt(kinematics);
  const Smooth r =
      swivelAt(inverseLength_ * (places.middle - places.root), inverseLength_ * (places.end - places.root), direction_);
  jacobian = inverseLength_ * r.gradient.transpose() * motionOf(kinematics, places, which);
}

void SwivelGoal::computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                                  Matrix6d& curvature) const {
  const Places places = placesAt(kinematics);
  const Smooth r =
      swivelAt(inverseLength_ * (places.middle - places.root), inverseLength_ * (places.end - places.root), direction_);
  const Matrix6d motion = inverseLength_ * motionOf(kinematics, places, which);
  const Vector6d m = multipliers[0] * inverseLength_ * r.gradient;
  curvature = multipliers[0] * motion.transpose() * r.hessian * motion;
  if (which == 1) {
    curvature += pointCurvature(kinematics, m.tail<3>(), places.end);
    return;
  }
  curvature -= pointCurvature(kinematics, m.tail<3>(), places.root);
  curvature.topLeftCorner<3, 3>() += directionCurvature(m.head<3>(), places.middle - places.root);
}

void SwivelGoal::computeCrossCurvature(const Kinematics& kinematics, const Residual& multipliers, int which, int other,
                                       Matrix6d& curvature) const {
  const Places places = placesAt(kinematics);
  const Smooth r =
      swivelAt(inverseLength_ * (places.middle - places.root), inverseLength_ * (places.end - places.root), direction_);
  curvature = multipliers[0] * inverseLength_ * inverseLength_ * motionOf(kinematics, places, which).transpose() *
              r.hessian * motionOf(kinematics, places, other);
}

double swivelAngle(const Eigen::Vector3d& root, const Eigen::Vector3d& middle, const Eigen::Vector3d& end,
                   const Eigen::Vector3d& direction, double lengthUnit) {
  const Eigen::Vector3d a = (middle - root) / lengthUnit, l = (end - root) / lengthUnit;
  const double s = l.squaredNorm() + kLineSoftening * kLineSoftening;
  const double x = (l.cross(a)).dot(l.cross(direction)) / s, y = l.dot(direction.cross(a)) / std::sqrt(s);
  const double t = x * x + y * y;
  return t > kNothingToTurn ? std::atan2(y, x) * t / (t + kStraight * kStraight) : 0.0;
}

}  // namespace limber
