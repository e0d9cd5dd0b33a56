// SPDX-License-Identifier: MIT
// Maps the reachable workspace (proof/reach_search.h) on a copy of the document in its own thread, and keeps the map
// until one of its inputs changes: figure, limits, locks, couplings, pins and the angles of locked joints.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/editing/notice.h"
#include "app/jobs/job.h"
#include "app/settings/settings.h"
#include "limber/io/base/result.h"
#include "limber/proof/reach_search.h"
#include "limber/scene/document.h"
#include "limber/scene/reach_shell.h"

namespace limber::app {

struct FoundReach {
  ReachQuestion question;
  ReachAnswer answer;
  std::shared_ptr<const ReachShell> shell;
};

/// The plan of the next search.
struct ReachPlan {
  ReachQuestion question;
  std::string endEffector;  ///< in words: "tip of link2", "goal 3 on left_hand"
  std::string fault;        ///< empty, or why there can be no search
  ReachMap grid;            ///< all cells undecided
};

class Reaching {
 public:
  /// Begins a search for the present end effector; a running one is dropped, and so is the last map.
  void start(const Document& document, const Settings& settings);
  /// Ends the search; the map then holds what has been found so far.
  void finishEarly();
  /// Forgets the map, and drops a search under way.
  void forget();
  /// Call once per frame: takes a finished search, forgets a map that no longer holds, plans the next search while the
  /// panel is shown, and returns a message about a search that has ended.
  std::optional<Notice> update(const Document& document, const Settings& settings, bool isPanelShown);

  bool isRunning() const { return job_.isRunning(); }
  Job::Status status() const { return job_.status(); }
  /// Null without a map.
  const FoundReach* found() const { return found_.get(); }
  /// The plan for the document's end effector at the last update.
  const ReachPlan& plan() const { return plan_; }

  Job& job() { return job_; }

 private:
  void take(std::shared_ptr<const FoundReach> found, LengthUnit unit);
  void plan(const Document& document, const Settings& settings);

  Job job_;
  Document asked_, planned_;
  ReachPlan plan_;
  std::shared_ptr<std::atomic<bool>> isEnough_;  ///< makes the running search end
  std::shared_ptr<const FoundReach> found_;
  std::optional<Notice> notice_;  ///< about the search that ended last; update() returns it
};

/// Writes the shell as PLY; returns why it could not.
std::optional<io::Error> writeShell(const FoundReach& found, const Document& document,
                                    const std::filesystem::path& path);

}  // namespace limber::app
