// SPDX-License-Identifier: MIT
#include "app/commands/info_json.h"

#include <cmath>

#include "app/commands/report_json.h"
#include "limber/io/json/pose_json.h"
#include "limber/scene/closed_rest.h"

namespace limber::app {

namespace {

using io::OrderedJson;

/// [lower, upper]; null for an open end.
OrderedJson limitsJson(const Interval& limits, double unit) {
  return OrderedJson::array({numberOrNull(limits.lower / unit), numberOrNull(limits.upper / unit)});
}

OrderedJson jointJson(const Document& document, int index) {
  const Figure& figure = *document.figure;
  const Joint& joint = figure.joint(index);
  const JointSettings& settings = document.joints[static_cast<std::size_t>(index)];
  OrderedJson json = {{"name", joint.name}, {"link", figure.link(index).name}, {"type", jointTypeName(joint.type)}};
  if (isScalar(joint)) {
    const double unit = unitOf(figure, index);
    json["limits"] = limitsJson(settings.limits, unit);
    if (std::isfinite(joint.velocityLimit)) json["velocity_limit"] = joint.velocityLimit / unit;
  }
  if (joint.type == JointType::Ball && settings.ballLimits.isBounded())
    json["ball_limits"] = {{"swing", settings.ballLimits.swing}, {"twist", limitsJson(settings.ballLimits.twist, 1.0)}};
  json["locked"] = settings.locked || settings.rigidity >= 1.0;
  return json;
}

/// q = offset + sum over terms of c1 x + c2 x^2 + ..., in the units of the file; a ball joint copies its driver.
OrderedJson couplingJson(const Figure& figure, const Coupling& coupling) {
  const Joint& follower = figure.joint(coupling.follower);
  const double unit = unitOf(figure, coupling.follower);
  OrderedJson json = {{"follower", follower.name}};
  if (isScalar(follower)) json["offset"] = coupling.offset / unit;
  for (const Coupling::Term& term : coupling.terms) {
    const Joint& driver = figure.joint(term.driver);
    OrderedJson entry = {{"driver", driver.name}};
    double power = 1.0 / unit;
    if (isScalar(follower))
      for (const double coefficient : term.coefficients) {
        power *= term.pointing ? 1.0 : unitOf(figure, term.driver);
        entry["coefficients"].push_back(coefficient * power);
      }
    json["terms"].push_back(std::move(entry));
  }
  return json;
}

/// "z", or "-z" for a file in which z points down.
std::string upAxisOf(const FileFrame& frame) {
  Eigen::Index up = 0;
  frame.sceneFromFile.row(1).cwiseAbs().maxCoeff(&up);
  return (frame.sceneFromFile(1, up) < 0.0 ? "-" : "") + std::string(1, "xyz"[up]);
}

}  // namespace

double unitOf(const Figure& figure, int joint) {
  return figure.joint(joint).type == JointType::Prismatic ? figure.fileFrame().metresPerUnit : 1.0;
}

OrderedJson infoJson(const io::Opened& opened) {
  const Document& document = opened.document;
  const Figure& figure = *document.figure;
  OrderedJson json = {{"figure", figure.name()},
                      {"metres_per_unit", figure.fileFrame().metresPerUnit},
                      {"up", upAxisOf(figure.fileFrame())}};
  for (const char* key : {"links", "joints", "sites", "couplings", "loops", "goals", "motions"})
    json[key] = OrderedJson::array();
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Link& link = figure.link(i);
    json["links"].push_back({{"name", link.name},
                             {"parent", link.parent < 0 ? OrderedJson() : OrderedJson(figure.link(link.parent).name)},
                             {"mass", link.mass}});
    json["joints"].push_back(jointJson(document, i));
  }
  for (const Site& site : figure.sites())
    json["sites"].push_back({{"name", site.name}, {"link", figure.link(site.link).name}});
  for (const Coupling& coupling : figure.couplings()) json["couplings"].push_back(couplingJson(figure, coupling));
  for (const LoopClosure& loop : figure.loops()) {
    const OrderedJson other = loop.other < 0 ? OrderedJson() : OrderedJson(figure.link(loop.other).name);
    json["loops"].push_back({{"name", loop.name},
                             {"type", loopKindName(loop.kind)},
                             {"links", OrderedJson::array({figure.link(loop.link).name, other})}});
  }
  json["degrees_of_freedom"] = degreesOfFreedom(document.figure);
  for (const GoalItem& goal : document.goals) json["goals"].push_back(goal.name);
  for (const auto& motion : motionsOf(document))
    json["motions"].push_back(
        {{"name", motion->name}, {"frames", motion->frameCount}, {"frame_time", motion->frameTime}});
  json["pose"] = io::poseToJson(figure, document.pose);
  json["notes"] = opened.notes;
  return json;
}

}  // namespace limber::app
