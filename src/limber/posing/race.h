// SPDX-License-Identifier: MIT
// A race: several solvers on copies of the same problem at the same time, on threads of their own, so that the caller
// never waits.
//
// Each lane follows the inputs from its own pose, independent of the other solvers. A new input replaces one that still
// runs: the lane stops after the current iteration and continues from its pose. Results of older inputs are not shown.
//
// Public functions are for one thread, that of the window. On a system without threads, each call of collect() solves
// one lane.
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

#include "limber/kinematics/threads.h"
#include "limber/posing/race_lane.h"

namespace limber {

/// Lanes that last took less run first, so that quick solvers show their result at once.
inline constexpr double kQuickLaneMs = 2.0;
/// A solve of a race ends after this time, with "time limit".
inline constexpr double kMaxLaneMs = kHasThreads ? 20000.0 : 250.0;
/// Solvers with a dense Hessian of more coordinates are refused: one iteration would take seconds.
inline constexpr int kMaxRacedDense = 1500;

/// A lane as the window shows it.
struct LaneView {
  std::string solver;
  bool isRunning = false;                    ///< the result of the newest input is not there yet ...
  bool isWaiting = false;                    ///< ... and the solve has not begun, because other lanes use the threads
  std::shared_ptr<const LaneResult> result;  ///< the newest; null for none
};

class Race {
 public:
  /// threads: 0 for one less than the processor has, but at least one. The first request starts them.
  explicit Race(int threads = 0);
  ~Race();
  Race(const Race&) = delete;
  Race& operator=(const Race&) = delete;

  /// The threads call it when a result can be collected. Set it before the first request.
  void setWake(std::function<void()> wake) { wake_ = std::move(wake); }

  /// Sets the solvers by name, in the order of lanes(). Lanes that remain keep their pose and result; a new lane begins
  /// with the input of the others, at the problem's pose.
  void choose(const std::vector<std::string>& solvers);

  /// The start of the lanes.
  enum class From {
    Given,    ///< all at the problem's pose, cold
    OwnPose,  ///< each at its own pose: the next event of a drag
  };
  void request(const IkProblem& problem, PosingRequest request, From from);

  /// Forgets input and results, and cancels running solves.
  void clear();
  /// Ends the threads after their current iterations. The next request starts them again.
  void stop();

  /// Collects the results since the last call. True if there were any.
  bool collect();
  const std::vector<LaneView>& lanes() const { return views_; }
  /// The last input; null for none.
  const IkProblem* problem() const { return input_ ? &input_->problem : nullptr; }
  const PosingRequest* lastRequest() const { return input_ ? &input_->request : nullptr; }

  /// True while a lane runs or has a result that was not collected.
  bool isBusy() const;
  /// For tests: waits until every lane has a result of the last request, and collects them.
  void wait();

 private:
  struct Input {
    IkProblem problem;
    PosingRequest request;
    std::uint64_t revision = 0;
    std::uint64_t start = 0;  ///< counts the requests From::Given
  };
  /// Shared with the thread that runs the lane. Guarded by mutex_, except members with another comment.
  struct Lane {
    explicit Lane(const std::string& solver) : lane(solver) {}
    RaceLane lane;            ///< used only by the thread that runs it
    std::uint64_t start = 0;  ///< used only by that thread: Input::start from which its pose comes
    bool isWanted = false, isRunning = false;
    double lastMs = 0.0;
    std::uint64_t turn = 0;  ///< when it last ran: slow lanes take turns
    std::atomic<bool> isDropped{false};
    std::shared_ptr<const LaneResult> posted;  ///< not collected yet
  };

  void startThreads();
  void runLanes();
  void runLane(const std::shared_ptr<Lane>& lane, std::unique_lock<std::mutex>& lock);
  void runNextLane();
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
