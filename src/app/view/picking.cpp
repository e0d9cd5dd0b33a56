// SPDX-License-Identifier: MIT
#include "app/view/picking.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace limber::app {

namespace {

/// Smallest non-negative root of a t^2 + 2 b t + c, the ray's entry into a quadric.
std::optional<double> entry(double a, double b, double c) {
  const double discriminant = b * b - a * c;
  if (!(discriminant >= 0.0) || !(a > 0.0)) return std::nullopt;
  const double root = std::sqrt(discriminant);
  const double near = (-b - root) / a, far = (-b + root) / a;
  if (far < 0.0) return std::nullopt;
  return std::max(near, 0.0);
}

std::optional<double> intersectBall(const render::Ray& ray, const Eigen::Vector3d& centre, double radius) {
  const Eigen::Vector3d offset = ray.origin - centre;
  return entry(1.0, offset.dot(ray.direction), offset.squaredNorm() - radius * radius);
}

/// The points of ray and segment that are nearest to each other: distance along the ray, and point of the segment.
std::pair<double, Eigen::Vector3d> nearestOnSegment(const render::Ray& ray, const Eigen::Vector3d& start,
                                                    const Eigen::Vector3d& end) {
  const Eigen::Vector3d u = end - start, w = start - ray.origin;
  const double uu = u.squaredNorm(), ud = u.dot(ray.direction);
  const double denominator = uu - ud * ud;
  double s = denominator > 1e-12 * uu ? (w.dot(ray.direction) * ud - w.dot(u)) / denominator : 0.0;
  s = uu > 0.0 ? std::clamp(s, 0.0, 1.0) : 0.0;
  const Eigen::Vector3d point = start + s * u;
  return {std::max(0.0, (point - ray.origin).dot(ray.direction)), point};
}

/// Distance from the ray to a capsule's surface, in pixels at its depth; negative if the ray enters.
double missInPixels(const render::Ray& ray, const render::View& view, const render::DrawCapsule& capsule,
                    double& along) {
  const auto [t, point] = nearestOnSegment(ray, capsule.start, capsule.end);
  along = t;
  if (!((point - view.eye).dot(render::forwardDirection(view)) > 0.0)) return std::numeric_limits<double>::infinity();
  return ((ray.origin + t * ray.direction - point).norm() - capsule.radius) / render::pixelSize(view, point);
}

std::optional<Hit> pickGrip(const render::DrawList& list, const render::View& view, const render::Ray& ray,
                            double reach) {
  std::optional<Hit> best;
  double bestMiss = reach;
  bool bestIsBall = false;
  for (const render::DrawCapsule& capsule : list.capsules) {
    if (capsule.grip == render::Grip::None || capsule.grip == render::Grip::KeyGhost) continue;
    const bool isOwn = isGizmo(capsule.grip) || capsule.grip == render::Grip::TrailKey;
    if (capsule.goal < 0 && capsule.obstacle < 0 && !isOwn) continue;
    double along = 0.0;
    const double miss = std::max(missInPixels(ray, view, capsule, along), 0.0);
    if (!(miss <= bestMiss)) continue;
    const bool isBall = capsule.start == capsule.end;
    if (best && miss == bestMiss && (isBall != bestIsBall ? bestIsBall : along >= best->distance)) continue;
    const Eigen::Vector3d point = nearestOnSegment(ray, capsule.start, capsule.end).second;
    best = Hit{-1, capsule.goal, point, (point - ray.origin).norm(), capsule.grip, capsule.part, capsule.obstacle};
    bestMiss = miss;
    bestIsBall = isBall;
  }
  return best;
}

std::optional<Hit> pickObstacle(const render::DrawList& list, const render::Ray& ray) {
  if (!list.props.isShown) return std::nullopt;
  const auto prop = render::intersectSkin(ray, *list.props.groups, list.props.worldFromSkin);
  if (!prop) return std::nullopt;
  return Hit{.point = ray.origin + prop->distance * ray.direction,
             .distance = prop->distance,
             .obstacle = list.obstacles[prop->surface].id};
}

std::optional<Hit> pickGhost(const render::DrawList& list, const render::Ray& ray) {
  std::optional<Hit> hit;
  for (const render::DrawCapsule& capsule : list.capsules) {
    if (capsule.grip != render::Grip::KeyGhost) continue;
    const auto t = intersectCapsule(ray, capsule.start, capsule.end, capsule.radius);
    if (t && (!hit || *t < hit->distance))
      hit = Hit{-1, -1, ray.origin + *t * ray.direction, *t, capsule.grip, capsule.part};
  }
  return hit;
}

std::optional<Hit> pickBlock(const render::DrawList& list, const render::Ray& ray) {
  std::optional<Hit> hit;
  for (const render::DrawBlock& drawn : list.blocks)
    if (const auto t = render::intersectBlock(ray, drawn.block); t && (!hit || *t < hit->distance))
      hit = Hit{drawn.link, -1, ray.origin + *t * ray.direction, *t};
  return hit;
}

std::optional<Hit> pickSkin(const render::DrawList& list, const render::Ray& ray) {
  if (!list.skin.isShown) return std::nullopt;
  const auto skin = render::intersectSkin(ray, *list.skin.groups, list.skin.worldFromSkin);
  if (!skin) return std::nullopt;
  return Hit{skin->link, -1, ray.origin + skin->distance * ray.direction, skin->distance};
}

/// The block or skin that is met by rays around a pixel, on circles of growing radius up to the reach.
std::optional<Hit> pickSurfaceNear(const render::DrawList& list, const render::View& view, double x, double y,
                                   double scale) {
  if (list.blocks.empty() && !list.skin.isShown) return std::nullopt;
  constexpr int kDirections = 12;
  for (const double reach : {0.5 * kLinkReachPixels, kLinkReachPixels, kThinReachPixels}) {
    std::optional<Hit> nearest;
    for (int i = 0; i < kDirections; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / kDirections;
      const render::Ray ray =
          render::rayThroughPixel(view, x + scale * reach * std::cos(angle), y + scale * reach * std::sin(angle));
      const auto block = pickBlock(list, ray), hit = block ? block : pickSkin(list, ray);
      if (hit && (!nearest || hit->distance < nearest->distance)) nearest = hit;
    }
    if (nearest) return nearest;
  }
  return std::nullopt;
}

/// By how many pixels a capsule may be missed.
double reachOf(const render::DrawCapsule& capsule, const render::View& view, double scale) {
  const double radius = capsule.radius / render::pixelSize(view, 0.5 * (capsule.start + capsule.end));
  return std::clamp(scale * kEasyRadiusPixels - radius, scale * kLinkReachPixels, scale * kThinReachPixels);
}

/// The link under the cursor or within reach of it.
std::optional<Hit> pickLink(const render::DrawList& list, const render::View& view, double x, double y, double scale) {
  const render::Ray ray = render::rayThroughPixel(view, x, y);
  std::optional<Hit> hit, near;
  double nearest = std::numeric_limits<double>::infinity();
  for (const render::DrawCapsule& capsule : list.capsules) {
    if (capsule.link < 0 || capsule.goal >= 0 || capsule.layer != render::Layer::Scene) continue;
    if (const auto t = intersectCapsule(ray, capsule.start, capsule.end, capsule.radius)) {
      if (!hit || *t < hit->distance) hit = Hit{capsule.link, -1, ray.origin + *t * ray.direction, *t};
      continue;
    }
    if (hit) continue;
    double along = 0.0;
    const double miss = missInPixels(ray, view, capsule, along);
    if (!(miss < nearest) || miss > reachOf(capsule, view, scale)) continue;
    nearest = miss;
    near = Hit{capsule.link, -1, nearestOnSegment(ray, capsule.start, capsule.end).second, along};
  }
  if (const auto block = pickBlock(list, ray); block && (!hit || block->distance < hit->distance)) hit = block;
  if (!hit) hit = pickSkin(list, ray);
  if (!hit) hit = near;
  return hit ? hit : pickSurfaceNear(list, view, x, y, scale);
}

}  // namespace

std::optional<double> intersectCapsule(const render::Ray& ray, const Eigen::Vector3d& start, const Eigen::Vector3d& end,
                                       double radius) {
  std::optional<double> best;
  const auto keep = [&](std::optional<double> t) {
    if (t && (!best || *t < *best)) best = t;
  };
  keep(intersectBall(ray, start, radius));
  keep(intersectBall(ray, end, radius));
  const Eigen::Vector3d axis = end - start;
  const double length = axis.norm();
  if (!(length > 0.0)) return best;
  // The cylinder is met where the ray's part normal to the axis meets a circle, if that is between the ends.
  const Eigen::Vector3d unit = axis / length, offset = ray.origin - start;
  const Eigen::Vector3d across = ray.direction - ray.direction.dot(unit) * unit;
  const Eigen::Vector3d acrossOffset = offset - offset.dot(unit) * unit;
  const auto t = entry(across.squaredNorm(), acrossOffset.dot(across), acrossOffset.squaredNorm() - radius * radius);
  if (t) {
    const double along = (offset + *t * ray.direction).dot(unit);
    if (along >= 0.0 && along <= length) keep(t);
  }
  return best;
}

std::optional<Hit> pick(const render::DrawList& list, const render::View& view, double x, double y, double scale) {
  const render::Ray ray = render::rayThroughPixel(view, x, y);
  if (auto grip = pickGrip(list, view, ray, scale * kTargetReachPixels)) return grip;
  const auto link = pickLink(list, view, x, y, scale), obstacle = pickObstacle(list, ray);
  if (!link && !obstacle) return pickGhost(list, ray);
  return !link || (obstacle && obstacle->distance < link->distance) ? obstacle : link;
}

}  // namespace limber::app
