// SPDX-License-Identifier: MIT
#include "app/features/key_trail.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "limber/scene/keyed_poses.h"
#include "render/ghosts.h"

namespace limber::app {

namespace {

constexpr double kOnionSpacing = 0.1;                       // seconds, at least one frame
constexpr std::array<int, 4> kOnionSkins = {-1, 1, -2, 2};  // in spacings; the first of equal ones is drawn
constexpr render::Color kBefore = {0.95f, 0.45f, 0.30f, 0.22f}, kAfter = {0.35f, 0.80f, 0.45f, 0.22f};

/// Frames of the ghosts: the keys before and after the current frame; without keys, frames of the motion around it.
std::vector<int> ghostFrames(const Document& document, const std::set<int>& keys) {
  const int now = currentFrame(document);
  std::vector<int> frames;
  if (!keys.empty()) {
    const auto at = keys.lower_bound(now), next = keys.upper_bound(now);
    if (at != keys.begin()) frames.push_back(*std::prev(at));
    if (next != keys.end()) frames.push_back(*next);
    return frames;
  }
  if (!hasFrames(document)) return frames;
  const limber::Clock clock = clockOf(document);
  const int spacing = std::max(1, static_cast<int>(std::lround(std::min(kOnionSpacing * clock.framesPerSecond, 1e6))));
  for (const int skin : kOnionSkins)
    if (const int frame = now + skin * spacing; frame >= 0 && frame < clock.frameCount) frames.push_back(frame);
  return frames;
}

}  // namespace

void KeyTrail::update(const Document& document, bool hasPath, bool hasGhosts) {
  const int now = currentFrame(document);
  const bool isSame = hasPath == hasPath_ && hasGhosts == hasGhosts_ && figure_ == document.figure &&
                      timeline_ == document.timeline && motion_ == document.motion && selection_ == document.selection;
  const bool isSameFrame = path_.now == now;
  path_.now = now;
  if (isSame && (isSameFrame || !hasGhosts)) return;
  hasPath_ = hasPath;
  hasGhosts_ = hasGhosts;
  figure_ = document.figure;
  timeline_ = document.timeline;
  motion_ = document.motion;
  selection_ = document.selection;
  const std::set<int> keys = hasPath || hasGhosts ? keyedFrames(document) : std::set<int>{};
  if (hasGhosts) makeGhosts(document, keys);
  if (isSame) return;
  goal_ = -1;
  path_.points.clear();
  if (!hasGhosts) ghosts_.clear();
  if (!hasPath) return;
  if (findGoal(document, selection_.goal)) makePathOfGoal(document);
  else if (selection_.joint >= 0 && !keys.empty()) makePathOfLink(document, keys);
}

void KeyTrail::makePathOfGoal(const Document& document) {
  if (!document.timeline) return;
  const limber::Clock clock = clockOf(document);
  std::set<int> keys;
  for (const TimelineKey& key : document.timeline->keys)
    if (std::ranges::find(key.goals, selection_.goal, &GoalKey::goal) != key.goals.end())
      keys.insert(clock.frameAt(key.time));
  const TargetPath* path = findPath(*document.timeline, selection_.goal);
  if (keys.empty() || (path && path->enabled)) return;  // an enabled path is drawn itself
  goal_ = selection_.goal;
  const TimelineSampler sampler(document);
  std::vector<GoalItem> goals = document.goals;
  const auto goal = std::ranges::find(goals, goal_, &GoalItem::id);
  for (const int frame : framesToShow(keys, *keys.begin(), *keys.rbegin())) {
    sampler.setGoals(clock.timeOf(frame), goals);
    path_.points.push_back({goal->target, keys.contains(frame) ? frame : -1});
  }
}

void KeyTrail::makePathOfLink(const Document& document, const std::set<int>& keys) {
  const KeyedPoses poses(document);
  end_ = endEffectorOf(*document.figure, selection_.joint);
  Kinematics kinematics;
  for (const int frame : framesToShow(keys, *keys.begin(), *keys.rbegin())) {
    const auto pose = poses.at(frame);
    if (!pose) return;
    computeTransforms(*document.figure, *pose, kinematics);
    path_.points.push_back({kinematics.worldFromLink[end_.link] * end_.point, keys.contains(frame) ? frame : -1});
  }
}

void KeyTrail::makeGhosts(const Document& document, const std::set<int>& keys) {
  ghosts_.clear();
  const KeyedPoses poses(document);
  for (const int frame : ghostFrames(document, keys))
    if (const auto pose = poses.at(frame)) {
      ghosts_.push_back({.frame = frame, .kinematics = {}});
      computeTransforms(*document.figure, *pose, ghosts_.back().kinematics);
    }
}

void KeyTrail::appendGhosts(const Document& document, const Kinematics& kinematics, double pixel,
                            render::DrawList& list) const {
  std::vector<render::Ghost> ghosts;
  for (const GhostPose& ghost : ghosts_)
    ghosts.push_back({&ghost.kinematics, ghost.frame < path_.now ? kBefore : kAfter, ghost.frame});
  render::appendGhosts(*document.figure, kinematics, ghosts, pixel, list);
}

}  // namespace limber::app
