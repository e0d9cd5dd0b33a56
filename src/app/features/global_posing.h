// SPDX-License-Identifier: MIT
// The global pose in the window: the search runs beside it on a copy of the document (posing/global_search.h), and what
// it found is kept as long as the question stays the same. The figure moves only when it is told to.
//
// The question is what decides the bound: figure, limits, locks, ties, goals and pins. The lower bound is of all poses,
// so that it speaks of whatever pose is on screen: the distance now, what is the least, and whether a better pose can
// exist.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/editing/notice.h"
#include "app/jobs/job.h"
#include "app/settings/preferences.h"
#include "limber/posing/global_search.h"
#include "limber/scene/document.h"
#include "limber/solvers/convex/point_goals.h"

namespace limber::app {

class GlobalPosing {
 public:
  /// Begins a search for what the document asks; one that runs is dropped, and so is the last answer.
  void start(const Document& document, LengthUnit unit);
  void cancel() { job_.cancel(); }
  /// Takes what came in, and forgets what answers another question than the document's. Once a frame. What is to be said
  /// of a search that has ended.
  std::optional<Notice> update(const Document& document);

  bool isRunning() const { return job_.isRunning(); }
  /// Of the search under way: what it does, and for how long.
  Job::Status status() const { return job_.status(); }
  /// To the document's question; null while there is none.
  const GlobalAnswer* answer() const { return answer_.get(); }

  /// What the answer's bound says of the pose on screen; nothing without a bound.
  std::optional<Certificate> judge(const Document& document) const;


  /// See Job.
  void setWake(std::function<void()> wake) { job_.setWake(std::move(wake)); }
  void setTap(Job::Tap tap) { job_.setTap(std::move(tap)); }
  void setFail(std::function<void(const std::string&)> fail) { job_.setFail(std::move(fail)); }
  void stop() { job_.stop(); }
  bool wait(double seconds) { return job_.wait(seconds); }

 private:
  void take(std::shared_ptr<const GlobalAnswer> answer, LengthUnit unit);

  Job job_;
  Document asked_;
  std::vector<PointGoal> points_;                 ///< that the bound is of
  std::shared_ptr<const GlobalAnswer> answer_;
  std::optional<Notice> notice_;                  ///< of the search that ended last, until it is told
};

}  // namespace limber::app
