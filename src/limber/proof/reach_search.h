// SPDX-License-Identifier: MIT
// The reachable workspace of an end effector: the cells of a grid that it can reach within limits, locks, couplings and
// pins. Goals, obstacles and balance are ignored.
//
//   outside    cells that no pose reaches are excluded first, by a bound that holds for all poses (reach_bound.h)
//   flood      the others are reached from their neighbours: from the pose that reached a cell, solves toward the
//              centres of adjacent cells. It begins at the problem's pose and at random ones, which find separate
//              regions
//   boundary   each remaining cell is tried from the poses of cells around it and from random ones. If a solve
//              ends outside the cell, the next one aims at the point of the cell nearest to its end
//
// A cell is Reachable only if forward kinematics of a pose within the limits, with pins met, puts the end effector into
// it; that pose is kept. It is ProvedOutside only by the bound, else NotFound. Counts, not the clock, decide when to
// stop: the same input gives the same cells.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "limber/problem/ik_problem.h"
#include "limber/proof/reach_map.h"

namespace limber {

struct ReachQuestion {
  int link = 0;
  Eigen::Vector3d pointInLink = Eigen::Vector3d::Zero();
  int cellsAcross = 40;  ///< [4, kMaxReachCells]: cells across the ball, see planReach
  int starts = 2;        ///< [0, 100]: random poses from which each boundary cell is tried at the end
};

inline constexpr int kMinReachCells = 4, kMaxReachCells = 160;

struct ReachProgress {
  enum class Phase { Bound, Flood, Boundary };
  Phase phase = Phase::Bound;
  double part = 0.0;            ///< finished part, estimated, in [0, 1]
  std::array<int, 4> counts{};  ///< as ReachMap::counts
};

/// Called regularly; false cancels.
using ReachObserver = std::function<bool(const ReachProgress&)>;

struct ReachAnswer {
  std::string fault;         ///< empty, or why there is no map
  bool isCancelled = false;  ///< the map has the results so far
  ReachMap map;
  int solves = 0;
  double timeMs = 0.0;

  /// A pose that puts the end effector into a reachable cell.
  Pose poseOf(int cell) const;

  /// True if the fixed joints on which the map depends have the same values in this pose.
  bool stillHolds(const Pose& pose) const;

  Pose around;                ///< values of coordinates that do not change
  std::vector<int> standing;  ///< indices in a pose of those among them that the map depends on
  std::vector<int> changing;  ///< indices in a pose of the coordinates that do
  std::vector<int> keptAt;    ///< per cell: index of its pose in `kept`, -1 for none
  std::vector<double> kept;   ///< (changing) x poses
};

/// Makes the grid with all cells undecided: cells across the ball that lengths and pins allow (proof/reach_chain.h),
/// and one more on each side. Returns an empty string, or why no grid is possible.
std::string planReach(const IkProblem& problem, const ReachQuestion& question, ReachMap& map);

ReachAnswer findReachable(const IkProblem& problem, const ReachQuestion& question, const ReachObserver& observer = {});

/// The description of the map for files, one line each: figure, end effector, counts, cell, units.
std::vector<std::string> commentsOf(const IkProblem& problem, const ReachQuestion& question, const ReachMap& map);

}  // namespace limber
