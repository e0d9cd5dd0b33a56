// SPDX-License-Identifier: MIT
#include "limber/io/motion_file.h"

#include <span>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"
#include "limber/io/json/pose_json.h"
#include "limber/scene/base.h"

namespace limber::io {

namespace {

double frameTime(const Document& document) { return document.motion ? document.motion->frameTime : 0.0; }

/// A cell of CSV, in quotation marks where RFC 4180 requires them.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::span<const std::string_view> columnsOf(JointType type) {
  static constexpr std::string_view kAngleColumns[] = {" [rad]"}, kLengthColumns[] = {" [file units]"},
                                    kBallColumns[] = {".x", ".y", ".z", ".w"},
                                    kFreeColumns[] = {".tx", ".ty", ".tz", ".x", ".y", ".z", ".w"};
  switch (type) {
    case JointType::Revolute: return kAngleColumns;
    case JointType::Prismatic: return kLengthColumns;
    case JointType::Ball: return kBallColumns;
    case JointType::Free: return kFreeColumns;
    case JointType::Fixed: break;
  }
  return {};
}

/// A freed base, which the robot's file has fixed, is written only if it moves.
bool namesFreedBase(const Document& document) {
  for (int frame = 0; frame < takeLength(document); ++frame)
    if (hasMovedBase(*document.figure, poseOfTake(document, frame))) return true;
  return false;
}

void appendRow(const Document& document, int frame, bool withFreedBase, std::string& out) {
  const Figure& figure = *document.figure;
  const Pose pose = poseOfTake(document, frame);
  appendNumber(frame * frameTime(document), out);
  for (const Joint& joint : figure.joints()) {
    if (joint.freed && !withFreedBase) continue;
    const int lengths = joint.type == JointType::Free ? 3 : joint.type == JointType::Prismatic ? 1 : 0;
    for (int k = 0; k < poseSize(joint.type); ++k) {
      out += ',';
      appendNumber(pose.coordinates[joint.poseIndex + k] / (k < lengths ? figure.fileFrame().metresPerUnit : 1.0), out);
    }
  }
  out += '\n';
}

std::optional<Error> faultOf(const Document& document) {
  if (isValid(*document.figure, document.pose)) return std::nullopt;
  return Error{"", "pose", "holds a number that is not finite"};
}

}  // namespace

Result<std::string> formatJointStatesJson(const Document& document) {
  if (const auto fault = faultOf(document)) return *fault;
  const bool withFreedBase = namesFreedBase(document);
  try {
    if (!document.motion || document.motion->frameCount == 0)
      return formatJson(poseToJson(*document.figure, document.pose, withFreedBase));
    OrderedJson out = {{"frame_time", toJson(frameTime(document))}, {"frames", OrderedJson::array()}};
    for (int frame = 0; frame < takeLength(document); ++frame)
      out["frames"].push_back(poseToJson(*document.figure, poseOfTake(document, frame), withFreedBase));
    return formatJson(out);
  } catch (const JsonFault& fault) {
    return Error{"", fault.place, fault.cause};
  }
}

Result<std::string> formatJointStatesCsv(const Document& document) {
  if (const auto fault = faultOf(document)) return *fault;
  const bool withFreedBase = namesFreedBase(document);
  std::string out = "time [s]";
  for (const Joint& joint : document.figure->joints())
    if (!joint.freed || withFreedBase)
      for (const std::string_view column : columnsOf(joint.type)) out += ',' + field(joint.name + std::string(column));
  out += '\n';
  for (int frame = 0; frame < takeLength(document); ++frame) appendRow(document, frame, withFreedBase, out);
  return out;
}

}  // namespace limber::io
