// SPDX-License-Identifier: MIT
// The reachable workspace in the window: mapped beside it on a copy of the document (posing/reach_search.h), and kept
// as long as what it depends on stays the same: figure, limits, locks, ties, pins, and where joints stand that may not
// move. The figure may be posed at will in its shell.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/editing/notice.h"
#include "app/jobs/job.h"
#include "app/settings/settings.h"
#include "limber/io/base/result.h"
#include "limber/posing/reach_search.h"
#include "limber/scene/document.h"
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
  /// Begins a search from the present end effector; one that runs is dropped, and so is the last map.
  void start(const Document& document, const Settings& settings);
  /// Ends the search; the map is then of what has been found by now.
  void finishEarly();
  /// Forgets the map, and drops a search under way.
  void forget();
  /// Takes what came in, and forgets what is no longer so. Plans the next search where its panel is shown. Once a frame.
  /// What is to be said of a search that has ended.
  std::optional<Notice> update(const Document& document, const Settings& settings, bool isPanelShown);

  bool isRunning() const { return job_.isRunning(); }
  Job::Status status() const { return job_.status(); }
  /// Null while there is none.
  const FoundReach* found() const { return found_.get(); }
  /// Of the document's present end effector, as of the last update.
  const ReachPlan& plan() const { return plan_; }


  /// See Job.
  void setWake(std::function<void()> wake) { job_.setWake(std::move(wake)); }
  void setTap(Job::Tap tap) { job_.setTap(std::move(tap)); }
  void setFail(std::function<void(const std::string&)> fail) { job_.setFail(std::move(fail)); }
  void stop() { job_.stop(); }
  bool wait(double seconds) { return job_.wait(seconds); }

 private:
  void take(std::shared_ptr<const FoundReach> found, LengthUnit unit);
  void plan(const Document& document, const Settings& settings);

  Job job_;
  Document asked_, planned_;
  ReachPlan plan_;
  std::shared_ptr<std::atomic<bool>> isEnough_;  ///< of the search under way: it should end
  std::shared_ptr<const FoundReach> found_;
  std::optional<Notice> notice_;  ///< of the search that ended last, until it is told
};

/// Writes the shell as PLY; why it cannot be written.
std::optional<io::Error> writeShell(const FoundReach& found, const Document& document, const std::filesystem::path& path);

}  // namespace limber::app
