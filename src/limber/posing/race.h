// SPDX-License-Identifier: MIT
// A race runs several solvers on copies of one problem, in background threads. A lane is one solver with its own pose.
//
// A new request interrupts solves that run, after their current iteration. A result of an older request that ends later
// is dropped; until a lane has a result of the new request, lanes() has its former one. A long solve posts its progress
// as a result that has not ended.
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

/// Milliseconds. Lanes whose last solve took less run first, so that quick solvers show their result at once.
inline constexpr double kQuickLaneMs = 2.0;
/// Milliseconds: the time limit of one solve. Its outcome is then BudgetSpent.
inline constexpr double kMaxLaneMs = kHasThreads ? 20000.0 : 250.0;
/// The most active coordinates for solvers with a dense Hessian. Larger problems are refused
/// (LaneResult::isRefused()), because one iteration would take seconds.
inline constexpr int kMaxRacedDense = 1500;

/// A lane as the window shows it.
struct LaneView {
  std::string solver;
  bool isRunning = false;                    ///< the final result of the last request was not collected yet
  bool isWaiting = false;                    ///< its solve has not begun, because other lanes use the threads
  std::shared_ptr<const LaneResult> result;  ///< the last that was collected; null for none
};

class Race {
 public:
  /// threads: 0 for one less than the processor has, from 1 to 8. The first request starts them.
  explicit Race(int threads = 0);
  ~Race();
  Race(const Race&) = delete;
  Race& operator=(const Race&) = delete;

  /// `wake` is called in a thread of the race when a result can be collected. Set it before the first request.
  void setWake(std::function<void()> wake) { wake_ = std::move(wake); }

  /// Sets the solvers by name, in the order of lanes(). Names must be in solvers/registry.h. Lanes that
  /// remain keep their pose and result; a new lane starts at once with the last request, at the problem's pose.
  void choose(const std::vector<std::string>& solvers);

  /// The start of the lanes.
  enum class From {
    Given,    ///< all at the problem's pose, without memory of earlier solves
    OwnPose,  ///< each at the pose that it has reached, as for the next event of a drag
  };
  void request(const IkProblem& problem, PosingRequest request, From from);

  /// Forgets request and results, and cancels running solves without waiting for them.
  void clear();
  /// Ends the threads after their current iterations, and drops what has not ended. The next request starts them again.
  void stop();

  /// Collects the results since the last call. True if there were any.
  bool collect();
  const std::vector<LaneView>& lanes() const { return views_; }
  /// The last request, and its problem, until the next request() or clear(); null for none.
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
    std::uint64_t turn = 0;  ///< number of its last start; slow lanes run in this order
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
