// SPDX-License-Identifier: MIT
// Where a drag will have brought the pose, guessed from its last two events: a target that goes on as it went takes the
// pose along as it did, to second order of the target's move. A solve that begins there needs an iteration less.
#pragma once

#include "kinematics/pose.h"

namespace limber {

class Trail {
 public:
  void forget() { *this = {}; }
  /// An event with this target (world, metres) ended at `pose`.
  void note(const Figure& figure, const Eigen::Vector3d& target, const Pose& pose);

  /// The part of the target's last move that `target` goes on by, 0 to 2; 0 for a target at rest, or that turns back.
  double pace(const Eigen::Vector3d& target) const;

  /// out = the pose of the last event, moved on by `pace` times the step that led to it. False without two events.
  bool guess(const Figure& figure, double pace, Pose& out) const;

  /// The pose of the last event; without coordinates before it.
  const Pose& last() const { return pose_; }

 private:
  Eigen::Vector3d target_ = Eigen::Vector3d::Zero(), move_ = Eigen::Vector3d::Zero();
  Pose pose_;
  Eigen::VectorXd step_;  ///< that led to pose_, (step size x 1)
  bool hasMoved_ = false;
};

}  // namespace limber
