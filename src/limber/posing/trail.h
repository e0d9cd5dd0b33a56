// SPDX-License-Identifier: MIT
// Where a drag will have brought pose and forces, guessed from its last events: a target that goes on as it went takes
// them along as it did. A solve that begins there needs an iteration or two less.
#pragma once

#include "limber/kinematics/pose.h"

namespace limber {

/// What comes next of a quantity that changed by d1 in the last event and by d0 in the one before: about last d1 +
/// before d0 more.
struct Ahead {
  double last = 0.0, before = 0.0;
  bool isKnown() const { return last > 0.0; }
};

class Trail {
 public:
  /// An event with this target (world, metres) ended at `pose`, where all but the goals made `rest` of f.
  void note(const Figure& figure, const Eigen::Vector3d& target, const Pose& pose, double rest);

  /// Only the line counts at the next event: where a limited force is all in use, what follows its end is nearly free
  /// to move, and a bent guess leads Newton to damp its steps.
  void straighten() { pace_ = 0.0; }

  /// Along the parabola through the last three events, where the target moves evenly, or the line through two, at most
  /// twice the last move. Not known for a target at rest, or that turns back.
  Ahead ahead(const Eigen::Vector3d& target) const;

  /// out = the pose that is ahead.
  void guess(const Figure& figure, const Ahead& ahead, Pose& out) const;

  /// The pose of the last event; without coordinates before it.
  const Pose& last() const { return pose_; }
  /// The part of f there that the pulls to rest and to what stays make.
  double rest() const { return rest_; }

 private:
  double paceOf(const Eigen::Vector3d& target) const;

  Eigen::Vector3d target_ = Eigen::Vector3d::Zero(), move_ = Eigen::Vector3d::Zero();
  Pose pose_;
  Eigen::VectorXd step_, stepBefore_;  ///< that led to pose_, and to the pose before it, (step size x 1)
  double pace_ = 0.0;                  ///< of the last event
  double rest_ = 0.0;
  bool hasMoved_ = false;
};

}  // namespace limber
