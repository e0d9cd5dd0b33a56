// SPDX-License-Identifier: MIT
#include "limber/io/json/scene_parts.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "limber/io/json/pose_json.h"

namespace limber::io {

namespace {

constexpr double kMostZero = 1e12;  // file units, as of an OFFSET
constexpr std::array<std::string_view, 6> kChannelNames = {"Xposition", "Yposition", "Zposition",
                                                           "Xrotation", "Yrotation", "Zrotation"};

ChannelType readChannelType(const JsonValue& value) {
  for (std::size_t i = 0; i < kChannelNames.size(); ++i)
    if (value.text() == kChannelNames[i]) return static_cast<ChannelType>(i);
  value.fail(inQuotes(value.text()) + " is not a channel (Xposition ... Zrotation)");
}

std::vector<Channel> readChannels(const JsonValue& value, const Figure& figure) {
  std::unordered_map<std::string, int> joints;
  for (int i = 0; i < figure.linkCount(); ++i) joints.emplace(figure.joint(i).name, i);
  std::vector<Channel> channels;
  for (const JsonValue& pair : value.elements()) {
    const std::vector<JsonValue> parts = pair.elements();
    if (parts.size() != 2 && parts.size() != 3) pair.fail("must be [joint, channel] or [joint, channel, zero]");
    const auto found = joints.find(parts[0].text());
    if (found == joints.end()) parts[0].fail(std::string("the figure has no joint ") + inQuotes(parts[0].text()));
    Channel channel{found->second, readChannelType(parts[1])};
    if (parts.size() == 3) channel.zero = parts[2].numberIn(-kMostZero, kMostZero);
    if (channel.type > ChannelType::ZPosition && !hasRotation(figure.joint(channel.joint)))
      pair.fail("only ball and free joints have rotation channels");
    channels.push_back(channel);
  }
  return channels;
}

constexpr int kMaxFrames = 100'000'000;
constexpr std::array<std::string_view, 3> kInterpolations = {"step", "linear", "cubic"};

Interpolation readInterpolation(const JsonValue& value) {
  for (std::size_t i = 0; i < kInterpolations.size(); ++i)
    if (value.text() == kInterpolations[i]) return static_cast<Interpolation>(i);
  value.fail(inQuotes(value.text()) + " is not an interpolation (step, linear, cubic)");
}

Track readTrack(const JsonValue& value, const Figure& figure) {
  value.allowOnly("joint moves interpolation times values");
  Track track;
  const std::string& moves = value.at("moves").text();
  track.isRotation = moves == "rotation";
  if (!track.isRotation && moves != "translation") value.at("moves").fail("must be \"rotation\" or \"translation\"");
  track.joint = jointFromJson(value.at("joint"), figure);
  const Joint& joint = figure.joint(track.joint);
  if (track.isRotation ? !hasRotation(joint) : joint.type != JointType::Free)
    value.at("joint").fail("only ball and free joints turn by keys, only free ones shift");
  track.interpolation = readInterpolation(value.at("interpolation"));
  track.times = value.at("times").numbers();
  if (track.times.empty() || !std::ranges::is_sorted(track.times))
    value.at("times").fail("must rise, and hold one at least");
  const std::size_t values = track.interpolation == Interpolation::Cubic ? 3 : 1;
  track.values = value.at("values").numbers(values * track.size() * track.times.size());
  return track;
}

OrderedJson trackToJson(const Track& track, const Figure& figure) {
  OrderedJson out;
  out["joint"] = figure.joint(track.joint).name;
  out["moves"] = track.isRotation ? "rotation" : "translation";
  out["interpolation"] = kInterpolations[static_cast<std::size_t>(track.interpolation)];
  out["times"] = toJson(track.times);
  out["values"] = toJson(track.values);
  return out;
}

std::shared_ptr<const Motion> keyedMotionFromJson(const JsonValue& value, const Figure& figure) {
  value.allowOnly("name frame_time frame_count tracks");
  auto motion = std::make_shared<Motion>();
  motion->name = value.at("name").text();
  motion->frameTime = value.at("frame_time").numberIn(0.0, 1e6);
  motion->frameCount = value.at("frame_count").integerIn(0, kMaxFrames);
  for (const JsonValue& track : value.at("tracks").elements()) motion->tracks.push_back(readTrack(track, figure));
  return motion;
}

constexpr std::array<const char*, 2> kStancePoints = {"heel", "ball"};

Stance readStance(const JsonValue& value, int frameCount) {
  value.allowOnly("side point begin end");
  Stance stance;
  const std::string &side = value.at("side").text(), &point = value.at("point").text();
  if (side != "left" && side != "right") value.at("side").fail("must be left or right");
  stance.side = side == "left" ? BodySide::Left : BodySide::Right;
  if (std::ranges::count(kStancePoints, point) == 0) value.at("point").fail("must be heel or ball");
  stance.point = point == kStancePoints[0] ? StancePoint::Heel : StancePoint::Ball;
  stance.begin = value.at("begin").integerIn(0, frameCount - 1);
  stance.end = value.at("end").integerIn(stance.begin, frameCount - 1);
  return stance;
}

OrderedJson stanceToJson(const Stance& stance) {
  return {{"side", stance.side == BodySide::Left ? "left" : "right"},
          {"point", kStancePoints[static_cast<std::size_t>(stance.point)]},
          {"begin", stance.begin},
          {"end", stance.end}};
}

/// The stances of a motion, and the motion before they were held.
void readStances(const JsonValue& value, const Figure& figure, Motion& motion) {
  for (const JsonValue& stance : value.at("stances").elements())
    motion.stances.push_back(readStance(stance, motion.frameCount));
  const JsonValue unheld = value.at("unheld");
  if (unheld.find("over") || unheld.find("stances")) unheld.fail("must be a motion without keys and stances");
  motion.unheld = motionFromJson(unheld, figure);
  if (motion.unheld->frameCount != motion.frameCount) unheld.fail("must have as many frames as the motion");
}

std::shared_ptr<const Motion> posedMotionFromJson(const JsonValue& value, const Figure& figure) {
  value.allowOnly("name frame_time poses baked stances unheld");
  auto motion = std::make_shared<Motion>();
  motion->name = value.at("name").text();
  motion->frameTime = value.at("frame_time").numberIn(0.0, 1e6);
  if (const auto baked = value.find("baked")) motion->isBaked = baked->boolean();
  const std::vector<JsonValue> rows = value.at("poses").elements();
  motion->poses.reserve(rows.size() * figure.poseSize());
  for (const JsonValue& row : rows) motion->append(poseFromCoordinates(row, figure));
  if (value.find("stances")) readStances(value, figure, *motion);
  return motion;
}

OrderedJson posedMotionToJson(const Motion& motion, const Figure& figure) {
  OrderedJson out;
  out["name"] = motion.name;
  out["frame_time"] = toJson(motion.frameTime);
  if (motion.isBaked) out["baked"] = true;
  out["poses"] = OrderedJson::array();
  for (int i = 0; i < motion.frameCount; ++i) out["poses"].push_back(toJson(motion.poseAt(figure, i).coordinates));
  if (!motion.unheld) return out;
  out["stances"] = OrderedJson::array();
  for (const Stance& stance : motion.stances) out["stances"].push_back(stanceToJson(stance));
  out["unheld"] = motionToJson(*motion.unheld, figure);
  return out;
}

LayerTrack readLayerTrack(const JsonValue& value, const Figure& figure, int frameCount) {
  value.allowOnly("joint frames steps eases");
  LayerTrack track;
  track.joint = jointFromJson(value.at("joint"), figure);
  const int size = stepSize(figure.joint(track.joint).type);
  if (size == 0) value.at("joint").fail("the joint does not move");
  for (const JsonValue& frame : value.at("frames").elements()) {
    track.frames.push_back(frame.integerIn(0, frameCount - 1));
    if (track.frames.size() > 1 && track.frames.back() <= *(track.frames.end() - 2)) frame.fail("must rise");
  }
  if (track.frames.empty()) value.at("frames").fail("must hold one at least");
  track.steps = value.at("steps").numbers(size * track.frames.size());
  if (const auto eases = value.find("eases")) {
    for (const JsonValue& ease : eases->elements()) track.eases.push_back(ease.isNull() ? Ease() : easeFromJson(ease));
    if (track.eases.size() != track.frames.size()) eases->fail("must have one entry per frame");
  }
  return track;
}

/// A layer and the motion beneath it.
std::shared_ptr<const Motion> layeredMotionFromJson(const JsonValue& value, const Figure& figure) {
  value.allowOnly("over fade keys");
  if (value.at("over").find("over")) value.at("over").fail("a layer lies over a motion, not over another layer");
  const auto beneath = motionFromJson(value.at("over"), figure);
  MotionLayer layer;
  layer.fade = value.at("fade").numberIn(0.0, kMaxFade);
  for (const JsonValue& keys : value.at("keys").elements()) {
    layer.tracks.push_back(readLayerTrack(keys, figure, beneath->frameCount));
    const auto& tracks = layer.tracks;
    if (std::ranges::count(tracks, tracks.back().joint, &LayerTrack::joint) > 1)
      keys.at("joint").fail("has keys already");
  }
  std::ranges::sort(layer.tracks, {}, &LayerTrack::joint);
  return withLayer(beneath, std::move(layer));
}

OrderedJson layeredMotionToJson(const Motion& motion, const Figure& figure) {
  OrderedJson out;
  out["over"] = motionToJson(*motion.beneath, figure);
  out["fade"] = toJson(motion.layer.fade);
  out["keys"] = OrderedJson::array();
  for (const LayerTrack& track : motion.layer.tracks) {
    OrderedJson keys = {
        {"joint", figure.joint(track.joint).name}, {"frames", track.frames}, {"steps", toJson(track.steps)}};
    for (const Ease& ease : track.eases)
      keys["eases"].push_back(ease.kind == Ease::Kind::Blend ? OrderedJson() : easeToJson(ease));
    out["keys"].push_back(std::move(keys));
  }
  return out;
}

}  // namespace

std::shared_ptr<const Motion> motionFromJson(const JsonValue& value, const Figure& figure) {
  if (value.find("over")) return layeredMotionFromJson(value, figure);
  if (value.find("poses")) return posedMotionFromJson(value, figure);
  if (value.find("tracks")) return keyedMotionFromJson(value, figure);
  value.allowOnly("frame_time channels frames");
  auto motion = std::make_shared<Motion>();
  motion->frameTime = value.at("frame_time").numberIn(0.0, 1e6);
  motion->channels = readChannels(value.at("channels"), figure);
  const std::vector<JsonValue> rows = value.at("frames").elements();
  motion->frameCount = static_cast<int>(rows.size());
  motion->values.reserve(rows.size() * motion->channels.size());
  for (const JsonValue& row : rows) {
    const std::vector<double> numbers = row.numbers(motion->channels.size());
    motion->values.insert(motion->values.end(), numbers.begin(), numbers.end());
  }
  return motion;
}

OrderedJson motionToJson(const Motion& motion, const Figure& figure) {
  if (motion.beneath) return layeredMotionToJson(motion, figure);
  if (!motion.poses.empty()) return posedMotionToJson(motion, figure);
  OrderedJson out;
  if (!motion.tracks.empty() || motion.channels.empty()) {
    out["name"] = motion.name;
    out["frame_time"] = toJson(motion.frameTime);
    out["frame_count"] = motion.frameCount;
    out["tracks"] = OrderedJson::array();
    for (const Track& track : motion.tracks) out["tracks"].push_back(trackToJson(track, figure));
    return out;
  }
  out["frame_time"] = toJson(motion.frameTime);
  out["channels"] = OrderedJson::array();
  for (const Channel& channel : motion.channels) {
    out["channels"].push_back(
        {figure.joint(channel.joint).name, kChannelNames[static_cast<std::size_t>(channel.type)]});
    if (channel.zero != 0.0) out["channels"].back().push_back(toJson(channel.zero));
  }
  out["frames"] = OrderedJson::array();
  const auto columns = static_cast<Eigen::Index>(motion.channels.size());
  for (int i = 0; i < motion.frameCount; ++i)
    out["frames"].push_back(toJson(Eigen::VectorXd::Map(motion.values.data() + i * columns, columns)));
  return out;
}

}  // namespace limber::io
