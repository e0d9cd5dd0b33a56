// SPDX-License-Identifier: MIT
// How far a posed figure is from obstacles, by samples and formulas of boxes and planes: independently of the posing's
// own code.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "limber/body/arm_pairs.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/scene/document.h"

namespace limber::test {

/// The distance of a point from a box, negative inside, or from the half-space below a plane.
inline double distanceTo(const Obstacle& obstacle, const Eigen::Vector3d& point) {
  const Eigen::Vector3d p = obstacle.worldFromObstacle.inverse() * point;
  if (obstacle.shape == Obstacle::Shape::Plane) return p.y();
  const Eigen::Vector3d beyond = p.cwiseAbs() - 0.5 * obstacle.size;
  return beyond.cwiseMax(0.0).norm() + std::min(beyond.maxCoeff(), 0.0);
}

inline double clearanceOf(const Obstacle& obstacle, const Transform& world, const Capsule& capsule) {
  constexpr int kSamples = 60;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= kSamples; ++i)
    least = std::min(
        least, distanceTo(obstacle, world * (capsule.start + i / double(kSamples) * (capsule.end - capsule.start))));
  return least - capsule.radius;
}

/// The least distance of any capsule of the links (empty: of all) from any obstacle, metres.
inline double leastClearance(const Document& document, const std::vector<int>& links = {}) {
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < document.figure->linkCount(); ++i) {
    if (!links.empty() && std::ranges::find(links, i) == links.end()) continue;
    for (const Capsule& capsule : document.figure->link(i).capsules)
      for (const Obstacle& obstacle : document.obstacles)
        least = std::min(least, clearanceOf(obstacle, kinematics.worldFromLink[static_cast<std::size_t>(i)], capsule));
  }
  return least;
}

/// The distance of two capsules in the world, by samples along both.
inline double clearanceOf(const Transform& world, const Capsule& capsule, const Transform& worldOfOther,
                          const Capsule& other) {
  constexpr int kSamples = 24;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= kSamples; ++i)
    for (int j = 0; j <= kSamples; ++j)
      least = std::min(least, (world * (capsule.start + i / double(kSamples) * (capsule.end - capsule.start)) -
                               worldOfOther * (other.start + j / double(kSamples) * (other.end - other.start)))
                                  .norm());
  return least - capsule.radius - other.radius;
}

/// The least distance of any two capsules of two links.
inline double clearanceBetween(const Document& document, int link, int other) {
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  double least = std::numeric_limits<double>::infinity();
  for (const Capsule& a : document.figure->link(link).capsules)
    for (const Capsule& b : document.figure->link(other).capsules)
      least = std::min(least, clearanceOf(kinematics.worldFromLink[static_cast<std::size_t>(link)], a,
                                          kinematics.worldFromLink[static_cast<std::size_t>(other)], b));
  return least;
}

/// The least clearance of arms from the links that they must avoid, if negative, else 0.
inline double leastOfArms(const Document& document) {
  const Figure& figure = *document.figure;
  const Kinematics kinematics = transformsOf(figure, document.pose);
  const auto reachOf = [&](int link) {
    double reach = 0.0;
    for (const Capsule& capsule : figure.link(link).capsules)
      reach = std::max(reach, std::max(capsule.start.norm(), capsule.end.norm()) + capsule.radius);
    return reach;
  };
  double least = 0.0;
  for (const auto& [link, other] : findArmPairs(*document.figure)) {
    const Eigen::Vector3d apart =
        kinematics.worldFromLink[link].translation - kinematics.worldFromLink[other].translation;
    if (apart.norm() < reachOf(link) + reachOf(other)) least = std::min(least, clearanceBetween(document, link, other));
  }
  return least;
}

}  // namespace limber::test
