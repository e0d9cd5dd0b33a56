// SPDX-License-Identifier: MIT
// Keys in the picture: the path of the selected point through its keys, and ghosts of the keys before and after the
// current frame. A click on either goes to a key; the dots of the path can be dragged.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "limber/problem/new_goal.h"
#include "limber/scene/document.h"
#include "render/trail_marks.h"

namespace limber::app {

/// Both are kept until something on which they depend changes. Keyed poses are shown without solves for goals.
class KeyTrail {
 public:
  /// `hasPath`: the path of the end effector of the selected link, or of the selected goal's keyed target, if there are
  /// keys. `hasGhosts`: the keys before and after the current frame; without keys over a motion, the frames 0.1 s and
  /// 0.2 s before and after.
  void update(const Document& document, bool hasPath, bool hasGhosts);

  const render::TrailMark& path() const { return path_; }  ///< empty for none
  int goal() const { return goal_; }                       ///< id of the goal whose target it is; -1 for a link
  int link() const { return end_.link; }                   ///< whose end effector it is

  /// Appends the ghosts where they differ from `kinematics`, the current frame, by at least `pixel` metres.
  void appendGhosts(const Document& document, const Kinematics& kinematics, double pixel, render::DrawList& list) const;

 private:
  struct GhostPose {
    int frame = 0;
    Kinematics kinematics;
  };
  void makePathOfGoal(const Document& document);
  void makePathOfLink(const Document& document, const std::set<int>& keys);
  void makeGhosts(const Document& document, const std::set<int>& keys);

  // The document at the last update.
  std::shared_ptr<const Figure> figure_;
  std::shared_ptr<const Timeline> timeline_;
  std::shared_ptr<const Motion> motion_;
  Selection selection_;
  bool hasPath_ = false, hasGhosts_ = false;

  int goal_ = -1;
  EndEffector end_;
  render::TrailMark path_;
  std::vector<GhostPose> ghosts_;
};

}  // namespace limber::app
