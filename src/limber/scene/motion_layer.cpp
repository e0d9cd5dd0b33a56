// SPDX-License-Identifier: MIT
#include "limber/scene/motion_layer.h"

#include <algorithm>
#include <set>

#include "limber/kinematics/ball_limits.h"
#include "limber/scene/document.h"

namespace limber {

namespace {

constexpr double kSamePose = 1e-9;  // of a coordinate, metres and radians: a smaller change is rounding

double smooth(double t) { return t * t * (3.0 - 2.0 * t); }

/// The part of the way from a key to the next one, at a part of the time.
double easeOf(const LayerTrack& track, std::size_t key, double part) {
  const bool isOwn = key < track.eases.size() && track.eases[key].kind != Ease::Kind::Blend;
  return isOwn ? track.eases[key].at(part) : smooth(part);
}

/// The step of one joint at a frame; zero where the track has faded out.
Eigen::VectorXd stepAt(const LayerTrack& track, int size, int frame, double fadeFrames) {
  const auto key = [&](std::size_t k) { return Eigen::VectorXd::Map(track.steps.data() + k * size, size); };
  const auto next = static_cast<std::size_t>(std::ranges::lower_bound(track.frames, frame) - track.frames.begin());
  if (next < track.frames.size() && track.frames[next] == frame) return key(next);
  if (next > 0 && next < track.frames.size()) {
    const double span = track.frames[next] - track.frames[next - 1];
    const Eigen::VectorXd from = key(next - 1);
    return from + easeOf(track, next - 1, (frame - track.frames[next - 1]) / span) * (key(next) - from);
  }
  const std::size_t nearest = next == 0 ? 0 : next - 1;
  const double away = std::abs(frame - track.frames[nearest]);
  return away < fadeFrames ? Eigen::VectorXd(smooth(1.0 - away / fadeFrames) * key(nearest))
                           : Eigen::VectorXd(Eigen::VectorXd::Zero(size));
}

/// Clamps a joint to its limits, unless the motion itself exceeds them.
void keepInside(const Figure& figure, int joint, const Pose& beneath, Pose& pose) {
  const Joint& j = figure.joint(joint);
  if (isScalar(j)) {
    const double was = beneath.coordinates[j.poseIndex];
    double& q = pose.coordinates[j.poseIndex];
    q = std::clamp(q, std::min(j.limits.lower, was), std::max(j.limits.upper, was));
  } else if (j.type == JointType::Ball && j.ballLimits.isBounded()) {
    const BallRange range(j.ballLimits);
    if (range.violation(jointRotation(figure, beneath, joint)) <= kSamePose)
      setJointRotation(figure, joint, range.clamp(jointRotation(figure, pose, joint)), pose);
  }
}

/// The shown motion with another layer.
void setLayer(Document& document, MotionLayer layer) {
  const std::shared_ptr<const Motion> shown = document.motion;
  const std::shared_ptr<const Motion> beneath = shown->beneath ? shown->beneath : shown;
  std::ranges::replace(document.clips, shown, document.motion = withLayer(beneath, std::move(layer)));
}

void setKey(LayerTrack& track, int frame, const Eigen::VectorXd& step) {
  const auto at = std::ranges::lower_bound(track.frames, frame);
  const auto first = (at - track.frames.begin()) * step.size();
  if (at == track.frames.end() || *at != frame) {
    if (!track.eases.empty()) track.eases.insert(track.eases.begin() + (at - track.frames.begin()), Ease());
    track.frames.insert(at, frame);
    track.steps.insert(track.steps.begin() + first, step.begin(), step.end());
  } else {
    std::copy(step.begin(), step.end(), track.steps.begin() + first);
  }
}

/// The track of a joint, which is added if it is missing.
LayerTrack& trackOf(std::vector<LayerTrack>& tracks, int joint) {
  const auto track = std::ranges::lower_bound(tracks, joint, {}, &LayerTrack::joint);
  if (track != tracks.end() && track->joint == joint) return *track;
  return *tracks.insert(track, LayerTrack{.joint = joint, .frames = {}, .steps = {}});
}

Ease easeAt(const LayerTrack& track, int frame) {
  const auto key = static_cast<std::size_t>(std::ranges::lower_bound(track.frames, frame) - track.frames.begin());
  return key < track.eases.size() ? track.eases[key] : Ease();
}

/// The track must have a key at the frame.
void setEaseAt(LayerTrack& track, int frame, const Ease& ease) {
  if (track.eases.empty() && ease == Ease()) return;
  track.eases.resize(track.frames.size());
  track.eases[std::ranges::lower_bound(track.frames, frame) - track.frames.begin()] = ease;
}

bool removeKey(LayerTrack& track, int frame) {
  const auto at = std::ranges::lower_bound(track.frames, frame);
  if (at == track.frames.end() || *at != frame) return false;
  const auto size = std::ssize(track.steps) / std::ssize(track.frames);
  const auto first = track.steps.begin() + (at - track.frames.begin()) * size;
  track.steps.erase(first, first + size);
  if (!track.eases.empty()) track.eases.erase(track.eases.begin() + (at - track.frames.begin()));
  track.frames.erase(at);
  return true;
}

}  // namespace

bool MotionLayer::hasKey(int frame) const {
  return std::ranges::any_of(tracks,
                             [&](const LayerTrack& track) { return std::ranges::binary_search(track.frames, frame); });
}

std::vector<int> MotionLayer::frames() const {
  std::set<int> all;
  for (const LayerTrack& track : tracks) all.insert(track.frames.begin(), track.frames.end());
  return {all.begin(), all.end()};
}

void applyLayer(const Figure& figure, const MotionLayer& layer, int frame, double frameTime, Pose& pose) {
  const double fadeFrames = layer.fade / frameTime;
  Eigen::VectorXd step = Eigen::VectorXd::Zero(figure.stepSize());
  std::vector<int> between;  // at keys, poses stay as they were made, within limits that may be the document's own
  for (const LayerTrack& track : layer.tracks) {
    const Joint& joint = figure.joint(track.joint);
    const int size = stepSize(joint.type);
    step.segment(joint.stepIndex, size) = stepAt(track, size, frame, fadeFrames);
    if (!std::ranges::binary_search(track.frames, frame)) between.push_back(track.joint);
  }
  if (step.isZero(0.0)) return;
  const Pose beneath = pose;
  integrate(figure, beneath, step, pose);
  for (const int joint : between) keepInside(figure, joint, beneath, pose);
}

bool hasFrames(const Document& document) { return document.motion && document.motion->frameCount > 1; }

bool isUnkeyed(const Document& document) {
  if (!hasFrames(document)) return false;
  Eigen::VectorXd step;
  difference(*document.figure, document.motion->poseAt(*document.figure, document.frame), document.pose, step);
  return step.size() > 0 && step.cwiseAbs().maxCoeff() > kSamePose;
}

bool keyLayer(Document& document, const std::vector<int>& also) {
  if (!hasFrames(document)) return false;
  const Figure& figure = *document.figure;
  const Motion& beneath = document.motion->bare();
  Eigen::VectorXd fromBeneath, fromShown;
  difference(figure, beneath.poseAt(figure, document.frame), document.pose, fromBeneath);
  difference(figure, document.motion->poseAt(figure, document.frame), document.pose, fromShown);
  MotionLayer layer = document.motion->layer;
  bool isKeyed = false;
  for (int joint = 0; joint < figure.linkCount(); ++joint) {
    const int first = figure.joint(joint).stepIndex, size = stepSize(figure.joint(joint).type);
    if (size == 0) continue;
    const bool isMoved = fromShown.segment(first, size).cwiseAbs().maxCoeff() > kSamePose;
    if (!isMoved && std::ranges::find(also, joint) == also.end()) continue;
    setKey(trackOf(layer.tracks, joint), document.frame, fromBeneath.segment(first, size));
    isKeyed = true;
  }
  if (!isKeyed) return false;
  setLayer(document, std::move(layer));
  document.pose = document.motion->poseAt(figure, document.frame);
  return true;
}

bool keyLayerAt(Document& document, int frame, int joint, const Pose& pose) {
  if (!hasFrames(document)) return false;
  const Figure& figure = *document.figure;
  MotionLayer layer = document.motion->layer;
  const auto track = std::ranges::find(layer.tracks, joint, &LayerTrack::joint);
  if (track == layer.tracks.end() || !std::ranges::binary_search(track->frames, frame)) return false;
  Eigen::VectorXd step;
  difference(figure, document.motion->bare().poseAt(figure, frame), pose, step);
  setKey(*track, frame, step.segment(figure.joint(joint).stepIndex, stepSize(figure.joint(joint).type)));
  setLayer(document, std::move(layer));
  return true;
}

namespace {

/// Removes the keys at a frame; of `joints`, or of all joints if that is empty. False if there are none.
bool removeKeys(Document& document, int frame, const std::vector<int>& joints) {
  if (!hasFrames(document)) return false;
  MotionLayer layer = document.motion->layer;
  bool isRemoved = false;
  for (LayerTrack& track : layer.tracks)
    if (joints.empty() || std::ranges::find(joints, track.joint) != joints.end())
      isRemoved = removeKey(track, frame) || isRemoved;
  if (!isRemoved) return false;
  std::erase_if(layer.tracks, [](const LayerTrack& track) { return track.frames.empty(); });
  setLayer(document, std::move(layer));
  showFrame(document, document.frame);
  return true;
}

}  // namespace

bool removeLayerKeys(Document& document, const std::vector<int>& joints) {
  return removeKeys(document, document.frame, joints);
}

bool removeLayerKeysAt(Document& document, int frame) { return removeKeys(document, frame, {}); }

bool moveLayerKeys(Document& document, int from, int to) {
  if (!hasFrames(document) || !document.motion->layer.hasKey(from)) return false;
  to = std::clamp(to, 0, document.motion->frameCount - 1);
  const bool wasUnkeyed = isUnkeyed(document);
  const Figure& figure = *document.figure;
  const Pose beneath = document.motion->bare().poseAt(figure, to);
  MotionLayer layer = document.motion->layer;
  for (LayerTrack& track : layer.tracks) {
    const auto at = std::ranges::lower_bound(track.frames, from);
    if (at == track.frames.end() || *at != from) continue;
    const int first = figure.joint(track.joint).stepIndex, size = stepSize(figure.joint(track.joint).type);
    Eigen::VectorXd step = Eigen::VectorXd::Zero(figure.stepSize());
    step.segment(first, size) = Eigen::VectorXd::Map(track.steps.data() + (at - track.frames.begin()) * size, size);
    Pose pose;
    integrate(figure, beneath, step, pose);
    keepInside(figure, track.joint, beneath, pose);  // the motion differs there
    difference(figure, beneath, pose, step);
    const Ease ease = easeAt(track, from);
    removeKey(track, from);
    setKey(track, to, step.segment(first, size));
    setEaseAt(track, to, ease);
  }
  setLayer(document, std::move(layer));
  if (!wasUnkeyed) showFrame(document, document.frame);
  return true;
}

std::optional<Ease> layerEase(const Document& document, int frame, int joint) {
  if (!hasFrames(document)) return std::nullopt;
  for (const LayerTrack& track : document.motion->layer.tracks)
    if ((joint < 0 || track.joint == joint) && std::ranges::binary_search(track.frames, frame))
      return easeAt(track, frame);
  return std::nullopt;
}

bool setLayerEase(Document& document, int frame, const Ease& ease, int joint) {
  if (!layerEase(document, frame, joint)) return false;
  const bool wasUnkeyed = isUnkeyed(document);
  MotionLayer layer = document.motion->layer;
  for (LayerTrack& track : layer.tracks)
    if ((joint < 0 || track.joint == joint) && std::ranges::binary_search(track.frames, frame))
      setEaseAt(track, frame, ease);
  setLayer(document, std::move(layer));
  if (!wasUnkeyed) showFrame(document, document.frame);
  return true;
}

void setFade(Document& document, double seconds) {
  if (!document.motion || document.motion->layer.isEmpty()) return;
  MotionLayer layer = document.motion->layer;
  layer.fade = std::clamp(seconds, 0.0, kMaxFade);
  const bool wasUnkeyed = isUnkeyed(document);
  setLayer(document, std::move(layer));
  if (!wasUnkeyed) showFrame(document, document.frame);
}

}  // namespace limber
