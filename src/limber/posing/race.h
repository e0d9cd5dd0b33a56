// SPDX-License-Identifier: MIT
// Several solvers on the same problem at the same time, each on its own copy: a race. They run on threads of their own,
// so that whoever asks never waits.
//
// Each lane follows the inputs from its own pose, as a problem would that knew no other solver. A new input takes the
// place of one that still runs: the lane stops after the iteration under way and goes on from where it stands. Of what
// was made from an older input nothing is shown any more.
//
// All functions but those of the threads within are for one thread, the window's.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "limber/posing/race_lane.h"

namespace limber {

/// A lane that last took less goes first: what is quick shows at once, however slow the others are.
inline constexpr double kQuickLaneMs = 2.0;
/// A solve of a race ends after so long, with "budget spent".
inline constexpr double kMaxLaneMs = 20000.0;
/// Solvers that keep the square of more coordinates are refused: one iteration could not be interrupted for seconds.
inline constexpr int kMaxRacedDense = 1500;

/// What the window shows of a lane.
struct LaneView {
  std::string solver;
  bool isRunning = false;                    ///< an answer to the newest input is still to come ...
  bool isWaiting = false;                    ///< ... and has not been begun: others have the threads
  std::shared_ptr<const LaneResult> result;  ///< the newest there is; null for none
};

class Race {
 public:
  /// threads: 0 for one less than the processor has, at least one. They are started by the first request.
  explicit Race(int threads = 0);
  ~Race();
  Race(const Race&) = delete;
  Race& operator=(const Race&) = delete;

  /// Called by the threads when there is something to collect. Set before the first request.
  void setWake(std::function<void()> wake) { wake_ = std::move(wake); }

  /// The solvers that run, by name, in the order of lanes(). One that stays keeps its pose and what it showed; a new
  /// one begins with the input of the others, at its problem's pose.
  void choose(const std::vector<std::string>& solvers);

  /// Where the lanes begin.
  enum class From {
    Given,    ///< all at the problem's pose, cold
    OwnPose,  ///< each where it stands: the next event of a drag
  };
  void request(const IkProblem& problem, PosingRequest request, From from);

  /// Forgets input and results; what runs is cancelled.
  void clear();
  /// Ends the threads, after the iterations under way. The next request starts them again.
  void stop();

  /// Takes what has come in since the last call. True when a result has.
  bool collect();
  const std::vector<LaneView>& lanes() const { return views_; }
  /// The last input; null without one.
  const IkProblem* problem() const { return input_ ? &input_->problem : nullptr; }
  const PosingRequest* lastRequest() const { return input_ ? &input_->request : nullptr; }

  /// True while something runs, or has come in and is not collected.
  bool isBusy() const;
  /// For tests: until every lane has answered the last request; collects.
  void wait();

 private:
  struct Input {
    IkProblem problem;
    PosingRequest request;
    std::uint64_t revision = 0;
    std::uint64_t start = 0;  ///< counts the requests From::Given
  };
  /// Shared with the thread that runs it. Guarded by mutex_ but for what is said.
  struct Lane {
    explicit Lane(const std::string& solver) : lane(solver) {}
    RaceLane lane;            ///< of the thread that runs it
    std::uint64_t start = 0;  ///< of the thread that runs it: Input::start that its pose comes from
    bool isWanted = false, isRunning = false;
    double lastMs = 0.0;
    std::uint64_t turn = 0;  ///< when it last ran: slow lanes take turns
    std::atomic<bool> isDropped{false};
    std::shared_ptr<const LaneResult> posted;  ///< waits to be collected
  };

  void startThreads();
  void runLanes();
  std::shared_ptr<Lane> nextLane();
  LaneResult solve(Lane& lane, const Input& input);
  bool post(Lane& lane, LaneResult result);
  bool isRunningLocked() const;

  std::function<void()> wake_;
  int threadCount_;
  std::vector<LaneView> views_;
  std::shared_ptr<const Input> input_;  ///< read by the threads under mutex_
  std::uint64_t starts_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable hasWork_, isIdle_;
  std::vector<std::shared_ptr<Lane>> lanes_;
  std::uint64_t turns_ = 0;
  bool isStopping_ = false;
  std::atomic<std::uint64_t> revision_{0};  ///< of the newest input; written under mutex_
  std::vector<std::thread> threads_;
};

}  // namespace limber
