// SPDX-License-Identifier: MIT
// The reachable cells of an end effector: a regular grid of cubes, or of squares for an end effector that moves in a
// plane.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace limber {

enum class CellState : std::uint8_t {
  Undecided,      ///< not examined: the search was cancelled
  Reachable,      ///< a pose within the limits puts the end effector into the cell
  NotFound,       ///< no pose was found, without a proof that none exists
  ProvedOutside,  ///< proved that no pose does
};

struct ReachMap {
  Eigen::Vector3d corner = Eigen::Vector3d::Zero();  ///< least x, y, z of the grid; world, metres
  double edge = 1.0;                                 ///< of a cell, metres
  std::array<int, 3> size = {0, 0, 0};               ///< cells along x, y, z
  bool isPlanar = false;                             ///< squares at z = corner.z(), size[2] = 1
  std::vector<CellState> cells;                      ///< x fastest, then y, then z

  int cellCount() const { return size[0] * size[1] * size[2]; }
  CellState state(int cell) const { return cells[cell]; }
  std::array<int, 3> placeOf(int cell) const;
  int cellAt(const std::array<int, 3>& place) const;  ///< -1 outside the grid
  int cellAt(const Eigen::Vector3d& point) const;     ///< -1 outside the grid; z is ignored in a plane
  Eigen::Vector3d centreOf(int cell) const;

  /// Number of cells per state, in the order of CellState.
  std::array<int, 4> counts() const;
};

/// "12,410 cells reachable, 3,200 proved outside, 96 not found; a cell is 25 mm".
std::string sentenceOf(const ReachMap& map);

}  // namespace limber
