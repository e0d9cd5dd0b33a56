// SPDX-License-Identifier: MIT
#include "limber/io/json/scene_parts.h"

#include "limber/io/json/pose_json.h"

namespace limber::io {

namespace {

constexpr std::string_view blendName(Blend blend) { return blend == Blend::Linear ? "linear" : "smooth"; }
constexpr std::string_view curveName(TargetPath::Curve curve) {
  return curve == TargetPath::Curve::Bezier ? "bezier" : "catmull_rom";
}

double readSeconds(const JsonValue& value) { return value.numberIn(0.0, kMaxTimelineSeconds); }

GoalKey readGoalKey(const JsonValue& value) {
  value.allowOnly("goal target frame enabled");
  GoalKey key;
  key.goal = value.at("goal").integerIn(0, kLargestId);
  key.target = value.at("target").vector3();
  if (const auto frame = value.find("frame")) key.targetFrame = frame->rotation();
  if (const auto enabled = value.find("enabled")) key.enabled = enabled->boolean();
  return key;
}

TimelineKey readKey(const JsonValue& value, const Figure& figure) {
  value.allowOnly("time pose goals ease");
  TimelineKey key;
  key.time = readSeconds(value.at("time"));
  if (const auto pose = value.find("pose")) key.pose = poseFromCoordinates(*pose, figure);
  if (const auto goals = value.find("goals"))
    for (const JsonValue& goal : goals->elements()) key.goals.push_back(readGoalKey(goal));
  if (const auto ease = value.find("ease")) key.ease = easeFromJson(*ease);
  return key;
}

TargetPath readPath(const JsonValue& value) {
  value.allowOnly("goal curve points closed begin end enabled");
  TargetPath path;
  path.goal = value.at("goal").integerIn(0, kLargestId);
  if (const auto curve = value.find("curve"))
    path.curve = readWord(*curve, {TargetPath::Curve::CatmullRom, TargetPath::Curve::Bezier}, curveName);
  for (const JsonValue& point : value.at("points").elements()) path.points.push_back(point.vector3());
  if (const auto closed = value.find("closed")) path.isClosed = closed->boolean();
  path.begin = readSeconds(value.at("begin"));
  path.end = readSeconds(value.at("end"));
  if (const auto enabled = value.find("enabled")) path.enabled = enabled->boolean();
  return path;
}

OrderedJson goalKeyToJson(const GoalKey& key) {
  OrderedJson out = {{"goal", key.goal}, {"target", toJson(key.target)}};
  if (key.targetFrame != Eigen::Matrix3d::Identity()) out["frame"] = rotationToJson(key.targetFrame);
  if (!key.enabled) out["enabled"] = false;
  return out;
}

OrderedJson pathToJson(const TargetPath& path) {
  OrderedJson out = {{"goal", path.goal}, {"curve", curveName(path.curve)}, {"points", OrderedJson::array()}};
  for (const Eigen::Vector3d& point : path.points) out["points"].push_back(toJson(point));
  if (path.isClosed) out["closed"] = true;
  out["begin"] = toJson(path.begin);
  out["end"] = toJson(path.end);
  if (!path.enabled) out["enabled"] = false;
  return out;
}

}  // namespace

Ease easeFromJson(const JsonValue& value) {
  if (value.isText()) {
    if (value.text() != "step") value.fail("must be \"step\" or four numbers");
    return {.kind = Ease::Kind::Step};
  }
  const std::vector<double> n = value.numbers(4);
  for (const double handle : n)
    if (!(handle >= 0.0 && handle <= 1.0)) value.fail("must be from 0 to 1");
  return {Ease::Kind::Curve, n[0], n[1], n[2], n[3]};
}

OrderedJson easeToJson(const Ease& ease) {
  if (ease.kind == Ease::Kind::Step) return "step";
  return {toJson(ease.x1), toJson(ease.y1), toJson(ease.x2), toJson(ease.y2)};
}

std::shared_ptr<const Timeline> timelineFromJson(const JsonValue& value, const Document& document) {
  value.allowOnly("length frames_per_second blend keys paths");
  auto timeline = std::make_shared<Timeline>();
  timeline->length = readSeconds(value.at("length"));
  if (const auto rate = value.find("frames_per_second"))
    timeline->framesPerSecond = rate->numberIn(0.0, kMaxFramesPerSecond);
  if (const auto blend = value.find("blend"))
    timeline->blend = readWord(*blend, {Blend::Linear, Blend::Smooth}, blendName);
  if (const auto keys = value.find("keys"))
    for (const JsonValue& key : keys->elements()) timeline->keys.push_back(readKey(key, *document.figure));
  if (const auto paths = value.find("paths"))
    for (const JsonValue& path : paths->elements()) timeline->paths.push_back(readPath(path));
  if (const std::string fault = findFault(*timeline, document); !fault.empty()) value.fail(fault);
  return timeline;
}

OrderedJson timelineToJson(const Timeline& timeline) {
  OrderedJson out = {{"length", toJson(timeline.length)},
                     {"frames_per_second", toJson(timeline.framesPerSecond)},
                     {"blend", blendName(timeline.blend)}};
  for (const TimelineKey& key : timeline.keys) {
    OrderedJson entry = {{"time", toJson(key.time)}};
    if (key.hasPose()) entry["pose"] = toJson(key.pose.coordinates);
    for (const GoalKey& goal : key.goals) entry["goals"].push_back(goalKeyToJson(goal));
    if (key.ease.kind != Ease::Kind::Blend) entry["ease"] = easeToJson(key.ease);
    out["keys"].push_back(std::move(entry));
  }
  for (const TargetPath& path : timeline.paths) out["paths"].push_back(pathToJson(path));
  return out;
}

}  // namespace limber::io
