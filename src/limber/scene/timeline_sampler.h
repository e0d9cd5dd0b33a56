// SPDX-License-Identifier: MIT
// What a timeline asks at a time: the keyed pose, and where targets are. Made once for a document and its timeline,
// then only read.
#pragma once

#include <memory>
#include <vector>

#include "limber/scene/document.h"
#include "limber/scene/path_curve.h"
#include "limber/scene/pose_track.h"

namespace limber {

class TimelineSampler {
 public:
  /// The document's timeline must be there and without fault (scene/timeline.h).
  explicit TimelineSampler(const Document& document);

  /// True when poses are keyed.
  bool hasPoses() const { return !poses_.empty(); }
  /// The keyed pose; poses must be keyed (asserted). Limits of balls and ties between joints are left to who poses it.
  Pose poseAt(double time) const { return poses_.at(time); }
  /// The step between two poses, the short way for hinges that go round. Poses must be keyed.
  Eigen::VectorXd stepBetween(const Pose& from, const Pose& to) const { return poses_.stepBetween(from, to); }

  /// Puts targets, frames and switches of goals where the timeline has them. An enabled path wins over keyed targets;
  /// frames and switches are those of the keys, a switch holds until the next key. Other goals stay as they are.
  void setGoals(double time, std::vector<GoalItem>& goals) const;

 private:
  /// A target is a body that floats.
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
  PoseTrack poses_;
  std::vector<GoalTrack> goals_;
  std::vector<PathTrack> paths_;
};

}  // namespace limber
