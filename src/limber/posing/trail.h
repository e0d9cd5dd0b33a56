// SPDX-License-Identifier: MIT
// Extrapolates pose and multipliers to the next event of a drag from its last events. A solve that begins there takes
// an iteration or two less.
#pragma once

#include "limber/kinematics/pose.h"

namespace limber {

/// Coefficients of an extrapolation: a quantity that changed by d1 in the last event and by d0 in the one before is
/// predicted to change by last d1 + before d0.
struct Ahead {
  double last = 0.0, before = 0.0;
  bool isKnown() const { return last > 0.0; }
};

class Trail {
 public:
  /// An event with this target (world, metres) ended at `pose`. rest: the part of f there that is not of goals.
  void note(const Figure& figure, const Eigen::Vector3d& target, const Pose& pose, double rest);

  /// Makes the next prediction linear: if a limited force is used up, the body is nearly free to move, and a curved
  /// prediction leads Newton to damp its steps.
  void straighten() { pace_ = 0.0; }

  /// Extrapolates along the parabola through the last three events if the target moves evenly, otherwise along the line
  /// through two, by at most twice the last move. Unknown for a target that rests or turns back.
  Ahead ahead(const Eigen::Vector3d& target) const;

  /// out = the predicted pose.
  void guess(const Figure& figure, const Ahead& ahead, Pose& out) const;

  /// The pose of the last event; without coordinates if there was none.
  const Pose& last() const { return pose_; }
  /// The part of f at that pose that is not of goals.
  double rest() const { return rest_; }

 private:
  double paceOf(const Eigen::Vector3d& target) const;

  Eigen::Vector3d target_ = Eigen::Vector3d::Zero(), move_ = Eigen::Vector3d::Zero();
  Pose pose_;
  Eigen::VectorXd step_, stepBefore_;  ///< to pose_ and to the pose before it, (step size x 1)
  double pace_ = 0.0;                  ///< of the last event
  double rest_ = 0.0;
  bool hasMoved_ = false;
};

}  // namespace limber
