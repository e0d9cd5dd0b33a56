// SPDX-License-Identifier: MIT
// One solver of a race: poses its own copy of a problem and keeps its iterates for plots.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "limber/posing/posing.h"

namespace limber {

/// One iterate of a solve.
struct RaceIterate {
  int iteration = 0;       ///< counted over the whole solve; 0 for the start
  int run = 0;             ///< index of the solver's run within the solve
  IterationRecord record;  ///< of the solver
  double timeMs = 0.0;     ///< since the start, without the time for keeping iterates
  Pose pose;               ///< empty while the solve still runs
};

/// Limit of the memory for the poses of one solve: beyond it, every second, fourth, ... iterate is kept.
inline constexpr std::size_t kIterateBytes = 16u << 20;

struct LaneResult {
  std::string solver;          ///< name in the registry
  std::uint64_t revision = 0;  ///< of its input
  bool isEnded = false;        ///< false for the view of a running solve
  PosingReport report;
  Pose pose;                          ///< at the end; the start if the solver refuses
  std::vector<RaceIterate> iterates;  ///< including start and end; empty if the solver refuses
  int iterations = 0;                 ///< of all runs; there may be fewer iterates
  double timeMs = 0.0;                ///< of the solve, without the time for keeping iterates

  /// True if the solver cannot or may not solve the problem: report.sentence says why.
  bool isRefused() const { return report.outcome == Outcome::BadInput; }
};

class RaceLane {
 public:
  explicit RaceLane(std::string solver) : solver_(std::move(solver)) {}
  const std::string& solver() const { return solver_; }

  /// Called after every iteration with the result so far and the iterate. False cancels.
  using KeepGoing = std::function<bool(const LaneResult& soFar, const RaceIterate& latest, const Pose& pose)>;

  /// The next solve begins at this pose with no memory of earlier solves.
  void restart(const Pose& pose);

  /// Solves the problem by this lane's solver with the problem's options for it, from the lane's own pose and warm
  /// state. The next solve begins where this one ends, even if it was cancelled. The same pose, problem and request
  /// give the same result except its times. request   its startPose must be set, because all lanes share it maxDense
  /// largest number of coordinates for a solver with a dense Hessian
  LaneResult solve(const IkProblem& problem, const PosingRequest& request, const KeepGoing& keepGoing = {},
                   int maxDense = std::numeric_limits<int>::max());

 private:
  std::string solver_;
  std::unique_ptr<Posing> posing_ = std::make_unique<Posing>();
  Pose pose_;
};

/// The lowest f of all iterates; infinity for none.
double lowestObjective(const std::vector<const LaneResult*>& results);

/// The iterates of a race as a table for spreadsheets and plots (docs/formats.md): a header line with units, then one
/// line per iterate, solver after solver. RFC 4180: commas, CRLF. Numbers have enough digits to restore the same
/// double; unknown numbers are empty fields.
std::string raceCsv(const std::vector<const LaneResult*>& results);

}  // namespace limber
