// SPDX-License-Identifier: MIT
// Runs the global pose search (proof/global_search.h) on a copy of the document in its own thread, and keeps the answer
// until the problem changes: figure, limits, locks, couplings, goals, pins and obstacles. The figure does not move
// until the user asks for it. The lower bound holds for all poses, so it also shows whether a better pose than the
// current one can exist.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/editing/notice.h"
#include "app/jobs/job.h"
#include "app/settings/preferences.h"
#include "limber/proof/global_search.h"
#include "limber/scene/document.h"
#include "limber/solvers/convex/point_goals.h"

namespace limber::app {

class GlobalPosing {
 public:
  /// Begins a search; a running one is dropped, and so is the last answer.
  void start(const Document& document, LengthUnit unit);
  void cancel() { job_.cancel(); }
  /// Call once a frame: takes a finished search, forgets an answer to another problem than the document's, and returns
  /// a message about a search that has ended.
  std::optional<Notice> update(const Document& document);

  bool isRunning() const { return job_.isRunning(); }
  Job::Status status() const { return job_.status(); }
  /// Null without an answer.
  const GlobalAnswer* answer() const { return answer_.get(); }

  /// Compares the document's pose with the answer's lower bound; nothing without a bound.
  std::optional<Certificate> judge(const Document& document) const;

  Job& job() { return job_; }

 private:
  void take(std::shared_ptr<const GlobalAnswer> answer, LengthUnit unit);

  Job job_;
  Document asked_;
  std::vector<PointGoal> points_;  ///< the goals that the bound is for
  std::shared_ptr<const GlobalAnswer> answer_;
  std::optional<Notice> notice_;  ///< about the search that ended last; update() returns it
};

}  // namespace limber::app
