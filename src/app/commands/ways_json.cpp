// SPDX-License-Identifier: MIT
#include "app/commands/ways_json.h"

#include "app/commands/report_json.h"
#include "limber/io/json/pose_json.h"
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
  const double metresPerUnit = document.figure->fileFrame().metresPerUnit;
  OrderedJson result = OrderedJson::object();
  if (!way.shoulder.empty())
    result["branch"] = {{"shoulder", way.shoulder}, {"elbow", way.elbow}, {"wrist", way.wrist}};
  if (way.curve >= 0) result["curve"] = way.curve;
  result["distance"] = way.distance;
  result["manipulability"] = numberOrNull(way.manipulability);
  result["error"] = way.error / metresPerUnit;
  result["angle"] = way.angle;
  result["windings"] = way.windings;
  if (!way.freeJoints.empty()) result["free_joints"] = namesOfJoints(document, way.freeJoints);
  if (way.nearestLink >= 0) {
    result["clearance"] = way.clearance / metresPerUnit;
    result["collides"] = way.collides;
    result["nearest"] = {{"link", document.figure->link(way.nearestLink).name}, {"with", way.nearestOther}};
  }
  result["pose"] = poseOfWay(document, way.pose);
  return result;
}

OrderedJson curveJson(const Document& document, const WayCurve& curve) {
  OrderedJson result = {{"closed", curve.isClosed}, {"ends_at_limits", curve.endsAtLimits}};
  for (const double clearance : curve.clearances)
    result["clearances"].push_back(clearance / document.figure->fileFrame().metresPerUnit);
  for (const char collides : curve.collides) result["collides"].push_back(collides != 0);
  for (const Pose& pose : curve.poses) result["poses"].push_back(poseOfWay(document, pose));
  return result;
}

}  // namespace

io::OrderedJson allWaysJson(const Document& document, const AllWays& all) {
  OrderedJson result = {{"complete", all.isComplete},
                        {"reason", all.reason},
                        {"shape", all.shape},
                        {"outside_limits", all.outsideLimits},
                        {"ways", OrderedJson::array()}};
  if (all.isCompared) result["colliding"] = all.colliding;
  for (const ArmWay& way : all.ways) result["ways"].push_back(wayJson(document, way));
  for (const WayCurve& curve : all.curves) result["curves"].push_back(curveJson(document, curve));
  return result;
}

}  // namespace limber::app
