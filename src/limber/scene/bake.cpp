// SPDX-License-Identifier: MIT
#include "limber/scene/bake.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <optional>

#include "limber/scene/player.h"
#include "limber/scene/pose_track.h"

namespace limber {

namespace {

constexpr double kFrameRounding = 1e-9;        // frames
constexpr double kMaxBakedCoordinates = 50e6;  // in all frames: 400 MB

std::string faultOfBake(const Document& document, const BakeOptions& options) {
  if (!document.timeline) return "there is no timeline to bake";
  if (std::string fault = findFault(*document.timeline, document); !fault.empty()) return fault;
  if (!isValid(*document.figure, document.pose)) return "the pose holds a number that is not finite";
  if (!(options.framesPerSecond >= 0.0 && options.framesPerSecond <= kMaxFramesPerSecond))
    return "frames per second must be above 0 and at most 1000";
  if (!(options.from >= 0.0 && options.from <= kMaxTimelineSeconds && options.to <= kMaxTimelineSeconds))
    return "the times of a bake must be from 0 to 86400 s";
  if (!(options.maxTurn > 0.0) || options.maxSteps < 1) return "the largest turn must be above 0";
  return {};
}

/// The state of the playback after one frame, from which the next one continues.
struct PlayState {
  Document document;
  Player player;
};

BakedFrame solveAt(double time, bool goesOn, Posing& posing, PlayState& state) {
  BakedFrame frame{.time = time};
  const auto request = state.player.cue(time, goesOn, state.document);
  if (!request) return frame;
  const PosingReport report = solveToEnd(posing, state.document, *request);
  frame.outcome = report.outcome;
  for (const GoalReport& goal : report.goals) {
    if (!goal.live) continue;
    frame.error = std::max(frame.error, goal.error);
    frame.angle = std::max(frame.angle, goal.angle);
  }
  for (const ContactReport& contact : report.contacts)
    if (contact.isInside) frame.inside = std::max(frame.inside, std::max(contact.asked, 0.0) - contact.clearance);
  return frame;
}

/// Solves the next frame, in as few steps of time as keep every turn within options.maxTurn.
BakedFrame goOn(double next, const BakeOptions& options, Posing& posing, PlayState& state) {
  const PlayState before = state;
  const double time = before.document.time;
  std::optional<BakedFrame> best;
  for (int steps = 1; steps <= options.maxSteps; steps *= 2) {
    PlayState tried = before;
    BakedFrame frame;
    for (int k = 1; k < steps; ++k) solveAt(time + (next - time) * k / steps, true, posing, tried);
    frame = solveAt(next, true, posing, tried);
    frame.steps = steps;
    frame.turn = largestTurnBetween(*before.document.figure, before.document.pose, tried.document.pose);
    if (best && frame.turn >= best->turn) continue;
    best = frame;
    state = std::move(tried);
    if (frame.turn <= options.maxTurn) break;
  }
  return *best;
}

/// Replaces a quaternion by its negative, which is the same rotation, if that is nearer to the previous frame, for
/// readers that interpolate.
void turnToNearSide(const Figure& figure, const double* before, Pose& pose) {
  for (const Joint& joint : figure.joints()) {
    if (!hasRotation(joint)) continue;
    const int at = joint.poseIndex + poseSize(joint.type) - 4;
    auto quaternion = pose.coordinates.segment<4>(at);
    if (quaternion.dot(Eigen::Vector4d::Map(before + at)) < 0.0) quaternion = -quaternion;
  }
}

void noteFrame(const BakedFrame& frame, const BakeOptions& options, BakeResult& result) {
  const int at = static_cast<int>(result.frames.size());
  if (!frame.isReached()) ++result.unreached;
  if (result.worstFrame < 0 || frame.error > result.worstError) result.worstFrame = at;
  result.worstError = std::max(result.worstError, frame.error);
  result.worstAngle = std::max(result.worstAngle, frame.angle);
  if (frame.inside > 0.0) ++result.insideFrames;
  result.deepest = std::max(result.deepest, frame.inside);
  if (frame.turn > options.maxTurn) ++result.jumps;
  if (result.largestTurnFrame < 0 || frame.turn > result.largestTurn) result.largestTurnFrame = at;
  result.largestTurn = std::max(result.largestTurn, frame.turn);
  result.mostSteps = std::max(result.mostSteps, frame.steps);
  result.frames.push_back(frame);
}

}  // namespace

double largestTurnBetween(const Figure& figure, const Pose& from, const Pose& to) {
  double most = 0.0;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Joint& joint = figure.joint(i);
    double turn = 0.0;
    if (joint.type == JointType::Revolute)
      turn = std::abs(wrapAngle(to.coordinates[joint.poseIndex] - from.coordinates[joint.poseIndex]));
    else if (hasRotation(joint))
      turn = logarithm(jointRotation(figure, from, i).conjugate() * jointRotation(figure, to, i)).norm();
    most = std::max(most, turn);
  }
  return most;
}

std::string BakeResult::sentence() const {
  if (!fault.empty()) return fault;
  char text[256];
  const int count = static_cast<int>(frames.size());
  std::snprintf(text, sizeof text, "%d frame%s", count, count == 1 ? "" : "s");
  std::string sentence = text;
  if (unreached > 0) {
    std::snprintf(text, sizeof text, ", %d not reached (%.3g mm at worst, frame %d)", unreached, 1e3 * worstError,
                  worstFrame);
    sentence += text;
  }
  std::snprintf(text, sizeof text, ", largest turn %.3g degrees per frame", largestTurn * 180.0 / std::numbers::pi);
  sentence += text;
  if (insideFrames > 0) {
    std::snprintf(text, sizeof text, "; %d inside an obstacle or each other (%.3g mm at most)", insideFrames,
                  1e3 * deepest);
    sentence += text;
  }
  if (jumps > 0) {
    std::snprintf(text, sizeof text, "; %d jump%s, the largest before frame %d", jumps, jumps == 1 ? "" : "s",
                  largestTurnFrame);
    sentence += text;
  }
  return isCancelled ? "cancelled after " + sentence : sentence;
}

BakeResult bake(const Document& document, const BakeOptions& options, const BakeProgress& progress) {
  BakeResult result;
  result.fault = faultOfBake(document, options);
  if (!result.fault.empty()) return result;
  const Figure& figure = *document.figure;
  const double rate = options.framesPerSecond > 0.0 ? options.framesPerSecond : document.timeline->framesPerSecond;
  const double to = options.to < 0.0 ? document.timeline->length : options.to;
  const double frames = std::floor((to - options.from) * rate + kFrameRounding) + 1.0;
  if (!(frames >= 1.0)) result.fault = "the bake ends before it begins";
  else if (frames * std::max(1, figure.poseSize()) > kMaxBakedCoordinates)
    result.fault = "the bake has too many frames: choose fewer per second, or a part of the timeline";
  if (!result.fault.empty()) return result;

  const int count = static_cast<int>(frames);
  auto motion = std::make_shared<Motion>();
  motion->name = "baked";
  motion->isBaked = true;
  motion->frameTime = 1.0 / rate;
  Posing posing;
  PlayState state{document, Player(document)};
  for (int k = 0; k < count; ++k) {
    if (progress && !progress(static_cast<double>(k) / count)) {
      result.isCancelled = true;
      break;
    }
    const double time = options.from + k / rate;
    const BakedFrame frame = k == 0 ? solveAt(time, false, posing, state) : goOn(time, options, posing, state);
    if (frame.outcome == Outcome::BadInput) {
      result.fault = posing.report().sentence;
      return result;
    }
    noteFrame(frame, options, result);
    if (k > 0)
      turnToNearSide(figure, motion->poses.data() + motion->poses.size() - figure.poseSize(), state.document.pose);
    motion->append(state.document.pose);
  }
  if (motion->frameCount > 0) result.motion = std::move(motion);
  return result;
}

void takeBaked(const BakeResult& result, Document& document) {
  if (!result.motion) return;
  if (!document.clips.empty()) document.clips.push_back(result.motion);
  setMotion(document, result.motion);
  showFrame(document, 0);
}

namespace {

/// The frame between two whose pose is farthest from the interpolated one, -1 for none; `worst` is its distance.
int worstBetween(const PoseTrack& way, const std::vector<Pose>& poses, double frameTime, double length, int first,
                 int last, const Figure& figure, double& worst) {
  int at = -1;
  worst = 0.0;
  for (int k = first + 1; k < last; ++k) {
    const Eigen::VectorXd step = way.stepBetween(way.at(k * frameTime), poses[k]);
    double off = 0.0;
    for (const Joint& joint : figure.joints()) {
      const auto part = [&](int from, int size) { return step.segment(joint.stepIndex + from, size).norm(); };
      if (joint.type == JointType::Revolute) off = std::max(off, part(0, 1));
      if (joint.type == JointType::Prismatic) off = std::max(off, part(0, 1) / length);
      if (joint.type == JointType::Ball) off = std::max(off, part(0, 3));
      if (joint.type == JointType::Free) off = std::max({off, part(0, 3) / length, part(3, 3)});
    }
    if (at >= 0 && off <= worst) continue;
    worst = off;
    at = k;
  }
  return at;
}

/// Adds pose keys to existing keys: a key of the same time takes the pose, else the key is inserted.
void mergeKeys(std::vector<TimelineKey> added, std::vector<TimelineKey>& keys) {
  constexpr double kSameTime = 1e-6;  // seconds
  for (TimelineKey& key : added) {
    const auto after = std::ranges::lower_bound(keys, key.time - kSameTime, {}, &TimelineKey::time);
    if (after != keys.end() && after->time < key.time + kSameTime) after->pose = std::move(key.pose);
    else keys.insert(after, std::move(key));
  }
}

}  // namespace

void keyBaked(const BakeResult& result, double tolerance, Document& document) {
  if (!result.motion || result.frames.empty()) return;
  const Figure& figure = *document.figure;
  const std::vector<char> round = jointsThatGoRound(document);
  std::vector<Pose> poses;
  for (int k = 0; k < result.motion->frameCount; ++k) poses.push_back(result.motion->poseAt(figure, k));
  const double frameTime = result.motion->frameTime;
  std::vector<char> isKey(poses.size(), 0);
  isKey.front() = isKey.back() = 1;
  std::vector<std::pair<int, int>> open = {{0, static_cast<int>(poses.size()) - 1}};
  while (!open.empty()) {
    const auto [first, last] = open.back();
    open.pop_back();
    if (last - first < 2) continue;
    const PoseTrack way(document.figure, round, Blend::Linear, {first * frameTime, last * frameTime},
                        {poses[first], poses[last]});
    double worst = 0.0;
    const int at = worstBetween(way, poses, frameTime, figure.meanLinkLength(), first, last, figure, worst);
    if (worst <= tolerance) continue;
    isKey[at] = 1;
    open.push_back({first, at});
    open.push_back({at, last});
  }
  Timeline& timeline = changeTimeline(document);
  timeline.blend = Blend::Linear;
  const double begin = result.frames.front().time, end = result.frames.back().time;
  for (TimelineKey& key : timeline.keys)
    if (key.time >= begin && key.time <= end) {
      key.pose = {};
      key.ease = {};
    }
  std::erase_if(timeline.keys, [](const TimelineKey& key) { return !key.hasPose() && key.goals.empty(); });
  std::vector<TimelineKey> keys;
  for (std::size_t k = 0; k < poses.size(); ++k)
    if (isKey[k]) keys.push_back({.time = result.frames[k].time, .pose = poses[k]});
  mergeKeys(std::move(keys), timeline.keys);
}

}  // namespace limber
