// SPDX-License-Identifier: MIT
// One piece of slow work beside the window, with progress and cancel. Work knows no session: it returns what is to be
// done with its result, which is done between two frames. All functions are for the window's thread.
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
  /// Told the part that is done, in [0, 1], and what is being done; false means stop soon. From the work's thread.
  using Progress = std::function<bool(double part, std::string_view what)>;
  using Finish = std::function<void()>;
  using Work = std::function<Finish(const Progress& progress)>;

  /// What stands between works and their results: a recording notes when each came, a replay has it come then.
  struct Tap {
    std::function<Finish(Finish)> note;  ///< of a result that came: what is done with it; may be empty
    std::function<bool()> isDue;         ///< set: works are not run, and this says whether a result comes now ...
    std::function<Finish()> take;        ///< ... and this is it
  };

  Job() = default;
  ~Job() { stop(); }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Called by the threads of works that are started later, when they have ended or got further.
  void setWake(std::function<void()> wake) { wake_ = std::move(wake); }

  void setTap(Tap tap) { tap_ = std::move(tap); }

  /// Told of a work that ended by an exception: "Opening big.glb: there is not enough memory for this". From collect().
  void setFail(std::function<void(const std::string& fault)> fail) { fail_ = std::move(fail); }

  /// Begins the work; what ran before is cancelled and its result dropped. title: "Opening walk.bvh".
  void start(std::string title, Work work);
  /// The result will not be asked for.
  void cancel();
  bool isRunning() const { return task_ != nullptr; }
  /// Cancels, and waits for the work to notice.
  void stop();

  struct Status {
    std::string title, what;
    double part = 0.0;
    double seconds = 0.0;  ///< since it was started
  };
  Status status() const;

  /// What to do with the result, once it is there; the job is over then.
  std::optional<Finish> collect();
  /// Waits for the end of the work, `seconds` at the most. False when it still runs.
  bool wait(double seconds);

 private:
  struct Task {
    std::string title;
    std::atomic<bool> isCancelled{false};
    mutable std::mutex mutex;
    std::condition_variable ended;
    std::string what;           // guarded, as all below
    double part = 0.0;
    bool isDone = false;
    Finish finish;
    std::thread thread;
  };
  static void end(std::unique_ptr<Task> task);

  std::function<void()> wake_;
  std::function<void(const std::string&)> fail_;
  Tap tap_;
  std::unique_ptr<Task> task_;
  std::unique_ptr<Task> dropped_;  ///< cancelled, perhaps still on its way out
  std::chrono::steady_clock::time_point started_;
};

}  // namespace limber::app
