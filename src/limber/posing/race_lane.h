// SPDX-License-Identifier: MIT
// One solver of a race: poses its own copy of a problem and keeps what a plot and a look back need.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "limber/posing/posing.h"

namespace limber {

/// One pose on the way of a solve.
struct RaceIterate {
  int iteration = 0;       ///< counted over the whole solve; 0 is where it began
  int run = 0;             ///< of the solver within the solve: off a limit, along another branch, more force on pins
  IterationRecord record;  ///< as the solver reports it
  double timeMs = 0.0;     ///< of the solve until then, without the time that keeping iterates takes
  Pose pose;               ///< empty while the solve still runs
};

/// Most memory that the poses of one solve may take: those of a longer or larger one are kept every second, fourth, ...
inline constexpr std::size_t kIterateBytes = 16u << 20;

struct LaneResult {
  std::string solver;          ///< name in the registry
  std::uint64_t revision = 0;  ///< of the input that it was made from
  bool isEnded = false;        ///< false for what is shown of a solve under way
  PosingReport report;
  Pose pose;                          ///< where the solve ended; the start for a solver that refuses
  std::vector<RaceIterate> iterates;  ///< from the start to the end, both included; none of a solver that refuses
  int iterations = 0;                 ///< of all its runs; iterates may be fewer
  double timeMs = 0.0;                ///< of the solve, without the time that keeping iterates takes

  /// True when the solver cannot take the problem, or may not: report.sentence says why.
  bool isRefused() const { return report.outcome == Outcome::BadInput; }
};

class RaceLane {
 public:
  explicit RaceLane(std::string solver) : solver_(std::move(solver)) {}
  const std::string& solver() const { return solver_; }

  /// Asked after every iteration with what is there so far and the iterate itself. False cancels.
  using KeepGoing = std::function<bool(const LaneResult& soFar, const RaceIterate& latest, const Pose& pose)>;

  /// The next solve begins at this pose, as if nothing had been solved before.
  void restart(const Pose& pose);

  /// Poses the problem by this lane's solver with the problem's settings for it, from the lane's own pose and warm
  /// state. request.startPose must be set: it is the same for all lanes. The pose that a cancelled solve reached is
  /// where the next one goes on. `maxDense`: a solver that keeps the square of more coordinates is refused.
  /// The same pose, problem and request give the same result, but for its times.
  LaneResult solve(const IkProblem& problem, const PosingRequest& request, const KeepGoing& keepGoing = {},
                   int maxDense = std::numeric_limits<int>::max());

 private:
  std::string solver_;
  std::unique_ptr<Posing> posing_ = std::make_unique<Posing>();
  Pose pose_;
};

/// The lowest f of all iterates; infinity without one.
double lowestObjective(const std::vector<const LaneResult*>& results);

/// The iterates of a race as a table for spreadsheets and plots (docs/formats.md): a header line with units, then one
/// line an iterate, solver after solver. RFC 4180: commas, CRLF. Numbers have the digits that give back the same
/// double; one that is not known is an empty field.
std::string raceCsv(const std::vector<const LaneResult*>& results);

}  // namespace limber
