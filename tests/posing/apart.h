// SPDX-License-Identifier: MIT
// How far the capsules of a posed figure are from obstacles and from each other, to 1e-9 metres, independently of the
// code of the library: the distance of a point from a convex body is a convex function along a line, whose minimum is
// found by search.
#pragma once

#include <algorithm>
#include <limits>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/ik_problem.h"

namespace limber::test {

/// The least value of a convex function on [0, 1].
template <typename Function>
double leastOn01(const Function& f) {
  double low = 0.0, high = 1.0;
  for (int i = 0; i < 60; ++i) {
    const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
    if (f(a) < f(b)) high = b;
    else low = a;
  }
  return std::min({f(0.0), f(1.0), f(0.5 * (low + high))});
}

inline Eigen::Vector3d between(const Eigen::Vector3d& a, const Eigen::Vector3d& b, double share) {
  return (1.0 - share) * a + share * b;
}

/// The distance of a point from a line with two ends.
inline double apartFromLine(const Eigen::Vector3d& point, const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  const Eigen::Vector3d along = b - a;
  if (along.isZero(0.0)) return (point - a).norm();
  return (point - between(a, b, std::clamp(along.dot(point - a) / along.squaredNorm(), 0.0, 1.0))).norm();
}

/// The distance of a point from a box, plane, sphere or capsule; 0 inside a box, negative inside the others.
inline double apart(const Obstacle& obstacle, const Eigen::Vector3d& point) {
  const Eigen::Vector3d p = obstacle.worldFromObstacle.inverse() * point;
  switch (obstacle.shape) {
    case Obstacle::Shape::Plane: return p.y();
    case Obstacle::Shape::Sphere: return p.norm() - 0.5 * obstacle.size.x();
    case Obstacle::Shape::Capsule: {
      const double half = 0.5 * obstacle.size.y();
      return (p - Eigen::Vector3d(0.0, std::clamp(p.y(), -half, half), 0.0)).norm() - 0.5 * obstacle.size.x();
    }
    default: return (p.cwiseAbs() - 0.5 * obstacle.size).cwiseMax(0.0).norm();
  }
}

/// The least distance of a link's capsules from an obstacle.
inline double apart(const Figure& figure, const Kinematics& kinematics, int link, const Obstacle& obstacle) {
  const Transform& world = kinematics.worldFromLink[link];
  double least = std::numeric_limits<double>::infinity();
  for (const Capsule& capsule : figure.link(link).capsules) {
    const Eigen::Vector3d a = world * capsule.start, b = world * capsule.end;
    const double axis = leastOn01([&](double share) { return apart(obstacle, between(a, b, share)); });
    least = std::min(least, axis - capsule.radius);
  }
  return least;
}

/// The least distance of two links' capsules.
inline double apart(const Figure& figure, const Kinematics& kinematics, int link, int other) {
  double least = std::numeric_limits<double>::infinity();
  for (const Capsule& one : figure.link(link).capsules)
    for (const Capsule& two : figure.link(other).capsules) {
      const Transform &ofOne = kinematics.worldFromLink[link], &ofTwo = kinematics.worldFromLink[other];
      const Eigen::Vector3d a = ofOne * one.start, b = ofOne * one.end, c = ofTwo * two.start, d = ofTwo * two.end;
      const double axes = leastOn01([&](double share) { return apartFromLine(between(a, b, share), c, d); });
      least = std::min(least, axes - one.radius - two.radius);
    }
  return least;
}

}  // namespace limber::test
