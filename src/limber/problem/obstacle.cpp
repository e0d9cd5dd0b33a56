// SPDX-License-Identifier: MIT
#include "limber/problem/obstacle.h"

#include <algorithm>
#include <array>
#include <limits>

#include "limber/kinematics/shortest_turn.h"

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
  const bool isCapsule = obstacle.shape == Obstacle::Shape::Capsule;
  const double least = isCapsule ? std::min(obstacle.size.x(), obstacle.size.z()) : obstacle.size.minCoeff();
  if (isSized && !(obstacle.size.allFinite() && least > 0.0)) return "it has no volume: every size must be above zero";
  if (isCapsule && !(obstacle.size.y() >= 0.0)) return "its length is below zero";
  const bool isOneDiameter =
      obstacle.size.x() == obstacle.size.z() && (isCapsule || obstacle.size.x() == obstacle.size.y());
  if (isRound(obstacle) && !isOneDiameter) return "its diameters along its axes differ";
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
  constexpr std::array<std::string_view, 5> kNames = {"box", "plane", "polyhedron", "sphere", "capsule"};
  return kNames[static_cast<std::size_t>(shape)];
}

Obstacle makeSphere(const Eigen::Vector3d& centre, double radius, std::string name) {
  return {.name = std::move(name),
          .shape = Obstacle::Shape::Sphere,
          .worldFromObstacle = Transform::fromTranslation(centre),
          .size = Eigen::Vector3d::Constant(2.0 * radius)};
}

Obstacle makeCapsule(const Eigen::Vector3d& start, const Eigen::Vector3d& end, double radius, std::string name) {
  const Eigen::Vector3d along = end - start;
  const double length = along.norm();
  Transform place = Transform::fromTranslation(0.5 * (start + end));
  if (length > 0.0) place.rotation = shortestTurn(Eigen::Vector3d::UnitY(), along).toRotationMatrix();
  return {.name = std::move(name),
          .shape = Obstacle::Shape::Capsule,
          .worldFromObstacle = place,
          .size = {2.0 * radius, length, 2.0 * radius}};
}

bool isRound(const Obstacle& obstacle) {
  return obstacle.shape == Obstacle::Shape::Sphere || obstacle.shape == Obstacle::Shape::Capsule;
}

Capsule capsuleInWorld(const Obstacle& obstacle) {
  const Transform& place = obstacle.worldFromObstacle;
  const double half = obstacle.shape == Obstacle::Shape::Capsule ? 0.5 * obstacle.size.y() : 0.0;
  const Eigen::Vector3d toEnd = half * place.rotation.col(1);
  return {place.translation - toEnd, place.translation + toEnd, 0.5 * obstacle.size.x()};
}

Eigen::Vector3d extentOf(const Obstacle& obstacle) {
  Eigen::Vector3d extent = obstacle.size;
  if (obstacle.shape == Obstacle::Shape::Capsule) extent.y() += obstacle.size.x();
  return extent;
}

void resize(Obstacle& obstacle, int axis, double factor) {
  Eigen::Vector3d& size = obstacle.size;
  if (obstacle.shape == Obstacle::Shape::Sphere) size *= factor;
  else if (obstacle.shape != Obstacle::Shape::Capsule) size[axis] *= factor;
  else if (axis == 1) size.y() = std::max(factor * (size.y() + size.x()) - size.x(), 0.0);
  else size.x() = size.z() = factor * size.x();
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
  const bool isPolyhedron = obstacle.shape == Obstacle::Shape::Polyhedron;
  ConvexHull hull = isPlane ? halfSpaceBelow() : isPolyhedron ? *obstacle.hull : unitCube();
  const Eigen::Vector3d size = isPlane ? Eigen::Vector3d::Ones().eval() : extentOf(obstacle);
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

double heightAbove(const Obstacle& obstacle, const Eigen::Vector3d& point) {
  return isRound(obstacle) ? heightAbove(capsuleInWorld(obstacle), point) : heightAbove(hullInWorld(obstacle), point);
}

double heightAbove(const Capsule& capsule, const Eigen::Vector3d& point) {
  const Eigen::Vector3d along = capsule.end - capsule.start;
  const double squared = along.squaredNorm();
  const double share = squared > 0.0 ? std::clamp(along.dot(point - capsule.start) / squared, 0.0, 1.0) : 0.0;
  return (point - capsule.start - share * along).norm() - capsule.radius;
}

}  // namespace limber
