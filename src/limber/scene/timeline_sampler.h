// SPDX-License-Identifier: MIT
// Evaluates a timeline: the keyed pose and the positions of targets at any time. A sampler is made once for a document
// and its timeline, and is immutable.
#pragma once

#include <vector>

#include "limber/scene/document.h"
#include "limber/scene/path_curve.h"
#include "limber/scene/pose_track.h"

namespace limber {

class TimelineSampler {
 public:
  /// The document must have a timeline without fault (scene/timeline.h).
  explicit TimelineSampler(const Document& document);

  /// True if poses are keyed, or if a motion lies beneath keys and paths (motionBeneath()).
  bool hasPoses() const { return !poses_.empty() || motion_; }
  /// The keyed pose, or that of the motion; there must be one (asserted). Limits of ball joints and couplings are not
  /// applied.
  Pose poseAt(double time) const { return motion_ ? motion_->poseAtSeconds(*figure_, time) : poses_.at(time); }
  /// PoseTrack::stepBetween().
  Eigen::VectorXd stepBetween(const Pose& from, const Pose& to) const { return poses_.stepBetween(from, to); }

  /// Sets targets, target frames and switches of goals. Targets follow an enabled path, else the keys. Frames and
  /// switches follow the keys; a switch holds until the next key. Goals without keys and path are unchanged.
  void setGoals(double time, std::vector<GoalItem>& goals) const;

 private:
  /// The keys of a goal's target, interpolated as poses of a free body.
  struct GoalTrack {
    int goal = -1;
    PoseTrack place;
    std::vector<double> times;
    std::vector<char> enabled;
  };
  struct PathTrack {
    TargetPath path;
    PathCurve curve;
  };
  std::shared_ptr<const Figure> figure_;
  std::shared_ptr<const Motion> motion_;  ///< beneath keys and paths; null for none
  PoseTrack poses_;
  std::vector<GoalTrack> goals_;
  std::vector<PathTrack> paths_;
};

}  // namespace limber
