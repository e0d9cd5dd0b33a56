// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "app/commands/output.h"
#include "app/commands/ways_json.h"
#include "limber/io/base/file.h"
#include "limber/io/open.h"

namespace limber::app {

namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%9.4f", value);
  return text;
}

/// A table: one line per way, its joints in radians and metres.
std::string allText(const Document& document, const AllWays& all) {
  std::string text = std::to_string(all.ways.size()) + (all.ways.size() == 1 ? " way" : " ways");
  if (all.outsideLimits > 0) text += ", and " + std::to_string(all.outsideLimits) + " outside the limits";
  if (all.colliding > 0) text += ", " + std::to_string(all.colliding) + (all.colliding == 1 ? " collides" : " collide");
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
    if (all.isCompared) text += "  clearance" + number(way.clearance);
    if (way.collides) text += ", " + document.figure->link(way.nearestLink).name + " collides with " + way.nearestOther;
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
  const AllWays all = allWaysOf(document, {.leavesOutColliding = arguments.clear, .listsWindings = arguments.windings});
  if (!all.fault.empty()) return console.fail({arguments.file, "", all.fault});
  const std::string text = arguments.asJson ? io::formatJson(allWaysJson(document, all)) : allText(document, all);
  const bool isPrinted = arguments.output.empty() || arguments.output == "-";
  if (isPrinted) {
    if (const int code = console.print(text); code != kSuccess) return code;
  } else if (const auto fault = io::writeFileAtomically(arguments.output, text)) {
    return console.fail(*fault);
  }
  const bool isReached = std::ranges::any_of(all.ways, [](const ArmWay& way) { return !way.collides; });
  return arguments.requiresReached && !isReached ? kNotReached : kSuccess;
}

}  // namespace limber::app
