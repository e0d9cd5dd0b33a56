// SPDX-License-Identifier: MIT
// How far a capsule's middle line is from a convex solid or from another line, and along which normal: the outward
// half-space that separates them best.
//
//   separation = max over unit n of (least n . x of the line - largest n . y of the other)
//
// Apart, this is the distance, and n runs along the line of closest points. Overlapping, it is negative: the least
// shift that brings them apart, and n is that of a face, or across an edge and the line (the faces of the Minkowski
// difference).
#pragma once

#include <utility>
#include <vector>

#include "limber/problem/obstacle.h"

namespace limber {

/// A line with two ends, metres; equal ends make a point.
struct LineEnds {
  Eigen::Vector3d start = Eigen::Vector3d::Zero(), end = Eigen::Vector3d::Zero();
};

/// The points of two lines that are closest, the first's first; of parallel lines, one such pair.
std::pair<Eigen::Vector3d, Eigen::Vector3d> closestPoints(const LineEnds& a, const LineEnds& b);

struct Separation {
  double distance = 0.0;                              ///< metres; negative: overlapping
  Eigen::Vector3d normal = Eigen::Vector3d::UnitY();  ///< unit, from the solid (or the second line) outward
};

/// A convex obstacle in the world, with what is looked up often.
struct Solid {
  struct Edge {
    int start = 0, end = 0;   ///< vertices
    int left = 0, right = 0;  ///< faces
  };
  ConvexHull hull;  ///< a plane has one face and no vertex
  std::vector<Edge> edges;
};

Solid makeSolid(ConvexHull hullInWorld);

/// Of a line and a solid. Cost: one pass over faces and edges.
Separation separationOf(const Solid& solid, const LineEnds& line);
/// The largest n . x of the solid. Infinite for a plane, unless n is its own normal.
double supportOf(const Solid& solid, const Eigen::Vector3d& normal);
/// The least n . x of a line.
double lowestOf(const LineEnds& line, const Eigen::Vector3d& normal);

/// Of two lines; the normal leads from b to a. Lines that cross are parted along what is perpendicular to both.
Separation separationOf(const LineEnds& a, const LineEnds& b);

}  // namespace limber
