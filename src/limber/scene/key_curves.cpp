// SPDX-License-Identifier: MIT
#include "limber/scene/key_curves.h"

#include <algorithm>
#include <array>
#include <set>

#include "limber/scene/clock.h"
#include "limber/scene/keyed_poses.h"
#include "limber/scene/timeline_sampler.h"

namespace limber {

namespace {

constexpr std::array<const char*, 3> kAxes = {"x", "y", "z"};

/// The number of a joint in a pose.
double numberOf(const Figure& figure, const Pose& pose, const KeyedNumber& number) {
  const Joint& joint = figure.joint(number.joint);
  if (isScalar(joint)) return pose.coordinates[joint.poseIndex];
  const bool isShift = joint.type == JointType::Free && number.coordinate < 3;
  if (isShift) return pose.coordinates[joint.poseIndex + number.coordinate];
  return logarithm(jointRotation(figure, pose, number.joint))[number.coordinate % 3];
}

void setNumber(const Document& document, const KeyedNumber& number, double value, Pose& pose) {
  const Figure& figure = *document.figure;
  const Joint& joint = figure.joint(number.joint);
  if (isScalar(joint)) {
    pose.coordinates[joint.poseIndex] = value;
  } else if (joint.type == JointType::Free && number.coordinate < 3) {
    pose.coordinates[joint.poseIndex + number.coordinate] = value;
  } else {
    Eigen::Vector3d turn = logarithm(jointRotation(figure, pose, number.joint));
    turn[number.coordinate % 3] = value;
    setJointRotation(figure, number.joint, exponential(turn), pose);
  }
  clampToLimits(document, pose);
}

std::vector<KeyCurve> curvesOfGoal(const Document& document, int goal) {
  const Clock clock = clockOf(document);
  std::set<int> keys;
  for (const TimelineKey& key : document.timeline->keys)
    if (std::ranges::find(key.goals, goal, &GoalKey::goal) != key.goals.end()) keys.insert(clock.frameAt(key.time));
  if (keys.empty()) return {};
  std::vector<KeyCurve> curves;
  for (int axis = 0; axis < 3; ++axis) curves.push_back({{-1, goal, axis}, kAxes[axis], false, {}});
  const TargetPath* path = findPath(*document.timeline, goal);
  const bool isOnPath = path && path->enabled;
  const TimelineSampler sampler(document);
  std::vector<GoalItem> goals = document.goals;
  const auto item = std::ranges::find(goals, goal, &GoalItem::id);
  for (const int frame : framesToShow(keys, 0, clock.frameCount - 1)) {
    sampler.setGoals(clock.timeOf(frame), goals);
    for (int axis = 0; axis < 3; ++axis)
      curves[axis].points.push_back({frame, item->target[axis], keys.contains(frame) && !isOnPath});
  }
  return curves;
}

std::string nameOfNumber(const Joint& joint, int coordinate) {
  if (joint.type == JointType::Revolute) return "angle";
  if (joint.type == JointType::Prismatic) return "slide";
  if (joint.type == JointType::Free && coordinate < 3) return kAxes[coordinate];
  return std::string("turn ") + kAxes[coordinate % 3];
}

/// Frames with a key of the joint.
std::set<int> keysOfJoint(const Document& document, int joint) {
  const Clock clock = clockOf(document);
  std::set<int> keys;
  if (keysLayer(document)) {
    const auto& tracks = document.motion->layer.tracks;
    const auto track = std::ranges::find(tracks, joint, &LayerTrack::joint);
    if (track == tracks.end()) return keys;
    for (const int frame : track->frames) keys.insert(clock.frameAt(document.motion->timeOf(frame)));
  } else if (document.timeline) {
    for (const TimelineKey& key : document.timeline->keys)
      if (key.hasPose()) keys.insert(clock.frameAt(key.time));
  }
  return keys;
}

std::vector<KeyCurve> curvesOfJoint(const Document& document, int joint) {
  const Figure& figure = *document.figure;
  const Joint& j = figure.joint(joint);
  const std::set<int> keys = keysOfJoint(document, joint);
  if (keys.empty()) return {};
  std::vector<KeyCurve> curves;
  for (int c = 0; c < stepSize(j.type); ++c) {
    const bool isLength = j.type == JointType::Prismatic || (j.type == JointType::Free && c < 3);
    curves.push_back({{joint, -1, c}, nameOfNumber(j, c), !isLength, {}});
  }
  const KeyedPoses poses(document);
  for (const int frame : framesToShow(keys, 0, clockOf(document).frameCount - 1)) {
    const auto pose = poses.at(frame);
    if (!pose) return {};
    for (KeyCurve& curve : curves)
      curve.points.push_back({frame, numberOf(figure, *pose, curve.number), keys.contains(frame)});
  }
  return curves;
}

}  // namespace

std::vector<KeyCurve> keyCurvesOf(const Document& document) {
  const int goal = document.selection.goal, joint = document.selection.joint;
  if (document.timeline && findGoal(document, goal))
    if (auto curves = curvesOfGoal(document, goal); !curves.empty()) return curves;
  return joint >= 0 ? curvesOfJoint(document, joint) : std::vector<KeyCurve>{};
}

namespace {

/// True if the keys of a number are over a motion, and not in the timeline.
bool isOverMotion(const Document& document, const KeyedNumber& number) {
  return number.goal < 0 && keysLayer(document);
}

}  // namespace

std::optional<Ease> easeOfKey(const Document& document, const KeyedNumber& number, int frame) {
  const double time = clockOf(document).timeOf(frame);
  if (isOverMotion(document, number)) {
    const auto ease = layerEase(document, document.motion->frameAt(time), number.joint);
    if (ease || number.joint >= 0) return ease;
  }
  const TimelineKey* key = document.timeline ? findKey(*document.timeline, time) : nullptr;
  return key ? std::optional(key->ease) : std::nullopt;
}

bool setEaseOfKey(Document& document, const KeyedNumber& number, int frame, const Ease& ease) {
  const double time = clockOf(document).timeOf(frame);
  const bool isSet =
      isOverMotion(document, number) && setLayerEase(document, document.motion->frameAt(time), ease, number.joint);
  return (number.joint < 0 || !isOverMotion(document, number)) ? setEase(document, time, ease) || isSet : isSet;
}

bool setKeyedNumber(Document& document, const KeyedNumber& number, int frame, double value) {
  const double time = clockOf(document).timeOf(frame);
  if (number.joint >= 0 && keysLayer(document)) {
    const int own = document.motion->frameAt(time);
    Pose pose = document.motion->poseAt(*document.figure, own);
    setNumber(document, number, value, pose);
    return keyLayerAt(document, own, number.joint, pose);
  }
  if (!document.timeline || !findKey(*document.timeline, time)) return false;
  Timeline& timeline = changeTimeline(document);
  TimelineKey& key = *std::ranges::find(timeline.keys, findKey(timeline, time)->time, &TimelineKey::time);
  if (number.joint >= 0) {
    if (!key.hasPose()) return false;
    setNumber(document, number, value, key.pose);
    return true;
  }
  const auto goal = std::ranges::find(key.goals, number.goal, &GoalKey::goal);
  if (goal == key.goals.end()) return false;
  goal->target[number.coordinate] = value;
  return true;
}

}  // namespace limber
