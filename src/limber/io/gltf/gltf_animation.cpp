// SPDX-License-Identifier: MIT
#include "limber/io/gltf/gltf_parts.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace limber::io {

namespace {

constexpr std::size_t kMaxNumbers = std::size_t{1} << 24;  // of all keys: 128 MB
constexpr double kLongest = 24 * 3600.0;                   // seconds
constexpr double kStill = 1e-6;     // relative to the figure's size: smaller translations are ignored
constexpr double kEvenTime = 0.02;  // in frames: keys nearer than this to a frame are on it
constexpr double kSameKey = 1e-3;   // seconds: keys nearer to each other are ignored for the rate
constexpr double kDefaultRate = 30.0, kSlowest = 10.0, kFastest = 240.0;  // frames a second

std::size_t valuesPerKey(const Track& keys) { return keys.interpolation == Interpolation::Cubic ? 3 : 1; }

/// The k-th row of numbers of a track.
double* rowOf(Track& keys, std::size_t k) { return keys.values.data() + k * keys.size(); }

class AnimationReader {
 public:
  AnimationReader(const GltfFile& file, const GltfNodes& nodes)
      : file_(file), nodes_(nodes), signals_(readVrmHumanoid(file).signals) {
    for (const GltfNode& node : nodes.nodes)
      if (node.isInScene) reach_ = std::max(reach_, node.worldFromNode.translation().norm());
  }

  std::vector<GltfClip> read() {
    std::vector<GltfClip> clips;
    for (const JsonValue& animation : file_.list("animations")) {
      GltfClip clip;
      if (const auto name = animation.find("name")) clip.name = name->text();
      clip.frameTime = markedFrameTime(animation);
      const std::vector<JsonValue> samplers = animation.at("samplers").elements();
      for (const JsonValue& channel : animation.at("channels").elements()) readChannel(channel, samplers, clip);
      clips.push_back(std::move(clip));
    }
    return clips;
  }

 private:
  static std::optional<double> markedFrameTime(const JsonValue& animation) {
    const auto mark = gltfMark(animation);
    const auto time = mark ? mark->find("frame_time") : std::nullopt;
    return time && time->isNumber() && time->number() > 0.0 ? std::optional(time->number()) : std::nullopt;
  }

  void readChannel(const JsonValue& channel, const std::vector<JsonValue>& samplers, GltfClip& clip) {
    const JsonValue target = channel.at("target");
    const int node = file_.indexOf(target, "node", "nodes");
    const std::string& path = target.at("path").text();
    const JsonValue which = channel.at("sampler");
    const int sampler = which.integerIn(0, 2'147'483'647);
    if (sampler >= std::ssize(samplers))
      which.fail("is " + std::to_string(sampler) + ", but the animation has " + std::to_string(samplers.size()) +
                 " samplers");
    if (path == "weights") return file_.note("Animated morph weights are left out.");
    if (node < 0 || !nodes_[node].isInScene) return;
    if (signals_.contains(node))
      return file_.note("Animated expressions and gazes are not shown; a VRM animation that is written keeps them.");
    if (path == "scale") return noteScale(node, samplers[sampler]);
    if (path != "rotation" && path != "translation") return;  // extensions
    GltfChannel out{node, readKeys(samplers[sampler], path == "rotation")};
    if (out.keys.times.empty()) return;
    if (out.keys.isRotation) checkRotations(out.keys, samplers[sampler]);
    if (out.keys.isRotation || moves(out)) clip.channels.push_back(std::move(out));
  }

  Track readKeys(const JsonValue& sampler, bool isRotation) {
    Track out{.isRotation = isRotation, .interpolation = interpolationOf(sampler)};
    const JsonValue input = sampler.at("input"), output = sampler.at("output");
    const int times = file_.index(input, "accessors"), values = file_.index(output, "accessors");
    std::string why;
    if (file_.isCompressed(times, why) || file_.isCompressed(values, why)) {
      file_.note("An animation is compressed (" + why + "), which is not read: it is left out.");
      return out;
    }
    const std::vector<float> seconds = file_.floats(times, "SCALAR");
    if (seconds.empty()) return out;
    if (!std::ranges::is_sorted(seconds)) input.fail("its times are not ascending");
    if (static_cast<double>(seconds.back()) > kLongest) {
      file_.note("An animation lasts longer than a day: it is left out.");
      return out;
    }
    const std::vector<float> numbers = file_.floats(values, isRotation ? "VEC4" : "VEC3");
    const std::size_t expected = seconds.size() * valuesPerKey(out) * out.size();
    if (numbers.size() != expected)
      output.fail("holds " + std::to_string(numbers.size()) + " numbers where its times need " +
                  std::to_string(expected));
    numbers_ += numbers.size();
    if (numbers_ > kMaxNumbers) output.fail("has more than 16 million animation values");
    out.times.assign(seconds.begin(), seconds.end());
    out.values.assign(numbers.begin(), numbers.end());
    return out;
  }

  static Interpolation interpolationOf(const JsonValue& sampler) {
    const auto name = sampler.find("interpolation");
    if (!name || name->text() == "LINEAR") return Interpolation::Linear;
    if (name->text() == "STEP") return Interpolation::Step;
    if (name->text() == "CUBICSPLINE") return Interpolation::Cubic;
    name->fail(inQuotes(name->text()) + " is not an interpolation (LINEAR, STEP, CUBICSPLINE)");
  }

  static void checkRotations(Track& keys, const JsonValue& sampler) {
    const bool isCubic = keys.interpolation == Interpolation::Cubic;
    for (std::size_t k = 0; k < keys.times.size(); ++k)
      if (Eigen::Vector4d::Map(rowOf(keys, isCubic ? 3 * k + 1 : k)).norm() < 0.5)
        sampler.at("output").fail("its key " + std::to_string(k) + " is not a rotation");
  }

  /// True when a translation ever differs from the node's rest.
  bool moves(GltfChannel& channel) const {
    const double still = kStill * std::max(reach_, 1e-12);
    const std::size_t perKey = valuesPerKey(channel.keys);
    for (std::size_t k = 0; k < channel.keys.times.size() * perKey; ++k) {
      const bool isTangent = perKey == 3 && k % 3 != 1;
      const Eigen::Vector3d rest = isTangent ? Eigen::Vector3d::Zero().eval() : nodes_[channel.node].translation;
      if ((Eigen::Vector3d::Map(rowOf(channel.keys, k)) - rest).norm() > still) return true;
    }
    return false;
  }

  void noteScale(int node, const JsonValue& sampler) {
    const Track keys = readKeys(sampler, false);
    const auto scale = file_.list("nodes")[node].find("scale");
    const Eigen::Vector3d rest = scale ? scale->vector3() : Eigen::Vector3d::Ones().eval();
    for (std::size_t i = 0; i < keys.values.size(); ++i)
      if (std::abs(keys.values[i] - rest[i % 3]) > 1e-4 * rest.cwiseAbs().maxCoeff())
        return file_.note("Animated scales are left out.");
  }

  const GltfFile& file_;
  const GltfNodes& nodes_;
  const std::set<int> signals_;
  double reach_ = 0.0;  ///< largest distance of the figure from the origin, file units
  std::size_t numbers_ = 0;
};

void turnIntoJoint(const GltfNode& node, Track& keys) {
  const Eigen::Quaterniond mirror(node.mirror);
  const Eigen::Quaterniond left = mirror.conjugate() * node.rotation.conjugate();
  for (std::size_t k = 0; k < keys.times.size() * valuesPerKey(keys); ++k) {
    Eigen::Map<Eigen::Quaterniond> q(rowOf(keys, k));
    q = Eigen::Quaterniond(left * Eigen::Quaterniond(q) * mirror);
  }
}

void shiftIntoJoint(const GltfNodes& nodes, const GltfNode& node, double metres, Track& keys) {
  Eigen::Matrix3d jointFromNode = metres * (node.rotation.toRotationMatrix() * node.mirror).transpose();
  if (node.parent >= 0) {
    const GltfNode& parent = nodes[node.parent];
    jointFromNode = jointFromNode * parent.worldFromLink.transpose() * parent.worldFromNode.linear();
  }
  const std::size_t perKey = valuesPerKey(keys);
  for (std::size_t k = 0; k < keys.times.size() * perKey; ++k) {
    Eigen::Map<Eigen::Vector3d> value(rowOf(keys, k));
    const bool isTangent = perKey == 3 && k % 3 != 1;
    value = (jointFromNode * (isTangent ? Eigen::Vector3d(value) : Eigen::Vector3d(value - node.translation))).eval();
  }
}

/// True when all keys are on frames.
bool areOnFrames(const std::vector<Track>& tracks, double frameTime) {
  for (const Track& track : tracks)
    for (const double time : track.times)
      if (!(std::abs(time / frameTime - std::round(time / frameTime)) <= kEvenTime)) return false;
  return true;
}

/// Moves keys onto a frame if they are off it only by the rounding of a float. Otherwise the frame's pose, interpolated
/// between two keys that are far apart, would differ from that of the key.
void putOnFrames(double frameTime, std::vector<Track>& tracks) {
  constexpr double kRounding = 1.0 / (1 << 23);
  for (Track& track : tracks)
    for (double& time : track.times)
      if (const double onFrame = frameTime * std::round(time / frameTime); std::abs(time - onFrame) <= kRounding * time)
        time = onFrame;
}

/// The shortest time above kSameKey between successive keys of a track; 1e300 without such a time.
double leastGapOf(const Track& track) {
  double least = 1e300;
  for (std::size_t k = 1; k < track.times.size(); ++k)
    if (const double gap = track.times[k] - track.times[k - 1]; gap > kSameKey) least = std::min(least, gap);
  return least;
}

/// Refines the frame time by the track's keys: a later key is more frames away from 0 and so determines it better. Of
/// the numbers within the rounding of a float, the shortest decimal is returned.
double refinedFrameTime(const Track& track, double frameTime) {
  double frames = 0.0;
  for (const double time : track.times)
    if (const double count = std::round(time / frameTime); count > frames) {
      frames = count;
      frameTime = time / count;
    }
  constexpr double kRounding = 1.0 / (1 << 24);  // of a float, relative
  for (int digits = 1; digits < 9; ++digits) {
    const double unit = std::pow(10.0, digits - 1 - std::floor(std::log10(frameTime)));
    const double decimal = std::round(frameTime * unit) / unit;
    if (std::abs(decimal - frameTime) <= kRounding * frameTime) return decimal;
  }
  return frameTime;
}

/// The frame time that puts all keys on frames: that of a whole rate, else that of the densest track. 30 frames a
/// second if neither does.
double guessFrameTime(const std::vector<Track>& tracks) {
  const auto densest = std::ranges::min_element(tracks, {}, leastGapOf);
  const double rate = densest == tracks.end() ? 0.0 : std::round(1.0 / leastGapOf(*densest));
  if (rate < kSlowest || rate > kFastest) return 1.0 / kDefaultRate;
  for (const double frameTime : {1.0 / rate, refinedFrameTime(*densest, leastGapOf(*densest))})
    if (areOnFrames(tracks, frameTime)) return frameTime;
  return 1.0 / kDefaultRate;
}

}  // namespace

std::vector<GltfClip> readGltfAnimations(const GltfFile& file, const GltfNodes& nodes) {
  return AnimationReader(file, nodes).read();
}

Motion motionOf(const GltfClip& clip, const GltfNodes& nodes, const std::vector<int>& linkOfNode, double metres) {
  Motion out{.name = clip.name};
  double end = 0.0;
  for (const GltfChannel& channel : clip.channels) {
    const GltfNode& node = nodes[channel.node];
    Track track = channel.keys;
    track.joint = linkOfNode[channel.node];
    if (track.isRotation) turnIntoJoint(node, track);
    else shiftIntoJoint(nodes, node, metres, track);
    end = std::max(end, track.times.back());
    out.tracks.push_back(std::move(track));
  }
  const bool isMarked = clip.frameTime && end / *clip.frameTime <= kLongest * kFastest;
  out.frameTime = isMarked && areOnFrames(out.tracks, *clip.frameTime) ? *clip.frameTime : guessFrameTime(out.tracks);
  putOnFrames(out.frameTime, out.tracks);
  out.frameCount = 1 + static_cast<int>(std::floor(end / out.frameTime + kEvenTime));
  return out;
}

NodePlace placeOfNode(const Figure& figure, const Pose& pose, int joint, const GltfNodes& nodes, int index) {
  const GltfNode& node = nodes[index];
  const Joint& j = figure.joint(joint);
  const Eigen::Matrix3d rotation = node.rotation.toRotationMatrix();
  const bool turns = j.type == JointType::Ball || j.type == JointType::Free;
  NodePlace place{rotation, node.translation};
  if (turns)
    place.rotation = rotation * node.mirror * jointRotation(figure, pose, joint).toRotationMatrix() * node.mirror;
  if (j.type != JointType::Free) return place;
  Eigen::Matrix3d parentLinkFromParentNode = Eigen::Matrix3d::Identity();
  if (node.parent >= 0)
    parentLinkFromParentNode = nodes[node.parent].worldFromLink.transpose() * nodes[node.parent].worldFromNode.linear();
  const Eigen::FullPivLU<Eigen::Matrix3d> solver(parentLinkFromParentNode);
  const Eigen::Vector3d shift = rotation * node.mirror * pose.coordinates.segment<3>(j.poseIndex);
  if (solver.isInvertible())  // below a node scaled to zero, translations have no effect
    place.translation += solver.solve(shift) / figure.fileFrame().metresPerUnit;
  return place;
}

}  // namespace limber::io
