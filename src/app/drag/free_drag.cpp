// SPDX-License-Identifier: MIT
#include "app/drag/free_drag.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <utility>

namespace limber::app {

namespace {

constexpr double kInPlane = 0.05;      // least sine between line of sight and a planar figure's plane to drag in it
constexpr double kFromAbove = 0.2;     // least sine between line of sight and ground to drag along it
constexpr double kPushPerStep = 1.04;  // factor of the distance to the eye
constexpr double kMostPush = 20.0;     // largest factor in all, nearer or farther
constexpr double kDegreeOfTurn = std::numbers::pi / 180.0;

bool hasMovedView(const render::View& a, const render::View& b) {
  return a.eye != b.eye || a.centre != b.centre || a.up != b.up || a.width != b.width || a.height != b.height ||
         a.fieldOfView != b.fieldOfView || a.orthographicHeight != b.orthographicHeight ||
         a.magnification != b.magnification || a.shift != b.shift;
}

double stepOf(const Modifiers& held, double coarse, double fine) {
  return held.control ? coarse : held.shift ? fine : 0.0;
}

}  // namespace

FreeDrag::FreeDrag(const Document& document, const Press& press, std::unique_ptr<Dragged> what)
    : Drag(document, press.grip, std::move(what)), start(press.point), direction(-render::forwardDirection(press.view)),
      firstRay_(press.ray()), view_(press.view) {}

bool FreeDrag::canLock(const AxisLock& wanted) const { return !dragged->hasOneAxis(*before.figure) && allows(wanted); }

void FreeDrag::toggleLock(const AxisLock& wanted) {
  lock = lock == wanted ? std::nullopt : std::optional(wanted);
  take();
}

std::string FreeDrag::measureWords(LengthUnit unit) const {
  return typed.isEmpty() ? measured(unit) : typed.text() + unitAfter(unit) + " typed, Enter accepts";
}

bool FreeDrag::follow(Document& document, const render::View& view, double x, double y, const Modifiers& held) {
  if (hasMovedView(view_, view)) {
    view_ = view;
    const auto at = isUnderCursor ? render::projectToPixel(view, centre()) : std::nullopt;
    firstRay_ = at ? render::rayThroughPixel(view, at->x(), at->y()) : render::rayThroughPixel(view, x, y);
    takeAnew();
  }
  return followRay(document, render::rayThroughPixel(view, x, y), held);
}

SlideDrag::SlideDrag(const Document& document, const Press& press, std::unique_ptr<Dragged> what)
    : FreeDrag(document, press, std::move(what)), target(press.point), across_(render::screenAxes(&press.view).right) {}

void SlideDrag::slideAlong(const Eigen::Vector3d& axis) {
  isLine_ = true;
  direction = axis;
}

void SlideDrag::slideIn(const Eigen::Vector3d& normal, const Eigen::Vector3d& inPlane) {
  direction = normal;
  across_ = inPlane;
}

void SlideDrag::slideOnGroundSeenFromAbove() {
  if (std::abs(direction.y()) > kFromAbove) slideIn(Eigen::Vector3d::UnitY(), Eigen::Vector3d::UnitX());
}

void SlideDrag::stayInPlane() {
  if (!before.figure->isPlanar() || std::abs(direction.z()) <= kInPlane) return;
  slideIn(Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitX());
  start.z() = target.z() = 0.0;
}

bool SlideDrag::allows(const AxisLock& wanted) const { return !isPlanar() || wanted.isPlane == (wanted.axis == 2); }

bool SlideDrag::pushAway(double wheelSteps) {
  if (lock || isLine_ || isPlanar() || !std::isfinite(wheelSteps)) return false;
  depth_ = std::clamp(depth_ * std::pow(kPushPerStep, wheelSteps), 1.0 / kMostPush, kMostPush);
  take();
  return true;
}

/// The translation at the first ray: firstWay_ projected by the lock or, without one, pushed along the ray by `depth_`.
Eigen::Vector3d SlideDrag::wayAtTake() const {
  if (!lock) {
    const Eigen::Vector3d point = start + firstWay_;
    const double length = (point - firstRay_.origin).dot(firstRay_.direction);
    return firstWay_ + (depth_ - 1.0) * length * firstRay_.direction;
  }
  const Eigen::Vector3d axis = presentDirection(), along = firstWay_.dot(axis) * axis;
  return lock->isPlane ? Eigen::Vector3d(firstWay_ - along) : along;
}

void SlideDrag::take() {
  const Eigen::Vector3d point = start + wayAtTake(), toward = presentDirection();
  const bool isAlongLine = lock ? !lock->isPlane : isLine_;
  if (isAlongLine) slide_ = takeAlongLine(firstRay_, point, toward);
  else slide_ = takeInPlane(firstRay_, point, toward, lock ? Eigen::Vector3d(axes.col((lock->axis + 1) % 3)) : across_);
}

void SlideDrag::takeAnew() {
  firstWay_ = way;
  depth_ = 1.0;
  take();
}

bool SlideDrag::followRay(Document& document, const render::Ray& ray, const Modifiers& held) {
  const Eigen::Vector3d atTake = wayAtTake();
  way = atTake + slideBy(slide_, ray);
  if (const auto length = typed.value()) way = withLength(slide_, way, *length * typedUnit_);
  else way = inSteps(slide_, way, stepOf(held, steps.coarse, steps.fine));
  target = start + way;
  return target.allFinite() && dragged->shift(*this, document, {way, target, way.dot(direction)});
}

void SlideDrag::measureIn(LengthUnit unit, double figureSize) {
  typedUnit_ = 1.0 / unitsPerMetre(unit);
  steps = snapStepsOf(figureSize);
}

std::string SlideDrag::measured(LengthUnit unit) const {
  const double metres = slide_.isLine() ? way.dot(slide_.along) : way.norm();
  char text[48];
  std::snprintf(text, sizeof text, "%+.4g %s", unitsPerMetre(unit) * metres, unitSuffix(unit));
  return text;
}

TurnDrag::TurnDrag(const Document& document, const Press& press, std::unique_ptr<Dragged> what,
                   const Eigen::Vector3d& centre, const Eigen::Vector3d& axis)
    : FreeDrag(document, press, std::move(what)), grabbed_(press.point) {
  start = centre;
  direction = axis;
}

void TurnDrag::take() { ring = takeRing(firstRay_, start, presentDirection(), grabbed_); }

void TurnDrag::takeAnew() {
  const double turned = ring.angle;
  grabbed_ = start + Eigen::AngleAxisd(turned, ring.axis) * ring.from;
  take();
  ring.angle = turned;
}

bool TurnDrag::followRay(Document& document, const render::Ray& ray, const Modifiers& held) {
  const double turned = turnBy(ring, ray);
  if (!std::isfinite(turned)) return false;
  angle = inSteps(turned, kDegreeOfTurn * stepOf(held, kCoarseTurn, kFineTurn));
  if (const auto degrees = typed.value()) angle = *degrees * kDegreeOfTurn;
  const Eigen::Matrix3d rotation = Eigen::AngleAxisd(angle, ring.axis).toRotationMatrix();
  return rotation.allFinite() && dragged->turn(*this, document, {start, ring.axis, angle, rotation});
}

void TurnDrag::showIn(render::GizmoMark& mark) const {
  mark.turned = angle;
  mark.from = ring.from;
  mark.axis = ring.axis;
}

std::string TurnDrag::measured(LengthUnit) const {
  char text[96];
  std::snprintf(text, sizeof text, "%+.1f\u00b0", angle * (180.0 / std::numbers::pi));
  return text;
}

}  // namespace limber::app
