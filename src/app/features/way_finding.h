// SPDX-License-Identifier: MIT
// All poses in which an arm reaches its goal (posing/all_ways.h), and its self-motion as paths for a slider. They are
// computed on a copy of the problem in a thread of their own, which mostly ends before the next frame, and again after
// each edit that they depend on, until the figure changes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/editing/notice.h"
#include "app/jobs/job.h"
#include "limber/posing/all_ways.h"
#include "limber/posing/self_motion_path.h"
#include "limber/scene/document.h"
#include "render/ghosts.h"

namespace limber::app {

struct FoundWays {
  AllWays all;
  std::vector<std::string> touches;      ///< for each way: what the arm collides with, in words; empty for nothing
  std::optional<SelfMotionPaths> paths;  ///< of arms of seven joints
  Eigen::Vector3d boundsMin, boundsMax;  ///< of the figure in all ways: what their pictures show
};

class WayFinding {
 public:
  /// Finds the ways of the selected goal, else of the one before, of the selected link's, or of the first; from now on
  /// again after each edit that they depend on.
  void start(const Document& document);
  /// Ends that, and drops what was found.
  void forget();
  /// Call once per frame; isInHand: a drag or a solve is under way, after which the ways are found again. Returns a
  /// message about a search that has ended.
  std::optional<Notice> update(const Document& document, bool isInHand);

  bool isRunning() const { return job_.isRunning(); }
  Job::Status status() const { return job_.status(); }
  /// Null before the first search has ended.
  const FoundWays* found() const { return found_.get(); }
  const std::string& goalInWords() const { return goalInWords_; }

  /// The pose of a way; null if there is none of this index.
  const Pose* poseOfWay(int way) const;
  /// The way that the document's pose is; -1 for none.
  int present(const Document& document) const;
  /// The pose at a position of a path, moved to the nearest one within the limits; none if there is none. Joints take
  /// the turn nearest to `near`.
  std::optional<Pose> poseAlong(int path, double at, const Pose& near);

  /// Appends the ghost of a way; nothing for -1.
  void appendGhost(const Document& document, int way, const Kinematics& kinematics, double pixel,
                   render::DrawList& list);

  /// A document with only the figure in the pose of a way: for its picture.
  Document shown(const Document& document, int way) const;
  unsigned picture(int way) const;  ///< OpenGL name of a texture; 0 before it is drawn
  void setPicture(int way, unsigned texture);
  void forgetPictures();
  /// Changes with each search: pictures of an earlier generation may be deleted.
  int generation() const { return generation_; }

  Job& job() { return job_; }

 private:
  bool stillHolds(const IkProblem& problem) const;
  void take(std::shared_ptr<const FoundWays> found);

  Job job_;
  bool isOn_ = false;      ///< until the figure changes
  bool isBegun_ = false;   ///< a search has begun since the last update()
  bool isNoticed_ = true;  ///< the message of this start() was shown
  int goal_ = -1;          ///< id
  std::string goalInWords_;
  IkProblem asked_;
  Pose slid_;  ///< the last pose of poseAlong()
  std::shared_ptr<const FoundWays> found_;
  std::vector<unsigned> pictures_;
  int generation_ = 0;
  Kinematics ghost_;
  std::optional<Notice> notice_;
};

}  // namespace limber::app
