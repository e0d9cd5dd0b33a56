// SPDX-License-Identifier: MIT
#include "limber/scene/pose_track.h"

#include <algorithm>
#include <cassert>

namespace limber {

namespace {

constexpr double kFastest = 3.0;  // of the slower neighbour

/// Limits the velocity of one joint's shift or turn, as the header says.
template <typename Vector>
void limitVelocity(const Vector& before, const Vector& after, Eigen::Ref<Eigen::VectorXd> velocity) {
  if (!(before.dot(after) > 0.0)) {
    velocity.setZero();
    return;
  }
  const double most = kFastest * std::min(before.norm(), after.norm()), speed = velocity.norm();
  if (speed > most) velocity *= most / speed;
}

}  // namespace

PoseTrack::PoseTrack(std::shared_ptr<const Figure> figure, std::vector<char> goesRound, Blend blend,
                     std::vector<double> times, std::vector<Pose> poses, std::vector<Ease> eases)
    : figure_(std::move(figure)), goesRound_(std::move(goesRound)), blend_(blend), times_(std::move(times)),
      poses_(std::move(poses)), eases_(std::move(eases)) {
  eases_.resize(poses_.size());
  assert(times_.size() == poses_.size());
  for (std::size_t i = 0; i + 1 < poses_.size(); ++i) ways_.push_back({.whole = stepBetween(poses_[i], poses_[i + 1])});
  if (blend_ != Blend::Smooth) return;
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    const double third = (times_[i + 1] - times_[i]) / 3.0;
    Way& way = ways_[i];
    way.first = third * velocityAt(i);
    way.last = third * velocityAt(i + 1);
    Pose early, late;
    integrate(*figure_, poses_[i], way.first, early);
    integrate(*figure_, poses_[i + 1], -way.last, late);
    way.middle = stepBetween(early, late);
  }
}

Eigen::VectorXd PoseTrack::stepBetween(const Pose& from, const Pose& to) const {
  Eigen::VectorXd step;
  difference(*figure_, from, to, step);
  for (int i = 0; i < figure_->linkCount(); ++i)
    if (goesRound_[i]) {
      double& angle = step[figure_->joint(i).stepIndex];
      angle = wrapAngle(angle);
    }
  return step;
}

Eigen::VectorXd PoseTrack::velocityAt(std::size_t key) const {
  const auto spanOf = [&](std::size_t way) { return times_[way + 1] - times_[way]; };
  if (key == 0) return ways_.front().whole / spanOf(0);
  if (key == ways_.size()) return ways_.back().whole / spanOf(key - 1);
  const double spanBefore = spanOf(key - 1), spanAfter = spanOf(key);
  const Eigen::VectorXd before = ways_[key - 1].whole / spanBefore, after = ways_[key].whole / spanAfter;
  Eigen::VectorXd velocity = (spanAfter * before + spanBefore * after) / (spanBefore + spanAfter);
  for (const Joint& joint : figure_->joints()) {
    int at = joint.stepIndex;
    for (int left = stepSize(joint.type); left > 0;) {
      const int size = std::min(left, 3);
      limitVelocity(before.segment(at, size), after.segment(at, size), velocity.segment(at, size));
      at += size;
      left -= size;
    }
  }
  return velocity;
}

Pose PoseTrack::at(double time) const {
  assert(!empty());
  const auto next = std::ranges::upper_bound(times_, time);
  if (next == times_.begin()) return poses_.front();
  const auto key = static_cast<std::size_t>(next - times_.begin()) - 1;
  if (key >= ways_.size() || time == times_[key]) return poses_[key];
  const double t = (time - times_[key]) / (times_[key + 1] - times_[key]), u = 1.0 - t;
  const Way& way = ways_[key];
  Pose pose = poses_[key];
  if (const Ease& ease = eases_[key]; ease.kind != Ease::Kind::Blend) {
    integrate(*figure_, pose, ease.at(t) * way.whole, pose);
  } else if (blend_ == Blend::Linear) {
    integrate(*figure_, pose, t * way.whole, pose);
  } else {
    integrate(*figure_, pose, (1.0 - u * u * u) * way.first, pose);
    integrate(*figure_, pose, t * t * (3.0 - 2.0 * t) * way.middle, pose);
    integrate(*figure_, pose, t * t * t * way.last, pose);
  }
  for (int i = 0; i < figure_->linkCount(); ++i)
    if (goesRound_[i]) {
      double& angle = pose.coordinates[figure_->joint(i).poseIndex];
      angle = wrapAngle(angle);
    }
  return pose;
}

}  // namespace limber
