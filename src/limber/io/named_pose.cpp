// SPDX-License-Identifier: MIT
#include "limber/io/named_pose.h"

#include "limber/io/base/json.h"
#include "limber/io/json/pose_json.h"

namespace limber::io {

namespace {

constexpr std::uintmax_t kMaxPoseBytes = 4u << 20;    // some 50,000 joints
constexpr double kLeastUnit = 1e-9, kMostUnit = 1e9;  // metres
constexpr std::size_t kMostLinksOfAPart = 1000;
constexpr double kMostLegs = 1e6;  // lengths of the leg

BodyPlace placeFromName(const std::string& name, const JsonValue& value) {
  const auto place = findPosePlace(name);
  if (!place) value.fail("is not a part of a body or a hand");
  return *place;
}

RolePose partsFromJson(const JsonValue& value) {
  value.allowOnly("turns shift clearance feet");
  RolePose parts;
  for (const auto& [name, turns] : value.at("turns").members()) {
    auto& into = parts.turns[placeFromName(name, turns)];
    if (turns.size() == 0 || turns.size() > kMostLinksOfAPart) turns.fail("must hold 1 to 1000 quaternions");
    for (const JsonValue& turn : turns.elements()) into.push_back(Eigen::Quaterniond(turn.quaternion()));
  }
  const auto inLegs = [](const JsonValue& length) { return length.numberIn(-kMostLegs, kMostLegs); };
  if (const auto shift = value.find("shift")) {
    shift->numbers(2);  // throws
    parts.shift = {inLegs(shift->elements()[0]), inLegs(shift->elements()[1])};
  }
  if (const auto clearance = value.find("clearance")) parts.clearance = inLegs(*clearance);
  if (const auto feet = value.find("feet")) {
    feet->allowOnly("left right");
    for (const auto& [side, height] : feet->members())
      parts.feet[side == "left" ? BodySide::Left : BodySide::Right] = inLegs(height);
  }
  return parts;
}

OrderedJson partsToJson(const RolePose& parts) {
  OrderedJson turns = OrderedJson::object();
  for (const auto& [place, ofLinks] : parts.turns) {
    OrderedJson& list = turns[poseName(place)] = OrderedJson::array();
    for (const Eigen::Quaterniond& turn : ofLinks) list.push_back(toJson(Eigen::Vector4d(turn.coeffs())));
  }
  OrderedJson out = {{"turns", std::move(turns)}};
  if (!parts.hasBody()) return out;
  out["shift"] = toJson(parts.shift);
  out["clearance"] = toJson(parts.clearance);
  out["feet"] = OrderedJson::object();
  for (const auto& [side, height] : parts.feet) out["feet"][side == BodySide::Left ? "left" : "right"] = toJson(height);
  return out;
}

NamedPose namedPoseFromJson(const JsonValue& value) {
  if (value.at("format").text() != kPoseFormat) value.at("format").fail("must be \"limber pose\"");
  value.allowOnly("format version name figure metres_per_unit pose parts");
  value.at("version").integerIn(1, 1);
  NamedPose pose;
  pose.name = value.at("name").name();
  if (const auto figure = value.find("figure")) pose.figure = figure->text();
  if (const auto unit = value.find("metres_per_unit")) pose.metresPerUnit = unit->numberIn(kLeastUnit, kMostUnit);
  for (const auto& [joint, numbers] : value.at("pose").members())
    pose.joints.emplace_back(joint, numbers.isNumber() ? std::vector<double>{numbers.number()} : numbers.numbers());
  if (const auto parts = value.find("parts")) pose.parts = partsFromJson(*parts);
  return pose;
}

OrderedJson headOf(const std::string& name, const std::string& figure) {
  return {{"format", kPoseFormat}, {"version", 1}, {"name", name}, {"figure", figure}};
}

/// Writes the numbers to the pose if they are valid coordinates of the joint; false otherwise.
bool takeNumbers(const std::vector<double>& numbers, const Joint& joint, double metresPerUnit, Pose& pose) {
  const int size = poseSize(joint.type);
  if (size == 0 || std::ssize(numbers) != size) return false;
  Eigen::VectorXd coordinates = Eigen::VectorXd::Map(numbers.data(), size);
  if (hasRotation(joint) && !normalizeQuaternion(coordinates.tail<4>())) return false;
  if (joint.type == JointType::Prismatic) coordinates *= metresPerUnit;
  if (joint.type == JointType::Free) coordinates.head<3>() *= metresPerUnit;
  pose.coordinates.segment(joint.poseIndex, size) = coordinates;
  return true;
}

}  // namespace

Result<NamedPose> parseNamedPose(std::string_view text, const std::string& file) {
  return readJsonText<NamedPose>(text, file, namedPoseFromJson);
}

Result<NamedPose> readNamedPose(const std::filesystem::path& path) {
  return readJsonFile<NamedPose>(path, namedPoseFromJson, kMaxPoseBytes);
}

NamedPose namedPoseOf(const SourcePose& pose) {
  return {.name = pose.name, .figure = {}, .metresPerUnit = 1.0, .joints = pose.joints, .parts = {}};
}

std::string formatNamedPose(const std::string& name, const Figure& figure, const Pose& pose, const RolePose& parts) {
  OrderedJson out = headOf(name, figure.name());
  out["metres_per_unit"] = toJson(figure.fileFrame().metresPerUnit);
  out["pose"] = poseToJson(figure, pose);
  if (!parts.isEmpty()) out["parts"] = partsToJson(parts);
  return formatJson(out);
}

std::string formatNamedPose(const NamedPose& pose) {
  OrderedJson out = headOf(pose.name, pose.figure);
  if (pose.metresPerUnit) out["metres_per_unit"] = toJson(*pose.metresPerUnit);
  OrderedJson::object_t joints;
  for (const auto& [joint, numbers] : pose.joints)
    joints.emplace_back(joint, numbers.size() == 1 ? toJson(numbers[0]) : toJson(numbers));
  out["pose"] = OrderedJson(std::move(joints));
  if (!pose.parts.isEmpty()) out["parts"] = partsToJson(pose.parts);
  return formatJson(out);
}

FittedPose fitPose(const NamedPose& named, const Figure& figure, const Pose& base) {
  FittedPose fitted{.pose = base};
  const double metresPerUnit = named.metresPerUnit.value_or(figure.fileFrame().metresPerUnit);
  int moving = 0;
  for (const Joint& joint : figure.joints()) moving += poseSize(joint.type) > 0;
  for (const auto& [name, numbers] : named.joints) {
    const int joint = figure.findJoint(name);
    if (joint >= 0 && takeNumbers(numbers, figure.joint(joint), metresPerUnit, fitted.pose)) ++fitted.found;
    else fitted.unknown.push_back(name);
  }
  fitted.without = moving - fitted.found;
  return fitted;
}

}  // namespace limber::io
