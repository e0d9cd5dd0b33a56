// SPDX-License-Identifier: MIT
// The surface between the cells of a map that are reachable and those that are not, as triangles to draw and to export.
//
// A vertex for each eight cells that meet and differ, a face for each two cells that do (surface nets, Gibson 1998).
// The vertices are smoothed, each within half a cell of the corner where its cells meet, so that the shell stays within
// a cell of the map. A map in a plane becomes its area, with a band along its edge.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "limber/posing/reach_map.h"

namespace limber {

/// What is on the other side of a face.
enum class Beyond : std::uint8_t {
  NotFound,  ///< or undecided
  Outside,   ///< proved
  Area,      ///< nothing: it fills the area of a plane
};

struct ReachShell {
  std::vector<Eigen::Vector3d> vertices;                  ///< world, metres
  std::vector<Eigen::Vector3d> normals;                   ///< one a vertex: unit, outward; +z in a plane
  std::vector<std::array<std::uint32_t, 3>> triangles;    ///< counterclockwise from outside
  std::vector<Beyond> beyond;                             ///< one a triangle
  Eigen::Vector3d boundsMin = Eigen::Vector3d::Zero();    ///< of the box around all vertices
  Eigen::Vector3d boundsMax = Eigen::Vector3d::Zero();
  double edge = 1.0;                                      ///< of a cell, metres
  bool isPlanar = false;
};

ReachShell makeReachShell(const ReachMap& map);

}  // namespace limber
