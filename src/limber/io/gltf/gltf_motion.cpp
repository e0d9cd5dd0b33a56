// SPDX-License-Identifier: MIT
#include "limber/io/gltf/gltf_parts.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

namespace limber::io {

namespace {

constexpr double kUnmoved = 1e-9;                                 // smaller differences of coordinates are not edits
constexpr double kSameTime = 0.02;                                // in frames
constexpr double kSheared = 1e-5;                                 // relative to the scale
constexpr std::size_t kMaxWrittenNumbers = std::size_t{1} << 24;  // the limit of the reader

/// The nearest floats at or below, and at or above a time.
float floatBelow(double time) {
  const auto near = static_cast<float>(time);
  return static_cast<double>(near) <= time ? near : std::nextafter(near, 0.0f);
}
float floatAbove(double time) {
  const auto near = static_cast<float>(time);
  return static_cast<double>(near) >= time ? near : std::nextafter(near, std::numeric_limits<float>::infinity());
}

/// The keys to write for a node's rotation or translation.
struct Keys {
  int node = 0;
  bool isRotation = true;
  bool isStepped = false;
  std::map<float, Eigen::Vector4f> values;  ///< x y z w, or x y z 0, by time
};

Eigen::Vector4f valueOf(const NodePlace& place, bool isRotation) {
  if (isRotation) return Eigen::Quaterniond(place.rotation).normalized().coeffs().cast<float>();
  return (Eigen::Vector4d() << place.translation, 0.0).finished().cast<float>();
}

bool sameTrack(const Track& a, const Track& b) {
  return a.joint == b.joint && a.isRotation == b.isRotation && a.interpolation == b.interpolation &&
         a.times == b.times && a.values == b.values;
}

bool sameMotion(const Motion& a, const Motion& b) {
  return a.name == b.name && !a.beneath && a.channels.empty() && a.poses.empty() && a.frameCount == b.frameCount &&
         a.frameTime == b.frameTime && std::ranges::equal(a.tracks, b.tracks, sameTrack);
}

class MotionWriter {
 public:
  MotionWriter(const Document& document, const GltfFile& file, const GltfNodes& nodes, GltfAddition& addition)
      : document_(document), figure_(*document.figure), nodes_(nodes), addition_(addition),
        clips_(readGltfAnimations(file, nodes)) {
    std::vector<int> linkOfNode(nodes_.nodes.size(), -1);
    for (int link = 0; link < figure_.linkCount(); ++link)
      if (nodeOf(link) >= 0) linkOfNode[nodeOf(link)] = link;
    for (const GltfClip& clip : clips_)
      inFile_.push_back(motionOf(clip, nodes_, linkOfNode, figure_.fileFrame().metresPerUnit));
  }

  void write() {
    const auto motions = motionsOf(document_);
    for (std::size_t i = 0; i < motions.size(); ++i) {
      const auto clip = clipInFile(*motions[i], i);
      if (!clip) append(*motions[i]);
      else if (motions[i] == document_.motion) patch(*clip);
    }
  }

 private:
  int nodeOf(int joint) const { return document_.source->nodeOfLink[joint]; }
  static double timeOf(int frame, const Motion& motion) {
    return frame * (motion.frameTime > 0.0 ? motion.frameTime : Motion().frameTime);
  }

  /// The file's animation that equals the motion; of several equal ones, the last up to `place`, else the first.
  std::optional<std::size_t> clipInFile(const Motion& motion, std::size_t place) const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < inFile_.size() && (!found || i <= place); ++i)
      if (sameMotion(motion, inFile_[i])) found = i;
    return found;
  }

  /// The coordinates of a joint that a channel moves.
  auto coordinatesOf(const Pose& pose, int joint, bool isRotation) const {
    const Joint& j = figure_.joint(joint);
    const int first = j.poseIndex + (isRotation && j.type == JointType::Free ? 3 : 0);
    return pose.coordinates.segment(first, isRotation ? 4 : 3);
  }
  bool has(int joint, bool isRotation) const {
    const JointType type = figure_.joint(joint).type;
    return nodeOf(joint) >= 0 && (type == JointType::Free || (isRotation && type == JointType::Ball));
  }
  bool differ(const Pose& a, const Pose& b, int joint, bool isRotation) const {
    const Eigen::VectorXd one = coordinatesOf(a, joint, isRotation), other = coordinatesOf(b, joint, isRotation);
    const double apart = (one - other).cwiseAbs().maxCoeff();
    return (isRotation ? std::min(apart, (one + other).cwiseAbs().maxCoeff()) : apart) > kUnmoved;
  }

  Eigen::Vector4f valueIn(const Pose& pose, int joint, bool isRotation) const {
    return valueOf(placeOfNode(figure_, pose, joint, nodes_, nodeOf(joint)), isRotation);
  }

  // -- a motion of the file with one edited frame

  const Motion& own() const { return *document_.motion; }

  void patch(std::size_t clip) {
    const int frame = document_.frame;
    if (isUntouched(document_, frame)) return;
    const Pose before = own().poseAt(figure_, frame);
    std::vector<Keys> edited;
    for (int joint = 0; joint < figure_.linkCount(); ++joint)
      for (const bool isRotation : {true, false})
        if (has(joint, isRotation) && differ(before, document_.pose, joint, isRotation))
          edited.push_back(editedKeys(clips_[clip], joint, isRotation, frame));
    if (edited.empty()) return;
    OrderedJson animation = addition_.json["animations"][clip];
    for (const Keys& keys : edited) replaceChannel(keys, animation);
    addition_.json["animations"][clip] = std::move(animation);
  }

  /// The curve of the file, changed only within one frame of `frame`.
  Keys editedKeys(const GltfClip& clip, int joint, bool isRotation, int frame) const {
    const auto channel = std::ranges::find_if(clip.channels, [&](const GltfChannel& c) {
      return c.node == nodeOf(joint) && c.keys.isRotation == isRotation;
    });
    Keys keys{.node = nodeOf(joint), .isRotation = isRotation};
    const auto keep = [&](float time, int kept) {  // a key at a frame; `time` is rounded
      const double at = timeOf(kept, own());
      keys.values.try_emplace(time, valueIn(own().poseAtTime(figure_, at), joint, isRotation));
    };
    const bool isCubic = channel != clip.channels.end() && channel->keys.interpolation == Interpolation::Cubic;
    if (channel != clip.channels.end() && !isCubic) keepKeys(channel->keys, frame, keys);
    if (isCubic)
      for (int other = 0; other < own().frameCount; ++other)
        if (std::abs(other - frame) > 1) keep(static_cast<float>(timeOf(other, own())), other);
    // Times are rounded away from the edited frame, so that the neighbouring frames keep their poses.
    if (frame > 0 && !keys.isStepped) keep(floatAbove(timeOf(frame - 1, own())), frame - 1);
    if (frame + 1 < own().frameCount) keep(floatBelow(timeOf(frame + 1, own())), frame + 1);
    const float time = keys.isStepped ? floatBelow(timeOf(frame, own())) : static_cast<float>(timeOf(frame, own()));
    keys.values[time] = valueIn(document_.pose, joint, isRotation);
    return keys;
  }

  /// Copies the file's keys outside of the neighbourhood of the frame, bit for bit. A stepped key holds from its own
  /// time on.
  void keepKeys(const Track& track, int frame, Keys& keys) const {
    keys.isStepped = track.interpolation == Interpolation::Step;
    const double before =
        keys.isStepped ? timeOf(frame, own()) - kSameTime * own().frameTime : timeOf(frame - 1, own());
    for (std::size_t k = 0; k < track.times.size(); ++k) {
      if (track.times[k] > before && track.times[k] < timeOf(frame + 1, own())) continue;
      Eigen::Vector4d value = Eigen::Vector4d::Zero();
      std::copy_n(track.values.begin() + static_cast<std::ptrdiff_t>(k * track.size()), track.size(), value.begin());
      keys.values[static_cast<float>(track.times[k])] = value.cast<float>();
    }
  }

  // -- any other motion

  void append(const Motion& motion) {
    std::vector<Pose> poses;
    for (int frame = 0; frame < motion.frameCount; ++frame) poses.push_back(poseOfMotion(document_, motion, frame));
    const std::vector<Keys> all = keysOf(motion, poses);
    if (all.empty()) return;
    OrderedJson animation = markedAnimation(motion);
    animation["channels"] = animation["samplers"] = OrderedJson::array();
    for (const Keys& keys : all) replaceChannel(keys, animation);
    addition_.json["animations"].push_back(std::move(animation));
  }

  /// The keys of every joint that moves; of the first one if none does, so that the frames are kept.
  std::vector<Keys> keysOf(const Motion& motion, const std::vector<Pose>& poses) const {
    std::vector<Keys> all;
    const Pose rest = restPose(figure_);
    std::optional<int> first;
    std::size_t numbers = 0;
    const auto add = [&](int joint, bool isRotation) {
      numbers += poses.size() * (isRotation ? 4 : 3);
      if (numbers > kMaxWrittenNumbers) throw JsonFault{"", "the motion has more than 16 million animation values"};
      Keys& keys = all.emplace_back(Keys{.node = nodeOf(joint), .isRotation = isRotation});
      for (std::size_t frame = 0; frame < poses.size(); ++frame)
        keys.values[static_cast<float>(timeOf(static_cast<int>(frame), motion))] =
            valueIn(poses[frame], joint, isRotation);
    };
    for (int joint = 0; joint < figure_.linkCount(); ++joint)
      for (const bool isRotation : {true, false}) {
        if (!has(joint, isRotation)) continue;
        if (isRotation && !first) first = joint;
        if (std::ranges::any_of(poses, [&](const Pose& pose) { return differ(rest, pose, joint, isRotation); }))
          add(joint, isRotation);
      }
    if (all.empty() && first && !poses.empty()) add(*first, true);
    return all;
  }

  // -- writing the JSON

  /// Replaces the matrix of a node by translation, rotation and scale, as animation requires (glTF 2.0, 3.5.3).
  void splitMatrix(int index) {
    OrderedJson& value = addition_.json["nodes"][index];
    const auto matrix = value.find("matrix");
    if (matrix == value.end()) return;
    const GltfNode& node = nodes_[index];
    Eigen::Matrix4d local;
    for (int i = 0; i < 16; ++i) local(i) = (*matrix)[i].get<double>();
    const Eigen::Matrix3d scale = node.rotation.toRotationMatrix().transpose() * local.topLeftCorner<3, 3>();
    const Eigen::Matrix3d shear = scale - Eigen::Matrix3d(scale.diagonal().asDiagonal());
    if (shear.cwiseAbs().maxCoeff() > kSheared * scale.cwiseAbs().maxCoeff())
      throw JsonFault{"nodes[" + std::to_string(index) + "].matrix", "is sheared, so that the node cannot be animated"};
    value.erase(matrix);
    value["translation"] = toJson(node.translation);
    value["rotation"] = toJson(node.rotation.coeffs());
    value["scale"] = toJson(scale.diagonal());
  }

  void replaceChannel(const Keys& keys, OrderedJson& animation) {
    splitMatrix(keys.node);
    const char* path = keys.isRotation ? "rotation" : "translation";
    const std::size_t sampler = animation["samplers"].size();
    animation["samplers"].push_back(
        {{"input", times(keys)}, {"interpolation", keys.isStepped ? "STEP" : "LINEAR"}, {"output", values(keys)}});
    for (OrderedJson& channel : animation["channels"]) {
      const OrderedJson& target = channel["target"];
      if (target.value("node", -1) != keys.node || target.value("path", "") != path) continue;
      channel["sampler"] = sampler;
      return;
    }
    animation["channels"].push_back({{"sampler", sampler}, {"target", {{"node", keys.node}, {"path", path}}}});
  }

  int times(const Keys& keys) {
    std::vector<float> numbers;
    for (const auto& [time, value] : keys.values) numbers.push_back(time);
    if (const auto known = timesOf_.find(numbers); known != timesOf_.end()) return known->second;
    const int accessor = append(numbers, "SCALAR", 1);
    OrderedJson& json = addition_.json["accessors"].back();  // required for an input
    json["min"] = OrderedJson::array({numbers.front()});
    json["max"] = OrderedJson::array({numbers.back()});
    return timesOf_[numbers] = accessor;
  }

  /// Flips quaternions so that each is in the hemisphere of the one before.
  int values(const Keys& keys) {
    const std::size_t size = keys.isRotation ? 4 : 3;
    std::vector<float> numbers;
    Eigen::Vector4f last = Eigen::Vector4f::Zero();
    for (const auto& [time, value] : keys.values) {
      last = keys.isRotation && last.dot(value) < 0.0f ? Eigen::Vector4f(-value) : value;
      numbers.insert(numbers.end(), last.begin(), last.begin() + static_cast<std::ptrdiff_t>(size));
    }
    return append(numbers, keys.isRotation ? "VEC4" : "VEC3", size);
  }

  int append(const std::vector<float>& numbers, const char* type, std::size_t components) {
    OrderedJson& json = addition_.json;
    const std::size_t length = numbers.size() * sizeof(float), start = addition_.bytes.size();
    addition_.bytes.resize(start + length);
    std::memcpy(addition_.bytes.data() + start, numbers.data(), length);
    json["bufferViews"].push_back(
        {{"buffer", addition_.buffer}, {"byteOffset", addition_.start + start}, {"byteLength", length}});
    json["accessors"].push_back({{"bufferView", json["bufferViews"].size() - 1},
                                 {"componentType", 5126},
                                 {"count", numbers.size() / components},
                                 {"type", type}});
    return static_cast<int>(json["accessors"].size()) - 1;
  }

  const Document& document_;
  const Figure& figure_;
  const GltfNodes& nodes_;
  GltfAddition& addition_;
  const std::vector<GltfClip> clips_;
  std::vector<Motion> inFile_;                 ///< the motions of clips_
  std::map<std::vector<float>, int> timesOf_;  ///< the accessor of each written array of times
};

}  // namespace

OrderedJson markedAnimation(const Motion& motion) {
  OrderedJson out = OrderedJson::object();
  if (!motion.name.empty()) out["name"] = motion.name;
  out["extras"] = {{kGltfMark, {{"frame_time", toJson(motion.frameTime)}}}};
  return out;
}

void writeGltfMotion(const Document& document, const GltfFile& file, const GltfNodes& nodes, GltfAddition& addition) {
  MotionWriter(document, file, nodes, addition).write();
}

}  // namespace limber::io
