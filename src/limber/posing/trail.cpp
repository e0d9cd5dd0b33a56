// SPDX-License-Identifier: MIT
#include "limber/posing/trail.h"

#include <algorithm>
#include <utility>

namespace limber {

namespace {

constexpr double kMostPace = 2.0;  // moves: limit of an extrapolation

}  // namespace

void Trail::note(const Figure& figure, const Eigen::Vector3d& target, const Pose& pose, double rest) {
  pace_ = paceOf(target);
  hasMoved_ = pose_.coordinates.size() == pose.coordinates.size();
  if (hasMoved_) {
    std::swap(stepBefore_, step_);
    difference(figure, pose_, pose, step_);
    move_ = target - target_;
  }
  target_ = target;
  pose_ = pose;
  rest_ = rest;
}

/// The move to `target` along the last move, relative to its length; 0 if there was no move.
double Trail::paceOf(const Eigen::Vector3d& target) const {
  const double size = move_.squaredNorm();
  return hasMoved_ && size > 0.0 ? (target - target_).dot(move_) / size : 0.0;
}

/// With the last move as unit of length, the move before has length b; Newton's divided differences over -1 - b, -1, 0.
Ahead Trail::ahead(const Eigen::Vector3d& target) const {
  const double p = std::clamp(paceOf(target), 0.0, kMostPace);
  const bool isEven = pace_ >= 1.0 / kMostPace && pace_ <= kMostPace;
  if (!isEven) return {p, 0.0};
  const double b = 1.0 / pace_, bend = p * (p + 1.0) / (1.0 + b);
  return {p + bend, -bend / b};
}

void Trail::guess(const Figure& figure, const Ahead& ahead, Pose& out) const {
  Eigen::VectorXd step = ahead.last * step_;
  if (ahead.before != 0.0) step += ahead.before * stepBefore_;
  integrate(figure, pose_, step, out);
}

}  // namespace limber
