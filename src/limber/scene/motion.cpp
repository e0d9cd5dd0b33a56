// SPDX-License-Identifier: MIT
#include "limber/scene/motion.h"
#include "limber/posing/loops_along.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <utility>

#include "limber/scene/timeline.h"

namespace limber {

namespace {

using Value = Eigen::Vector4d;  // a quaternion x y z w, or a translation and zero

/// The k-th value of a track (three per key for Cubic).
Value valueAt(const Track& track, std::size_t k) {
  Value out = Value::Zero();
  const auto size = static_cast<std::size_t>(track.size());
  std::copy_n(track.values.begin() + static_cast<std::ptrdiff_t>(k * size), size, out.begin());
  return out;
}

Value straightWay(const Track& track, const Value& a, const Value& b, double part) {
  if (!track.isRotation) return a + part * (b - a);
  return Eigen::Quaterniond(a).normalized().slerp(part, Eigen::Quaterniond(b).normalized()).coeffs();
}

/// The cubic with values a, b and tangents out of a, into b (a second) over `span` seconds (Hermite's form).
Value cubic(const Value& a, const Value& outOfA, const Value& intoB, const Value& b, double span, double t) {
  const double t2 = t * t, t3 = t2 * t;
  return (2 * t3 - 3 * t2 + 1) * a + span * (t3 - 2 * t2 + t) * outOfA + (3 * t2 - 2 * t3) * b +
         span * (t3 - t2) * intoB;
}

Value sample(const Track& track, double time) {
  const bool isCubic = track.interpolation == Interpolation::Cubic;
  const std::size_t last = track.times.size() - 1;
  const auto keyAt = [&](std::size_t k) { return valueAt(track, isCubic ? 3 * k + 1 : k); };
  const auto next = std::ranges::upper_bound(track.times, time);
  if (next == track.times.begin()) return keyAt(0);
  const auto key = static_cast<std::size_t>(next - track.times.begin()) - 1;
  if (key == last || track.interpolation == Interpolation::Step) return keyAt(key);
  const double span = track.times[key + 1] - track.times[key], part = (time - track.times[key]) / span;
  if (!isCubic) return straightWay(track, keyAt(key), keyAt(key + 1), part);
  return cubic(keyAt(key), valueAt(track, 3 * key + 2), valueAt(track, 3 * key + 3), keyAt(key + 1), span, part);
}

void applyTrack(const Figure& figure, const Track& track, double time, Pose& pose) {
  const Joint& joint = figure.joint(track.joint);
  const bool turns = hasRotation(joint);
  const Value value = sample(track, time);
  if (track.isRotation && turns && value.norm() > 1e-9)
    setJointRotation(figure, track.joint, Eigen::Quaterniond(value).normalized(), pose);
  if (!track.isRotation && joint.type == JointType::Free)
    pose.coordinates.segment<3>(joint.poseIndex) = value.head<3>();
}

}  // namespace

void Motion::append(const Pose& pose) {
  poses.insert(poses.end(), pose.coordinates.begin(), pose.coordinates.end());
  ++frameCount;
}

double Motion::timeOf(int frame) const { return std::min(frame * secondsPerFrame(), kMaxTimelineSeconds); }

int Motion::frameAt(double time) const {
  return static_cast<int>(std::clamp(std::round(time / secondsPerFrame()), 0.0, std::max(frameCount - 1.0, 0.0)));
}

namespace {

/// Within the limits of the figure, since a motion knows no settings of a user.
void closeLoops(const Figure& figure, Pose& pose) {
  if (figure.loops().empty() || largestGap(figure, pose).isClosed()) return;
  const std::shared_ptr<const Figure> shared(std::shared_ptr<const Figure>(), &figure);
  LoopCloser(makeIkProblem(shared)).close(pose);
}

}  // namespace

Pose Motion::poseAtSeconds(const Figure& figure, double time) const {
  constexpr double kAtFrame = 1e-6;  // frames
  const double frames = std::clamp(time / secondsPerFrame(), 0.0, frameCount - 1.0);
  if (std::abs(frames - std::round(frames)) < kAtFrame) return poseAt(figure, static_cast<int>(std::round(frames)));
  const int before = static_cast<int>(frames);
  Pose pose = poseAt(figure, before);
  Eigen::VectorXd step;
  difference(figure, pose, poseAt(figure, before + 1), step);
  integrate(figure, Pose(pose), (frames - before) * step, pose);
  closeLoops(figure, pose);
  return pose;
}

Pose Motion::poseAtTime(const Figure& figure, double time) const {
  Pose pose = restPose(figure);
  for (const Track& track : tracks) applyTrack(figure, track, time, pose);
  return pose;
}

Pose Motion::poseAt(const Figure& figure, int frame) const {
  Pose pose = storedPose(figure, frame);
  closeLoops(figure, pose);
  return pose;
}

Pose Motion::storedPose(const Figure& figure, int frame) const {
  assert(frame >= 0 && frame < frameCount);
  if (beneath) {
    Pose layered = beneath->poseAt(figure, frame);
    applyLayer(figure, layer, frame, secondsPerFrame(), layered);
    return layered;
  }
  if (!tracks.empty()) return poseAtTime(figure, frame * frameTime);
  if (!poses.empty()) {
    const auto size = static_cast<std::size_t>(figure.poseSize());
    assert(poses.size() == static_cast<std::size_t>(frameCount) * size);
    return {Eigen::VectorXd::Map(poses.data() + frame * size, figure.poseSize())};
  }
  Pose pose = restPose(figure);
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    if (hasRotation(joint)) setJointRotation(figure, i, Eigen::Quaterniond::Identity(), pose);
    if (joint.type == JointType::Free) pose.coordinates.segment<3>(joint.poseIndex).setZero();
  }
  const double* row = values.data() + frame * channels.size();
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const Channel& channel = channels[c];
    const Joint& joint = figure.joint(channel.joint);
    const int axis = static_cast<int>(channel.type) % 3;
    if (channel.type <= ChannelType::ZPosition) {
      if (joint.type == JointType::Free)
        pose.coordinates[joint.poseIndex + axis] = (row[c] - channel.zero) * figure.fileFrame().metresPerUnit;
      continue;
    }
    const Eigen::AngleAxisd turn(row[c] * std::numbers::pi / 180.0, Eigen::Vector3d::Unit(axis));
    setJointRotation(figure, channel.joint, jointRotation(figure, pose, channel.joint) * turn, pose);
  }
  for (int i = 0; i < figure.linkCount(); ++i)
    if (hasRotation(figure.joint(i))) setJointRotation(figure, i, jointRotation(figure, pose, i).normalized(), pose);
  return pose;
}

std::shared_ptr<const Motion> withLayer(const std::shared_ptr<const Motion>& beneath, MotionLayer layer) {
  if (layer.isEmpty()) return beneath;
  auto layered = std::make_shared<Motion>();
  layered->name = beneath->name;
  layered->frameCount = beneath->frameCount;
  layered->frameTime = beneath->frameTime;
  layered->beneath = beneath;
  layered->layer = std::move(layer);
  return layered;
}

}  // namespace limber
