// SPDX-License-Identifier: MIT
// The surface between the reachable cells of a map and the others, as triangles to draw and to export.
//
// Surface nets (Gibson 1998): there is a vertex at each corner whose eight cells differ, and a face between each two
// neighbouring cells that differ. Smoothing keeps each vertex within half a cell of its corner, so that the shell stays
// within a cell of the map. A planar map becomes its area, with a band along its edge.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "limber/proof/reach_map.h"

namespace limber {

/// The state of the cell beyond a face.
enum class Beyond : std::uint8_t {
  NotFound,  ///< not found, or undecided
  Outside,   ///< proved unreachable
  Area,      ///< none: the face belongs to the area of a planar map
};

struct ReachShell {
  std::vector<Eigen::Vector3d> vertices;                ///< world, metres
  std::vector<Eigen::Vector3d> normals;                 ///< one per vertex: unit, outward; +z in a plane
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counterclockwise from outside
  std::vector<Beyond> beyond;                           ///< one per triangle
  Eigen::Vector3d boundsMin = Eigen::Vector3d::Zero();  ///< of the box around all vertices
  Eigen::Vector3d boundsMax = Eigen::Vector3d::Zero();
  double edge = 1.0;  ///< of a cell, metres
  bool isPlanar = false;
};

ReachShell makeReachShell(const ReachMap& map);

}  // namespace limber
