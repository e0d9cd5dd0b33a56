// SPDX-License-Identifier: MIT
// The reachable workspace of an end effector: which cells of a grid it can be brought into, within limits, locks, ties
// and pins. Goals, obstacles and balance play no part.
//
//   outside    cells that no pose reaches are ruled out first, by a bound that holds for all poses (reach_bound.h)
//   flood      the rest are reached one from the other: from the pose that reached a cell, solves toward the centres of
//              the cells beside it. It begins at the problem's pose and at random ones: those find what lies apart
//   boundary   each cell that is left is tried from the poses of cells around it and from random ones. Where a solve
//              ends outside the cell, the next aims at the place of the cell nearest to its end
//
// A cell is Reachable only when forward kinematics of a pose within the limits, pins held, puts the end effector into
// it; that pose is kept. It is ProvedOutside only by the bound, and else NotFound. Counts decide when to stop, never
// the clock: same input, same cells.
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
  int cellsAcross = 40;  ///< [4, kMaxReachCells]: of the ball that is looked at, see planReach
  int starts = 2;        ///< [0, 100]: random poses from which each boundary cell is tried at the end
};

inline constexpr int kMinReachCells = 4, kMaxReachCells = 160;

struct ReachProgress {
  enum class Phase { Bound, Flood, Boundary };
  Phase phase = Phase::Bound;
  double part = 0.0;            ///< of all, a guess, in [0, 1]
  std::array<int, 4> counts{};  ///< of cells, as ReachMap::counts
};

/// Told now and then; false cancels.
using ReachObserver = std::function<bool(const ReachProgress&)>;

struct ReachAnswer {
  std::string fault;         ///< empty, or why there is no map
  bool isCancelled = false;  ///< what had been found by then stands in the map
  ReachMap map;
  int solves = 0;
  double timeMs = 0.0;

  /// A pose that puts the end effector into a reachable cell.
  Pose poseOf(int cell) const;

  /// True when the joints that count and may not move stand in this pose as they stood.
  bool stillHolds(const Pose& pose) const;

  Pose around;                ///< of coordinates that do not change
  std::vector<int> standing;  ///< places in a pose of those among them that the map depends on
  std::vector<int> changing;  ///< places in a pose of those that do
  std::vector<int> keptAt;    ///< one a cell, -1 for none: place in `kept`, in poses
  std::vector<double> kept;   ///< (changing) x poses
};

/// The grid alone, nothing decided: cells across the ball that lengths and pins leave (proof/reach_chain.h), and one
/// more on each side. Empty, or why there is none.
std::string planReach(const IkProblem& problem, const ReachQuestion& question, ReachMap& map);

ReachAnswer findReachable(const IkProblem& problem, const ReachQuestion& question, const ReachObserver& observer = {});

/// What a file of the map should say of it, a line each: figure, end effector, counts, cell, units.
std::vector<std::string> commentsOf(const IkProblem& problem, const ReachQuestion& question, const ReachMap& map);

}  // namespace limber
