// SPDX-License-Identifier: MIT
#include "posing/trail.h"

#include <algorithm>

namespace limber {

namespace {

constexpr double kMostPace = 2.0;  // a guess farther ahead than that is none

}  // namespace

void Trail::note(const Figure& figure, const Eigen::Vector3d& target, const Pose& pose) {
  hasMoved_ = pose_.coordinates.size() == pose.coordinates.size();
  if (hasMoved_) {
    difference(figure, pose_, pose, step_);
    move_ = target - target_;
  }
  target_ = target;
  pose_ = pose;
}

double Trail::pace(const Eigen::Vector3d& target) const {
  const double size = move_.squaredNorm();
  if (!hasMoved_ || !(size > 0.0)) return 0.0;
  return std::clamp((target - target_).dot(move_) / size, 0.0, kMostPace);
}

bool Trail::guess(const Figure& figure, double pace, Pose& out) const {
  if (!hasMoved_ || !(pace > 0.0)) return false;
  integrate(figure, pose_, pace * step_, out);
  return true;
}

}  // namespace limber
