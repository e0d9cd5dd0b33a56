// SPDX-License-Identifier: MIT
// Distance of a capsule's middle line from a convex solid or another line, and the normal of the half-space that
// separates them best.
//
//   separation = max over unit n of (least n . x of the line - largest n . y of the other)
//
// If they are apart, this is the distance, and n is along the line of closest points. If they overlap, it is minus the
// least translation that separates them, and n is that of a face, or perpendicular to an edge and the line (the faces
// of the Minkowski difference).
#pragma once

#include <utility>
#include <vector>

#include "limber/problem/obstacle.h"

namespace limber {

/// A line with two ends, metres; equal ends make a point.
struct LineEnds {
  Eigen::Vector3d start = Eigen::Vector3d::Zero(), end = Eigen::Vector3d::Zero();
};

/// The closest points of two lines, in their order; one such pair for parallel lines.
std::pair<Eigen::Vector3d, Eigen::Vector3d> closestPoints(const LineEnds& a, const LineEnds& b);

struct Separation {
  double distance = 0.0;                              ///< metres; negative if they overlap
  Eigen::Vector3d normal = Eigen::Vector3d::UnitY();  ///< unit, from the solid (or the second line) outward
};

/// A convex obstacle in the world: a polyhedron or plane with its edges, or a sphere or capsule.
struct Solid {
  struct Edge {
    int start = 0, end = 0;   ///< vertices
    int left = 0, right = 0;  ///< faces
  };
  ConvexHull hull = {};  ///< a plane has one face and no vertex
  std::vector<Edge> edges = {};
  LineEnds axis = {};   ///< of a sphere or capsule
  double radius = 0.0;  ///< > 0 for a sphere or capsule, which has no hull

  bool isRound() const { return radius > 0.0; }
  bool isEmpty() const { return hull.faces.empty() && !isRound(); }
};

Solid makeSolid(ConvexHull hullInWorld);
Solid makeSolid(const Obstacle& obstacle);

/// A lower bound of a point's distance from the solid, negative inside.
double heightAbove(const Solid& solid, const Eigen::Vector3d& point);

/// Separation of a line and a solid. Cost: one pass over faces and edges.
Separation separationOf(const Solid& solid, const LineEnds& line);
/// The largest n . x of the solid. Infinite for a plane, unless n is its own normal.
double supportOf(const Solid& solid, const Eigen::Vector3d& normal);
/// The least n . x of a line.
double lowestOf(const LineEnds& line, const Eigen::Vector3d& normal);

/// Separation of two lines; the normal points from b to a. Lines that cross are separated perpendicular to both.
Separation separationOf(const LineEnds& a, const LineEnds& b);

}  // namespace limber
