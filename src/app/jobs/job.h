// SPDX-License-Identifier: MIT
// A background job with progress and cancellation. The work runs in its own thread and returns a function, Finish,
// which applies the result. The window calls Finish in its own thread, between two frames. All functions of Job are
// called in the window's thread. On a system without threads the work runs in collect(), once the window has shown its
// title; until it ends, the window does not answer.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace limber::app {

class Job {
 public:
  /// Called by the work, in its thread, with the finished part, in [0, 1], and the current step. Returns false if the
  /// work should stop.
  using Progress = std::function<bool(double part, std::string_view what)>;
  using Finish = std::function<void()>;
  using Work = std::function<Finish(const Progress& progress)>;

  /// Hooks for recordings of sessions. A recording notes when each result is collected; a replay returns recorded
  /// results at the same moments.
  struct Tap {
    std::function<Finish(Finish)> note;  ///< of a recording: wraps each collected Finish; may be empty
    std::function<bool()> isDue;         ///< of a replay: no work runs, and collect() returns take() when this is true
    std::function<Finish()> take;
  };

  Job() = default;
  ~Job() { stop(); }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// `wake` is called by the threads of later work, when it ends or makes progress.
  void setWake(std::function<void()> wake) { wake_ = std::move(wake); }

  void setTap(Tap tap) { tap_ = std::move(tap); }

  /// `fail` is called by the Finish of work that threw a std::exception, with the title and the cause: "Opening
  /// big.glb: there is not enough memory for this". It applies to later work.
  void setFail(std::function<void(const std::string& fault)> fail) { fail_ = std::move(fail); }

  /// Cancels running work, and starts new work. title: "Opening walk.bvh".
  void start(std::string title, Work work);
  /// Asks the work to stop and drops its result. Waits only for work that was cancelled before and still runs.
  void cancel();
  bool isRunning() const { return task_ != nullptr; }
  /// Cancels, and waits until the thread has ended.
  void stop();

  struct Status {
    std::string title, what;
    double part = 0.0;
    double seconds = 0.0;  ///< since it was started
  };
  Status status() const;

  /// If the work has ended, returns its Finish, which may be empty, and forgets the work.
  std::optional<Finish> collect();
  /// Waits at most `seconds` for the end of the work. Returns false if it still runs.
  bool wait(double seconds);

 private:
  struct Task {
    std::string title;
    std::atomic<bool> isCancelled{false};
    mutable std::mutex mutex;
    std::condition_variable ended;
    std::string what;  // guarded by the mutex, as all below
    double part = 0.0;
    bool isDone = false;
    Finish finish;
    std::thread thread;
    Work waiting;   ///< without threads: to be run by collect()
    int looks = 0;  ///< calls of collect() since then
  };
  using Fail = std::function<void(const std::string&)>;
  static void end(std::unique_ptr<Task> task);
  static void carryOut(Task& task, const Work& work, const std::function<void()>& wake, const Fail& fail);
  bool workHere(int mostLooks);

  std::function<void()> wake_;
  Fail fail_;
  Tap tap_;
  std::unique_ptr<Task> task_;
  std::unique_ptr<Task> dropped_;  ///< cancelled, perhaps still ending
  std::chrono::steady_clock::time_point started_;
};

}  // namespace limber::app
