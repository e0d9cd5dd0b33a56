// SPDX-License-Identifier: MIT
#include "limber/io/json/scene_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "limber/goals/direction_goal.h"
#include "limber/io/base/text.h"
#include "limber/io/json/pose_json.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/goal_types.h"
#include "limber/problem/new_goal.h"

namespace limber::io {

namespace {

constexpr double kMaxDirectionScale = 1e9;    // mean link lengths per radian
constexpr std::size_t kMostGroupsNamed = 40;  // in a sentence

GoalType readType(const JsonValue& value) {
  std::string known;
  for (const GoalTypeInfo& info : goalTypes()) {
    if (value.text() == info.name) return info.type;
    known += (known.empty() ? "" : ", ") + std::string(info.name);
  }
  value.fail(inQuotes(value.text()) + " is not a goal type (" + known + ")");
}

// A product with the identity would lose the sign of a zero.
bool isIdentity(const Eigen::Matrix3d& rotation) { return rotation == Eigen::Matrix3d::Identity(); }

Eigen::Vector3d readPointInLink(const JsonValue& value, const FileFrame& frame) {
  const Eigen::Vector3d point = frame.metresPerUnit * value.vector3();
  if (point.cwiseAbs().maxCoeff() > kLargestLength) value.fail("is more than 1e9 metres away");
  return point;
}

Eigen::Vector3d readTarget(const JsonValue& value, const FileFrame& frame) {
  const Eigen::Vector3d point = readPointInLink(value, frame);
  if (isIdentity(frame.sceneFromFile) && frame.origin.isZero(0.0)) return point;
  return frame.sceneFromFile * point + frame.origin;
}

Eigen::Matrix3d readTargetFrame(const JsonValue& value, const FileFrame& frame) {
  const Eigen::Matrix3d axes = value.rotation();
  return isIdentity(frame.sceneFromFile) ? axes : Eigen::Matrix3d(frame.sceneFromFile * axes);
}

Eigen::Vector3d readDirection(const JsonValue& value) {
  const Eigen::Vector3d direction = value.vector3();
  const double length = direction.norm();
  if (!(length > 1e-9 && length < kLargestLength)) value.fail("has no direction");
  return direction / length;
}

const Site& readSite(const JsonValue& value, const Figure& figure) {
  const int site = figure.findSite(value.text());
  if (site < 0) value.fail(std::string("the figure has no site ") + inQuotes(value.text()));
  return figure.sites()[site];
}

/// Refuses a value that has both keys, which mean the same.
void refuseBoth(const JsonValue& value, const char* key, const char* other) {
  if (const auto one = value.find(key); one && value.find(other))
    one->fail("cannot be combined with " + inQuotes(other));
}

/// The point of a link that a goal moves: a site, a link with a point, or the site "tip".
void readEndEffector(const JsonValue& value, const Figure& figure, const FileFrame& frame, GoalItem& goal) {
  const auto site = value.find("site"), link = value.find("link"), point = value.find("point");
  if (site && (link || point)) site->fail("cannot be combined with link and point");
  const int tip = figure.findSite("tip");
  const Site* const usual = tip >= 0 ? &figure.sites()[tip] : nullptr;
  const Site* const effector = site ? &readSite(*site, figure) : usual;
  const GoalTypeInfo& info = infoOf(goal.type);
  if (!link && !effector && info.hasEndEffector()) value.at("link");  // it is missing
  if (link) goal.link = linkFromJson(*link, figure);
  if (effector && (!link || goal.link == effector->link) && info.hasEndEffector()) {
    goal.link = effector->link;
    if (info.point) goal.pointInLink = effector->linkFromSite.translation;
    if (info.axes > 0) goal.frameInLink = effector->linkFromSite.rotation;
  }
  if (point) goal.pointInLink = readPointInLink(*point, frame);
  refuseBoth(value, "direction_in_link", "frame");
  if (const auto axes = value.find("frame")) goal.frameInLink = axes->rotation();
  if (const auto x = value.find("direction_in_link")) goal.frameInLink = frameAlong(readDirection(*x));
}

void readOther(const JsonValue& value, const Figure& figure, const FileFrame& frame, GoalItem& goal) {
  refuseBoth(value, "other_site", "other_link");
  if (const auto link = value.find("other_link")) goal.otherLink = linkFromJson(*link, figure);
  if (const auto other = value.find("other_site")) {
    const Site& site = readSite(*other, figure);
    goal.otherLink = site.link;
    goal.pointInOther = site.linkFromSite.translation;
    goal.frameInOther = site.linkFromSite.rotation;
  }
  if (const auto point = value.find("point_in_other")) goal.pointInOther = readPointInLink(*point, frame);
  if (const auto axes = value.find("frame_in_other")) goal.frameInOther = axes->rotation();
}

/// degrees_per_length: how many degrees count as much as one mean link length; null frees the direction.
double scaleFromDegrees(const JsonValue& value) {
  return value.isNull() ? 0.0 : radianScale(value.numberIn(1e-6, 1e9));
}

void readDirectionScale(const JsonValue& value, GoalItem& goal) {
  refuseBoth(value, "degrees_per_length", "direction_scale");
  const auto read = [](const JsonValue& pair, auto readOne) {
    const std::vector<JsonValue> elements = pair.elements();
    if (elements.size() != 2) pair.fail("must hold two values, for x and y");
    return std::array{readOne(elements[0]), readOne(elements[1])};
  };
  if (const auto scale = value.find("direction_scale"))
    goal.directionScale = read(*scale, [](const JsonValue& one) { return one.numberIn(0.0, kMaxDirectionScale); });
  if (const auto degrees = value.find("degrees_per_length")) {
    if (degrees->isArray()) goal.directionScale = read(*degrees, scaleFromDegrees);
    else goal.directionScale.fill(scaleFromDegrees(*degrees));
  }
}

Interval readDistance(const JsonValue& value, const FileFrame& frame) {
  Interval distance = intervalFromJson(value);
  if (distance.upper < 0.0) value.fail("no distance is negative");
  if (std::max(distance.lower, std::isfinite(distance.upper) ? distance.upper : 0.0) * frame.metresPerUnit >
      kLargestLength)
    value.fail("is more than 1e9 metres");
  return {distance.lower * frame.metresPerUnit, distance.upper * frame.metresPerUnit};
}

std::vector<int> readChain(const JsonValue& value, const Figure& figure) {
  std::vector<int> chain;
  for (const JsonValue& name : value.elements()) {
    const int joint = jointFromJson(name, figure);
    if (std::find(chain.begin(), chain.end(), joint) != chain.end()) name.fail("is named twice");
    chain.push_back(joint);
  }
  return chain;
}

[[noreturn]] void failOnGroup(const JsonValue& name, GroupsOfJoints groups) {
  std::string known;
  for (std::size_t i = 0; i < std::min(groups.size(), kMostGroupsNamed); ++i)
    known += (i > 0 ? ", " : "") + inQuotes(groups[i].name);
  if (groups.size() > kMostGroupsNamed) known += ", ...";
  name.fail("the figure has no group of joints " + inQuotes(name.text()) +
            (known.empty() ? ", nor any other: an SRDF file beside a URDF names them" : "; its groups are " + known));
}

/// The joints of the group that the value names, ascending.
std::vector<int> readGroup(const JsonValue& name, const Figure& figure, GroupsOfJoints groups) {
  const auto group = std::ranges::find(groups, name.text(), &SourceGroup::name);
  if (group == groups.end()) failOnGroup(name, groups);
  std::vector<int> chain;
  for (const std::string& joint : group->joints) {
    chain.push_back(figure.findJoint(joint));
    if (chain.back() < 0) name.fail("the figure has no joint " + inQuotes(joint) + " of this group");
  }
  std::ranges::sort(chain);
  return chain;
}

void readWhatIsAsked(const JsonValue& value, const FileFrame& frame, GoalItem& goal) {
  if (const auto target = value.find("target")) goal.target = readTarget(*target, frame);
  else if (infoOf(goal.type).target && !isTied(goal)) value.at("target");  // it is missing
  refuseBoth(value, "axis", "target_frame");
  if (const auto axes = value.find("target_frame")) goal.targetFrame = readTargetFrame(*axes, frame);
  if (const auto x = value.find("axis")) goal.targetFrame = frameAlong(frame.sceneFromFile * readDirection(*x));
  readDirectionScale(value, goal);
  if (const auto share = value.find("position_share")) goal.positionShare = share->numberIn(0.0, 1.0);
  if (const auto distance = value.find("distance")) goal.distance = readDistance(*distance, frame);
  if (const auto anyOf = value.find("any_of")) goal.anyOf = anyOf->integerIn(0, kLargestId);
  if (const auto weight = value.find("weight")) goal.weight = weight->numberIn(0.0, kLargestWeight);
  if (const auto priority = value.find("priority")) goal.priority = priority->integerIn(1, kLowestPriority);
  if (const auto preference = value.find("preference")) goal.preference = preference->boolean();
  if (const auto enabled = value.find("enabled")) goal.enabled = enabled->boolean();
}

/// A pin without "world_from_link" holds its link where it is in the pose `present`.
Pin readPin(const JsonValue& value, const Figure& figure, const FileFrame& frame, const Pose& present) {
  value.allowOnly("link position rotation point world_from_link");
  Pin pin{.link = linkFromJson(value.at("link"), figure)};
  if (const auto position = value.find("position")) pin.position = position->boolean();
  if (const auto rotation = value.find("rotation")) pin.rotation = rotation->boolean();
  if (const auto point = value.find("point")) pin.pointInLink = readPointInLink(*point, frame);
  if (const auto place = value.find("world_from_link")) {
    place->allowOnly("position rotation");
    pin.worldFromLink = {readTargetFrame(place->at("rotation"), frame), readTarget(place->at("position"), frame)};
    return pin;
  }
  const Kinematics kinematics = transformsOf(figure, present);
  pin.worldFromLink = kinematics.worldFromLink[pin.link];
  return pin;
}

}  // namespace

int linkFromJson(const JsonValue& value, const Figure& figure) {
  const int link = figure.findLink(value.text());
  if (link < 0) value.fail(std::string("the figure has no link ") + inQuotes(value.text()));
  return link;
}

int jointFromJson(const JsonValue& value, const Figure& figure) {
  const int joint = figure.findJoint(value.text());
  if (joint < 0) value.fail(std::string("the figure has no joint ") + inQuotes(value.text()));
  return joint;
}

GoalItem goalFromJson(const JsonValue& value, const Figure& figure, const FileFrame& frame, const Pose& present,
                      std::optional<GroupsOfJoints> groups) {
  value.allowOnly(
      "id type name site link point frame direction_in_link target target_frame axis direction_scale "
      "degrees_per_length position_share distance other_link other_site point_in_other frame_in_other kept chain "
      "any_of seen_in weight priority preference enabled");
  GoalItem goal;
  if (const auto type = value.find("type")) goal.type = readType(*type);
  if (infoOf(goal.type).hasTargetFrame()) goal.targetFrame = frame.sceneFromFile;
  readEndEffector(value, figure, frame, goal);
  if (const auto name = value.find("name")) goal.name = name->text();
  readOther(value, figure, frame, goal);
  readWhatIsAsked(value, frame, goal);
  if (const auto chain = value.find("chain"))
    goal.chain = groups && chain->isText() ? readGroup(*chain, figure, *groups) : readChain(*chain, figure);
  if (const auto kept = value.find("kept"))
    goal.kept = kept->isArray() ? poseFromCoordinates(*kept, figure) : poseFromJson(*kept, figure, present);
  else if (infoOf(goal.type).kept) goal.kept = present;
  return goal;
}

void checkGoalKeys(const JsonValue& value, const GoalItem& goal) {
  const GoalTypeInfo& info = infoOf(goal.type);
  const bool hasAxes = info.axes > 0, hasOther = info.other != OtherLink::None;
  const std::pair<std::string_view, bool> keys[] = {
      {"site link", info.hasEndEffector()},
      {"point", info.point},
      {"frame direction_in_link direction_scale degrees_per_length", hasAxes},
      {"target", info.target},
      {"target_frame axis", info.hasTargetFrame()},
      {"position_share", info.share},
      {"distance", info.distance},
      {"other_link other_site point_in_other", hasOther},
      {"frame_in_other", hasOther && hasAxes},
      {"kept", info.kept},
      {"seen_in", false}};
  for (const auto& [key, member] : value.members())
    for (const auto& [words, areUsed] : keys)
      if (!areUsed && isAmong(key, words))
        member.fail(std::string("is not used by goals of type ") + inQuotes(info.name));
  if (info.other == OtherLink::Required && goal.otherLink < 0) value.at("other_link");  // it is missing
  if (info.distance) value.at("distance");
}

OrderedJson goalToJson(const GoalItem& goal, const Figure& figure) {
  const GoalTypeInfo& info = infoOf(goal.type);
  const GoalItem standard;
  const bool isBetweenLinks = isTied(goal);
  OrderedJson out = {{"id", goal.id}, {"type", info.name}, {"name", goal.name}, {"link", figure.link(goal.link).name}};
  if (info.point || goal.pointInLink != standard.pointInLink) out["point"] = toJson(goal.pointInLink);
  if (info.axes > 0 || goal.frameInLink != standard.frameInLink) out["frame"] = rotationToJson(goal.frameInLink);
  if (goal.otherLink >= 0) out["other_link"] = figure.link(goal.otherLink).name;
  if (isBetweenLinks || goal.pointInOther != standard.pointInOther) out["point_in_other"] = toJson(goal.pointInOther);
  if ((isBetweenLinks && info.axes > 0) || goal.frameInOther != standard.frameInOther)
    out["frame_in_other"] = rotationToJson(goal.frameInOther);
  if (info.target || goal.target != standard.target) out["target"] = toJson(goal.target);
  if (info.hasTargetFrame() || goal.targetFrame != standard.targetFrame)
    out["target_frame"] = rotationToJson(goal.targetFrame);
  if (info.distance || goal.distance != standard.distance) out["distance"] = intervalToJson(goal.distance);
  if (info.axes > 0 || goal.directionScale != standard.directionScale)
    out["direction_scale"] = {toJson(goal.directionScale[0]), toJson(goal.directionScale[1])};
  if (info.share || goal.positionShare != standard.positionShare) out["position_share"] = toJson(goal.positionShare);
  if (goal.kept.coordinates.size() > 0) out["kept"] = toJson(goal.kept.coordinates);
  for (const int joint : goal.chain) out["chain"].push_back(figure.joint(joint).name);
  if (goal.anyOf >= 0) out["any_of"] = goal.anyOf;
  if (goal.seenIn >= 0 && goal.type == GoalType::Line) out["seen_in"] = goal.seenIn;
  out["weight"] = toJson(goal.weight);
  if (goal.priority != standard.priority) out["priority"] = goal.priority;
  if (goal.preference) out["preference"] = true;
  out["enabled"] = goal.enabled;
  return out;
}

std::vector<Pin> pinsFromJson(const JsonValue& value, const Figure& figure, const FileFrame& frame,
                              const Pose& present) {
  std::vector<Pin> pins;
  std::set<int> links;
  for (const JsonValue& element : value.elements()) {
    pins.push_back(readPin(element, figure, frame, present));
    if (!links.insert(pins.back().link).second) element.at("link").fail("is pinned twice");
  }
  return pins;
}

OrderedJson pinToJson(const Pin& pin, const Figure& figure) {
  const OrderedJson place = {{"position", toJson(pin.worldFromLink.translation)},
                             {"rotation", rotationToJson(pin.worldFromLink.rotation)}};
  return {{"link", figure.link(pin.link).name},
          {"position", pin.position},
          {"rotation", pin.rotation},
          {"point", toJson(pin.pointInLink)},
          {"world_from_link", place}};
}

}  // namespace limber::io
