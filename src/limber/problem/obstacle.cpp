// SPDX-License-Identifier: MIT
#include "limber/problem/obstacle.h"

#include <algorithm>
#include <array>
#include <limits>

namespace limber {

namespace {

/// The unit cube around the origin.
ConvexHull unitCube() {
  ConvexHull cube;
  for (int corner = 0; corner < 8; ++corner)
    cube.vertices.push_back(0.5 *
                            Eigen::Vector3d(corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0, corner & 4 ? 1.0 : -1.0));
  const auto add = [&](const Eigen::Vector3d& normal, std::vector<int> vertices) {
    cube.faces.push_back({normal, 0.5, std::move(vertices)});
  };
  add(-Eigen::Vector3d::UnitX(), {0, 4, 6, 2});
  add(Eigen::Vector3d::UnitX(), {1, 3, 7, 5});
  add(-Eigen::Vector3d::UnitY(), {0, 1, 5, 4});
  add(Eigen::Vector3d::UnitY(), {2, 6, 7, 3});
  add(-Eigen::Vector3d::UnitZ(), {0, 2, 3, 1});
  add(Eigen::Vector3d::UnitZ(), {4, 5, 7, 6});
  return cube;
}

ConvexHull halfSpaceBelow() { return {{}, {{Eigen::Vector3d::UnitY(), 0.0, {}}}}; }

std::string findOwnFault(const Obstacle& obstacle, int linkCount) {
  const Transform& place = obstacle.worldFromObstacle;
  if (!isFinite(place) || !isRotation(place.rotation)) return "its position or rotation is not valid";
  const bool isSized = obstacle.shape != Obstacle::Shape::Plane;
  if (isSized && !(obstacle.size.allFinite() && obstacle.size.minCoeff() > 0.0))
    return "it has no volume: every size must be above zero";
  if (obstacle.shape == Obstacle::Shape::Polyhedron && (!obstacle.hull || obstacle.hull->faces.size() < 4))
    return "it has no faces";
  const auto isLink = [&](int link) { return link >= 0 && link < linkCount; };
  if (!std::all_of(obstacle.links.begin(), obstacle.links.end(), isLink)) return "names a link that does not exist";
  for (const Obstacle::Point& point : obstacle.points)
    if (!isLink(point.link) || !point.pointInLink.allFinite()) return "a contact point is not on a link of the figure";
  return {};
}

}  // namespace

std::string_view shapeName(Obstacle::Shape shape) {
  constexpr std::array<std::string_view, 3> kNames = {"box", "plane", "polyhedron"};
  return kNames[static_cast<std::size_t>(shape)];
}

bool keepsOut(const Obstacle& obstacle, int link) {
  return obstacle.links.empty() || std::ranges::find(obstacle.links, link) != obstacle.links.end();
}

std::string obstacleInWords(const Obstacle& obstacle) {
  return obstacle.name.empty() ? "obstacle " + std::to_string(obstacle.id) : "obstacle \"" + obstacle.name + "\"";
}

std::string findFault(const Obstacle& obstacle, int linkCount) {
  const std::string fault = findOwnFault(obstacle, linkCount);
  return fault.empty() ? fault : obstacleInWords(obstacle) + ": " + fault;
}

ConvexHull hullInWorld(const Obstacle& obstacle) {
  const bool isPlane = obstacle.shape == Obstacle::Shape::Plane;
  ConvexHull hull = isPlane ? halfSpaceBelow() : obstacle.shape == Obstacle::Shape::Box ? unitCube() : *obstacle.hull;
  const Eigen::Vector3d size = isPlane ? Eigen::Vector3d::Ones().eval() : obstacle.size;
  const Transform& worldFromObstacle = obstacle.worldFromObstacle;
  for (Eigen::Vector3d& vertex : hull.vertices) vertex = worldFromObstacle * vertex.cwiseProduct(size).eval();
  for (ConvexHull::Face& face : hull.faces) {
    const Eigen::Vector3d stretched = face.normal.cwiseQuotient(size);
    const double length = stretched.norm();
    face.normal = worldFromObstacle.rotation * stretched / length;
    face.offset = face.offset / length + face.normal.dot(worldFromObstacle.translation);
  }
  return hull;
}

double heightAbove(const ConvexHull& hull, const Eigen::Vector3d& point) {
  double highest = -std::numeric_limits<double>::infinity();
  for (const ConvexHull::Face& face : hull.faces) highest = std::max(highest, face.normal.dot(point) - face.offset);
  return highest;
}

}  // namespace limber
