// SPDX-License-Identifier: MIT
// The reachable workspace in the window: mapped beside it on a copy of the document (posing/reach_search.h), and kept
// as long as what it depends on stays the same: figure, limits, locks, ties, pins, and where joints stand that may not
// move. The figure may be posed at will in its shell.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/job.h"
#include "limber/posing/reach_search.h"
#include "limber/scene/reach_shell.h"

namespace limber::app {

/// What was mapped.
struct FoundReach {
  ReachQuestion question;
  ReachAnswer answer;
  std::shared_ptr<const ReachShell> shell;
};

/// What a search begun now would be of.
struct ReachPlan {
  ReachQuestion question;
  std::string endEffector;  ///< in words: "tip of link2", "goal 3 on left_hand"
  std::string fault;        ///< empty, or why there can be no search
  ReachMap grid;            ///< nothing decided
};

class Reaching {
 public:
  /// Begins a search; one that runs is dropped, and so is the last map.
  void start(const Document& document, const ReachQuestion& question);
  /// Ends the search; the map is then of what has been found by now.
  void finishEarly();
  /// Forgets the map, and drops a search under way.
  void forget();
  /// Takes what came in, and forgets what is no longer so. Plans the next search. Once a frame.
  void update(Session& session);

  bool isRunning() const { return job_.isRunning(); }
  Job::Status status() const { return job_.status(); }
  /// Null while there is none.
  const FoundReach* found() const { return found_.get(); }
  /// Of the document's present end effector, as of the last update.
  const ReachPlan& plan() const { return plan_; }

  /// The job's result.
  void take(Session& session, std::shared_ptr<const FoundReach> found);

  /// See Job.
  void setWake(std::function<void()> wake) { job_.setWake(std::move(wake)); }
  void setTap(Job::Tap tap) { job_.setTap(std::move(tap)); }
  void stop() { job_.stop(); }
  bool wait(double seconds) { return job_.wait(seconds); }

 private:
  Job job_;
  Document asked_, planned_;
  ReachPlan plan_;
  std::shared_ptr<std::atomic<bool>> isEnough_;  ///< of the search under way: it should end
  std::shared_ptr<const FoundReach> found_;
};

/// Shift+W: begins to map the workspace of the selected end effector.
void findWorkspace(Session& session);

/// The shell as PLY.
void saveShell(Session& session, const std::filesystem::path& path);

}  // namespace limber::app
