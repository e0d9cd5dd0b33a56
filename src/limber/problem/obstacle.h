// SPDX-License-Identifier: MIT
// Obstacles that a figure must not penetrate: boxes, planes, convex polyhedra, spheres and capsules.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "limber/kinematics/figure.h"
#include "limber/kinematics/transform.h"

namespace limber {

/// A convex polyhedron with a volume. A point is outside if it is above one of its faces (Zhao and Badler 1994, sec.
/// 8).
struct ConvexHull {
  struct Face {
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< unit, outward
    double offset = 0.0;                               ///< of the plane: normal . x = offset
    std::vector<int> vertices = {};                    ///< counterclockwise from outside
  };
  std::vector<Eigen::Vector3d> vertices = {};  ///< metres; corners of the hull only
  std::vector<Face> faces = {};                ///< no two in one plane
};

inline constexpr int kMaxHullPoints = 100000;  ///< of makeConvexHull()

/// Makes the hull of points. Returns an empty string, or why there is no hull ("the points lie in one plane: there is
/// no volume").
std::string makeConvexHull(const std::vector<Eigen::Vector3d>& points, ConvexHull& hull);

/// The surface that is drawn for a polyhedron instead of its hull.
struct PropMesh {
  std::vector<Eigen::Vector3f> positions = {};  ///< in the frame and unit of the hull's vertices
  std::vector<std::uint32_t> triangles = {};    ///< three positions each, counterclockwise from outside
};

struct Obstacle {
  enum class Shape {
    Box,         ///< edges along its axes
    Plane,       ///< the half-space below its y = 0: a floor or a wall
    Polyhedron,  ///< `hull`
    Sphere,      ///< around its centre
    Capsule,     ///< along its y axis
  };

  /// A point of a link that must stay outside the obstacle.
  struct Point {
    int link = 0;
    Eigen::Vector3d pointInLink = Eigen::Vector3d::Zero();
    bool operator==(const Point&) const = default;
  };

  int id = 0;  ///< unique in the problem, never reused
  std::string name = {};
  Shape shape = Shape::Box;
  Transform worldFromObstacle = {};  ///< its centre; for a plane: any point of it, y outward
  /// Metres, > 0: edges of a box; the diameter of a sphere, three times; of a capsule the diameter, the distance
  /// between the centres of its ends (>= 0), and the diameter again. Of a polyhedron: factors.
  Eigen::Vector3d size = Eigen::Vector3d::Ones();
  std::shared_ptr<const ConvexHull> hull = {};  ///< of a polyhedron, before `size`; else null
  std::shared_ptr<const PropMesh> prop = {};    ///< null if the hull itself is shown
  std::vector<int> links = {};                  ///< whose capsules must stay outside; empty: all links with capsules
  std::vector<Point> points = {};               ///< further points that must stay outside
  bool enabled = true;

  bool operator==(const Obstacle&) const = default;
};

std::string_view shapeName(Obstacle::Shape shape);  ///< "box", "plane", "polyhedron", "sphere", "capsule"

/// A sphere, and a capsule between the centres of its ends; the radius is above zero.
Obstacle makeSphere(const Eigen::Vector3d& centre, double radius, std::string name = {});
Obstacle makeCapsule(const Eigen::Vector3d& start, const Eigen::Vector3d& end, double radius, std::string name = {});

/// Empty, or the fault of the obstacle with its name.
std::string findFault(const Obstacle& obstacle, int linkCount);

/// True if the link's capsules must stay outside the obstacle.
bool keepsOut(const Obstacle& obstacle, int link);

/// obstacle "table", or obstacle 3 for one without a name.
std::string obstacleInWords(const Obstacle& obstacle);

/// True for spheres and capsules, which have no faces.
bool isRound(const Obstacle& obstacle);
/// A sphere or capsule in the world; the ends of a sphere are equal.
Capsule capsuleInWorld(const Obstacle& obstacle);

/// The edges of the box around an obstacle's own shape, along its axes, metres; of a polyhedron its factors.
Eigen::Vector3d extentOf(const Obstacle& obstacle);
/// Multiplies the extent along an axis by a factor, and with it the sizes that the shape ties to it.
void resize(Obstacle& obstacle, int axis, double factor);

/// The obstacle's corners and faces in the world; of a sphere or capsule those of the box around it. A plane has one
/// face and no corner.
ConvexHull hullInWorld(const Obstacle& obstacle);

/// The largest height of a point above the planes of the faces: negative inside.
double heightAbove(const ConvexHull& hull, const Eigen::Vector3d& point);
/// The same for an obstacle; of a sphere or capsule the distance of the point from its surface.
double heightAbove(const Obstacle& obstacle, const Eigen::Vector3d& point);
/// The distance of a point from a capsule's surface, negative inside.
double heightAbove(const Capsule& capsule, const Eigen::Vector3d& point);

}  // namespace limber
