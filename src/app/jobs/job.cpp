// SPDX-License-Identifier: MIT
#include "app/jobs/job.h"

#include <exception>
#include <new>
#include <utility>

#include "limber/kinematics/threads.h"

namespace limber::app {

namespace {

constexpr int kLooks = 2;            // frames that show the title of work that then runs in the window's thread
constexpr double kShortWait = 0.25;  // seconds: a shorter wait does not make such work run
constexpr double kTold = 0.05;       // seconds between wakes of the window for progress

double jobSecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

void Job::stop() {
  end(std::move(task_));
  end(std::move(dropped_));
}

void Job::end(std::unique_ptr<Task> task) {
  if (!task) return;
  task->isCancelled = true;
  if (task->thread.joinable()) task->thread.join();
}

void Job::start(std::string title, Work work) {
  cancel();
  started_ = std::chrono::steady_clock::now();
  auto started = std::make_unique<Task>();
  Task& task = *started;
  task.title = std::move(title);
  if (kHasThreads && !tap_.isDue)
    task.thread =
        std::thread([&task, work = std::move(work), wake = wake_, fail = fail_] { carryOut(task, work, wake, fail); });
  task_ = std::move(started);
  if (kHasThreads || tap_.isDue) return;
  task.waiting = std::move(work);
  if (wake_) wake_();
}

void Job::carryOut(Task& task, const Work& work, const std::function<void()>& wake, const Fail& fail) {
  auto told = std::chrono::steady_clock::now();
  const Progress progress = [&](double part, std::string_view what) {
    {
      const std::lock_guard lock(task.mutex);
      task.part = part;
      task.what = what;
    }
    if (wake && jobSecondsSince(told) > kTold) {
      told = std::chrono::steady_clock::now();
      wake();
    }
    return !task.isCancelled.load();
  };
  Finish finish;
  const auto tell = [fail, title = task.title](const std::string& fault) -> Finish {
    return [fail, text = title + ": " + fault] {
      if (fail) fail(text);
    };
  };
  try {
    finish = work(progress);
  } catch (const std::bad_alloc&) {
    finish = tell("there is not enough memory for this");
  } catch (const std::exception& fault) {
    finish = tell(fault.what());
  }
  {
    const std::lock_guard lock(task.mutex);
    task.finish = std::move(finish);
    task.isDone = true;
  }
  task.ended.notify_all();
  if (wake) wake();
}

/// Without threads: runs work that was looked at more than mostLooks times. False if it waits further.
bool Job::workHere(int mostLooks) {
  if (!task_ || !task_->waiting) return true;
  if (task_->looks++ < mostLooks) {
    if (wake_) wake_();
    return false;
  }
  carryOut(*task_, std::exchange(task_->waiting, nullptr), wake_, fail_);
  return true;
}

void Job::cancel() {
  if (!task_) return;
  end(std::move(dropped_));  // at most one cancelled task is still ending
  task_->isCancelled = true;
  dropped_ = std::move(task_);
}

Job::Status Job::status() const {
  if (!task_) return {};
  const std::lock_guard lock(task_->mutex);
  return {task_->title, task_->what, task_->part, jobSecondsSince(started_)};
}

std::optional<Job::Finish> Job::collect() {
  if (tap_.isDue) {
    if (!tap_.isDue()) return std::nullopt;
    task_.reset();
    return tap_.take();
  }
  if (!task_ || !workHere(kLooks)) return std::nullopt;
  {
    const std::lock_guard lock(task_->mutex);
    if (!task_->isDone) return std::nullopt;
  }
  const std::unique_ptr<Task> task = std::move(task_);
  if (task->thread.joinable()) task->thread.join();
  return tap_.note ? tap_.note(std::move(task->finish)) : std::move(task->finish);
}

bool Job::wait(double seconds) {
  if (tap_.isDue) return tap_.isDue();
  if (!task_) return true;
  if (task_->waiting && seconds < kShortWait) return false;
  workHere(0);
  std::unique_lock lock(task_->mutex);
  return task_->ended.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return task_->isDone; });
}

}  // namespace limber::app
