// SPDX-License-Identifier: MIT
#include "limber/io/json/pose_json.h"

#include <cmath>
#include <unordered_map>

#include "limber/io/base/json.h"
#include "limber/io/named_pose.h"

namespace limber::io {

namespace {

constexpr double kMaxCoordinate = 1e9;  // radians or file units

void readJoint(const JsonValue& value, double metresPerUnit, const Joint& joint, Pose& pose) {
  const int size = poseSize(joint.type);
  if (size == 0) value.fail("is a fixed joint and takes no value");
  if (size == 1) {
    const double number = value.numberIn(-kMaxCoordinate, kMaxCoordinate);
    pose.coordinates[joint.poseIndex] = joint.type == JointType::Prismatic ? number * metresPerUnit : number;
    return;
  }
  const std::vector<double> numbers = value.numbers(size);
  Eigen::VectorXd coordinates = Eigen::VectorXd::Map(numbers.data(), size);
  if (coordinates.cwiseAbs().maxCoeff() > kMaxCoordinate) value.fail("holds a number beyond 1e9");
  if (!normalizeQuaternion(coordinates.tail<4>())) value.fail("its quaternion (x, y, z, w) is not of unit length");
  if (joint.type == JointType::Free) coordinates.head<3>() *= metresPerUnit;
  pose.coordinates.segment(joint.poseIndex, size) = coordinates;
}

Pose readJoints(const JsonValue& value, double metresPerUnit, const Figure& figure, const Pose& base,
                std::vector<char>* isNamed) {
  std::unordered_map<std::string, const Joint*> joints;
  for (const Joint& joint : figure.joints()) joints.emplace(joint.name, &joint);
  if (isNamed) isNamed->resize(figure.joints().size());
  Pose pose = base;
  for (const auto& [name, member] : value.members()) {
    const auto found = joints.find(name);
    if (found == joints.end()) member.fail(std::string("the figure has no joint ") + inQuotes(name));
    readJoint(member, metresPerUnit, *found->second, pose);
    if (isNamed) (*isNamed)[static_cast<std::size_t>(found->second - figure.joints().data())] = 1;
  }
  return pose;
}

}  // namespace

double inFileUnits(double metres, double metresPerUnit) {
  const double units = metres / metresPerUnit;
  for (const double candidate : {units, std::nextafter(units, -HUGE_VAL), std::nextafter(units, HUGE_VAL)})
    if (candidate * metresPerUnit == metres) return candidate;
  return units;
}

Pose poseFromJson(const JsonValue& value, const Figure& figure, const Pose& base, std::vector<char>* isNamed) {
  const double metresPerUnit = figure.fileFrame().metresPerUnit;
  const auto format = value.isObject() ? value.find("format") : std::nullopt;
  if (!format || !format->isText()) {
    const auto answered = value.isObject() ? value.find("pose") : std::nullopt;
    return readJoints(answered && answered->isObject() ? *answered : value, metresPerUnit, figure, base, isNamed);
  }
  if (format->text() != kPoseFormat) format->fail("must be \"limber pose\"");
  const auto unit = value.find("metres_per_unit");
  return readJoints(value.at("pose"), unit ? unit->number() : metresPerUnit, figure, base, isNamed);
}

Pose poseFromCoordinates(const JsonValue& value, const Figure& figure) {
  const std::vector<double> numbers = value.numbers(figure.poseSize());
  Pose pose{Eigen::VectorXd::Map(numbers.data(), figure.poseSize())};
  for (const Joint& joint : figure.joints())
    if (const int size = poseSize(joint.type); size >= 4)
      if (!normalizeQuaternion(pose.coordinates.segment<4>(joint.poseIndex + size - 4)))
        value.fail(std::string("the quaternion of the joint ") + inQuotes(joint.name) + " is not of unit length");
  return pose;
}

OrderedJson poseToJson(const Figure& figure, const Pose& pose, bool namesFreedBase) {
  const double metresPerUnit = figure.fileFrame().metresPerUnit;
  OrderedJson::object_t members;  // appended to directly, because looking up each name takes quadratic time
  members.reserve(static_cast<std::size_t>(figure.linkCount()));
  for (const Joint& joint : figure.joints()) {
    if (joint.freed && !namesFreedBase) continue;
    const int size = poseSize(joint.type);
    Eigen::VectorXd coordinates = pose.coordinates.segment(joint.poseIndex, size);
    const int lengths = joint.type == JointType::Free ? 3 : joint.type == JointType::Prismatic ? 1 : 0;
    for (int i = 0; i < lengths; ++i) coordinates[i] = inFileUnits(coordinates[i], metresPerUnit);
    if (size > 0) members.emplace_back(joint.name, size == 1 ? toJson(coordinates[0]) : toJson(coordinates));
  }
  return OrderedJson(std::move(members));
}

std::string formatPose(const Figure& figure, const Pose& pose) { return formatJson(poseToJson(figure, pose)); }

Result<Pose> parsePose(std::string_view text, const std::string& file, const Figure& figure, const Pose& base,
                       std::vector<char>* isNamed) {
  return readJsonText<Pose>(text, file,
                            [&](const JsonValue& value) { return poseFromJson(value, figure, base, isNamed); });
}

}  // namespace limber::io
