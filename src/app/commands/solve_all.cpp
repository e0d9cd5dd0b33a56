// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include <cstdio>
#include <string>

#include "app/commands/output.h"
#include "app/commands/report_json.h"
#include "limber/io/base/file.h"
#include "limber/io/base/json.h"
#include "limber/io/json/pose_json.h"
#include "limber/io/open.h"
#include "limber/posing/all_ways.h"
#include "limber/scene/base.h"

namespace limber::app {

namespace {

using io::OrderedJson;

OrderedJson namesOfJoints(const Document& document, const std::vector<int>& joints) {
  OrderedJson names = OrderedJson::array();
  for (const int joint : joints) names.push_back(document.figure->joint(joint).name);
  return names;
}

OrderedJson poseOfWay(const Document& document, const Pose& pose) {
  return io::poseToJson(*document.figure, pose, hasMovedBase(*document.figure, pose));
}

OrderedJson wayJson(const Document& document, const ArmWay& way) {
  OrderedJson result = OrderedJson::object();
  if (!way.shoulder.empty())
    result["branch"] = {{"shoulder", way.shoulder}, {"elbow", way.elbow}, {"wrist", way.wrist}};
  if (way.curve >= 0) result["curve"] = way.curve;
  result["distance"] = way.distance;
  result["manipulability"] = numberOrNull(way.manipulability);
  result["error"] = way.error / document.figure->fileFrame().metresPerUnit;
  result["angle"] = way.angle;
  result["windings"] = way.windings;
  if (!way.freeJoints.empty()) result["free_joints"] = namesOfJoints(document, way.freeJoints);
  result["pose"] = poseOfWay(document, way.pose);
  return result;
}

OrderedJson allJson(const Document& document, const AllWays& all) {
  OrderedJson result = {{"complete", all.isComplete},
                        {"reason", all.reason},
                        {"shape", all.shape},
                        {"outside_limits", all.outsideLimits},
                        {"ways", OrderedJson::array()}};
  for (const ArmWay& way : all.ways) result["ways"].push_back(wayJson(document, way));
  for (const WayCurve& curve : all.curves) {
    OrderedJson poses = OrderedJson::array();
    for (const Pose& pose : curve.poses) poses.push_back(poseOfWay(document, pose));
    result["curves"].push_back(
        {{"closed", curve.isClosed}, {"ends_at_limits", curve.endsAtLimits}, {"poses", std::move(poses)}});
  }
  return result;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%9.4f", value);
  return text;
}

/// A table: one line per way, its joints in radians and metres.
std::string allText(const Document& document, const AllWays& all) {
  std::string text = std::to_string(all.ways.size()) + (all.ways.size() == 1 ? " way" : " ways");
  if (all.outsideLimits > 0) text += ", and " + std::to_string(all.outsideLimits) + " outside the limits";
  text += " (" + std::string(all.shape) + ")\n" + all.reason + "\n";
  for (std::size_t i = 0; i < all.ways.size(); ++i) {
    const ArmWay& way = all.ways[i];
    text += std::to_string(i + 1) + ":";
    for (int k = 0; k < document.figure->linkCount(); ++k)
      if (const Joint& joint = document.figure->joint(k); isScalar(joint))
        text += number(way.pose.coordinates[joint.poseIndex]);
    text += "  distance" + number(way.distance) + "  manipulability" + number(way.manipulability);
    if (!way.shoulder.empty())
      text += "  shoulder " + std::string(way.shoulder) + ", elbow " + std::string(way.elbow) + ", wrist " +
              std::string(way.wrist);
    if (way.windings > 1) text += "  " + std::to_string(way.windings) + " windings";
    if (way.curve >= 0) {
      const WayCurve& curve = all.curves[way.curve];
      text += "  curve of " + std::to_string(curve.poses.size()) + " poses";
      text += curve.isClosed ? ", closed" : curve.endsAtLimits ? ", ends at limits" : "";
    }
    for (const int joint : way.freeJoints) text += "  " + document.figure->joint(joint).name + " is free";
    text += "\n";
  }
  return text;
}

}  // namespace

int runSolveAll(const SolveArguments& arguments, Console& console) {
  auto opened = io::openAny(arguments.file, arguments.context);
  if (!opened) return console.fail(opened.error());
  const Document& document = opened->document;
  const AllWays all = allWaysOf(document, {.listsWindings = arguments.windings});
  if (!all.fault.empty()) return console.fail({arguments.file, "", all.fault});
  const std::string text = arguments.asJson ? io::formatJson(allJson(document, all)) : allText(document, all);
  const bool isPrinted = arguments.output.empty() || arguments.output == "-";
  if (isPrinted) {
    if (const int code = console.print(text); code != kSuccess) return code;
  } else if (const auto fault = io::writeFileAtomically(arguments.output, text)) {
    return console.fail(*fault);
  }
  return arguments.requiresReached && all.ways.empty() ? kNotReached : kSuccess;
}

}  // namespace limber::app
