// SPDX-License-Identifier: MIT
#include "app/view/gizmo.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber::app {

namespace {

constexpr double kSeenEdgeOn = 0.05;  // sine between ray and plane below which the plane gives no useful point
constexpr double kPointsAtEye = 0.1;  // sine between ray and line below which the ray gives no useful point
constexpr double kRingEdgeOn = 0.2;   // sine between ray and ring below which its plane gives no useful angle
constexpr std::size_t kMostCharacters = 10;

/// The point where the ray meets the plane. The sine of the angle between them is bounded from below by `least`:
///
///   sine' = sine for sine >= 2 least,  least + sine^2 / (4 least) below,  least from the horizon on.
///
/// This is once differentiable, so that the point comes to rest without a kink.
Eigen::Vector3d meet(const Slide& slide, const render::Ray& ray) {
  const double height = (ray.origin - slide.point).dot(slide.normal);
  const double slope = ray.direction.dot(slide.normal), sine = -slide.side * slope;  // positive towards the plane
  if (sine >= 2.0 * slide.least) return ray.origin + slide.side * height / sine * ray.direction;
  const double soft = slide.least + (sine > 0.0 ? sine * sine / (4.0 * slide.least) : 0.0);
  const Eigen::Vector3d foot = ray.origin - height * slide.normal, level = ray.direction - slope * slide.normal;
  if (!(level.norm() > 0.0)) return foot;
  return foot + std::abs(height) * std::sqrt(1.0 - soft * soft) / soft * level.normalized();
}

void takeWith(const render::Ray& ray, Slide& slide) {
  slide.side = (ray.origin - slide.point).dot(slide.normal) < 0.0 ? -1.0 : 1.0;
  slide.least = std::max(std::abs(ray.direction.dot(slide.normal)), kSeenEdgeOn) / kFarthest;
  slide.met = meet(slide, ray);
}

/// The direction normal to a ray that is up on the screen of an upright camera.
Eigen::Vector3d upAcross(const Eigen::Vector3d& direction) {
  const Eigen::Vector3d up = Eigen::Vector3d::UnitY() - direction.y() * direction;
  return up.norm() > kSeenEdgeOn ? Eigen::Vector3d(up.normalized()) : Eigen::Vector3d(direction.unitOrthogonal());
}

double angleBetween(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& axis) {
  return std::atan2(axis.dot(a.cross(b)), a.dot(b) - a.dot(axis) * b.dot(axis));
}

}  // namespace

Slide takeInPlane(const render::Ray& ray, const Eigen::Vector3d& point, const Eigen::Vector3d& normal,
                  const std::optional<Eigen::Vector3d>& across) {
  if (std::abs(ray.direction.dot(normal)) < kSeenEdgeOn)
    return takeAlongLine(ray, point, normal.cross(ray.direction).normalized());
  Slide slide{.point = point, .normal = normal, .across = across.value_or(normal.unitOrthogonal())};
  takeWith(ray, slide);
  return slide;
}

Slide takeAlongLine(const render::Ray& ray, const Eigen::Vector3d& point, const Eigen::Vector3d& axis) {
  Slide slide{.point = point, .along = axis, .across = axis, .measured = axis};
  const double cosine = axis.dot(ray.direction);
  const Eigen::Vector3d facing = ray.direction - cosine * axis;
  if (facing.norm() < kPointsAtEye) {  // moving up on the screen moves farther away, as on the ground
    slide.normal = -ray.direction;
    slide.measured = (cosine < 0.0 ? -1.0 : 1.0) * upAcross(ray.direction);
  } else {
    slide.normal = -facing.normalized();
  }
  takeWith(ray, slide);
  return slide;
}

Eigen::Vector3d slideBy(const Slide& slide, const render::Ray& ray) {
  const Eigen::Vector3d way = meet(slide, ray) - slide.met;
  return slide.isLine() ? Eigen::Vector3d(way.dot(slide.measured) * slide.along) : way;
}

Eigen::Vector3d inSteps(const Slide& slide, const Eigen::Vector3d& way, double step) {
  if (!(step > 0.0)) return way;
  if (slide.isLine()) return inSteps(way.dot(slide.along), step) * slide.along;
  const Eigen::Vector3d other = slide.normal.cross(slide.across);
  return inSteps(way.dot(slide.across), step) * slide.across + inSteps(way.dot(other), step) * other +
         way.dot(slide.normal) * slide.normal;
}

Eigen::Vector3d withLength(const Slide& slide, const Eigen::Vector3d& way, double length) {
  if (slide.isLine()) return length * slide.along;
  return length * (way.norm() > 0.0 ? Eigen::Vector3d(way.normalized()) : slide.across);
}

Turn takeRing(const render::Ray& ray, const Eigen::Vector3d& centre, const Eigen::Vector3d& axis,
              const Eigen::Vector3d& grabbed) {
  Turn turn{.centre = centre, .axis = axis};
  const Eigen::Vector3d arm = grabbed - centre, level = arm - arm.dot(axis) * axis;
  turn.from = level.norm() > 0.0 ? level : Eigen::Vector3d(axis.unitOrthogonal());
  turn.isEdgeOn = std::abs(ray.direction.dot(axis)) < kRingEdgeOn;
  if (turn.isEdgeOn) {
    // A ring seen edge on rolls: its near side moves along axis x (direction to the eye), its far side oppositely.
    turn.slide = takeInPlane(ray, grabbed, -ray.direction);
    const bool isBehind = level.dot(ray.direction) > 0.5 * level.norm();
    turn.rim = (isBehind ? 1.0 : -1.0) * turn.from.norm() * axis.cross(ray.direction).normalized();
    return turn;
  }
  turn.slide = takeInPlane(ray, centre, axis);
  const Eigen::Vector3d met = turn.slide.met - centre;
  if (met.norm() > 0.0) turn.from = met;
  return turn;
}

double turnBy(Turn& turn, const render::Ray& ray) {
  const Eigen::Vector3d way = slideBy(turn.slide, ray);
  if (turn.isEdgeOn) return turn.angle = way.dot(turn.rim) / turn.rim.squaredNorm();
  const double now = angleBetween(turn.from, turn.slide.met + way - turn.centre, turn.axis);
  turn.angle += std::remainder(now - turn.last, 2.0 * std::numbers::pi);
  turn.last = now;
  return turn.angle;
}

double inSteps(double value, double step) { return step > 0.0 ? step * std::round(value / step) : value; }

SnapSteps snapStepsOf(double figureSize) {
  if (!(figureSize > 0.0) || !std::isfinite(figureSize)) return {};
  const double coarse = std::pow(10.0, std::round(std::log10(0.05 * figureSize)));
  return {coarse, 0.1 * coarse};
}

bool TypedNumber::type(char32_t character) {
  if (character == U'-') {
    isNegative_ = !isNegative_;
    return true;
  }
  const bool isPoint = character == U'.' || character == U',';
  if (!isPoint && (character < U'0' || character > U'9')) return false;
  if (text_.size() >= kMostCharacters || (isPoint && text_.find('.') != std::string::npos)) return true;
  text_ += isPoint ? '.' : static_cast<char>(character);
  return true;
}

bool TypedNumber::erase() {
  if (isEmpty()) return false;
  if (text_.empty()) isNegative_ = false;
  else text_.pop_back();
  return true;
}

std::optional<double> TypedNumber::value() const {
  if (text_.find_first_of("0123456789") == std::string::npos) return std::nullopt;
  double digits = 0.0, divisor = 1.0;  // independent of the locale
  bool isFraction = false;
  for (const char c : text_) {
    if (c == '.') {
      isFraction = true;
      continue;
    }
    digits = 10.0 * digits + (c - '0');
    if (isFraction) divisor *= 10.0;
  }
  return (isNegative_ ? -digits : digits) / divisor;
}

}  // namespace limber::app
