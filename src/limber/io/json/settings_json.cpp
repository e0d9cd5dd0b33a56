// SPDX-License-Identifier: MIT
#include "limber/io/json/scene_parts.h"

namespace limber::io {

void readJointSettings(const JsonValue& value, const Joint& joint, double metresPerUnit, JointSettings& settings) {
  if (const auto limits = value.find("limits")) {
    const double unit = joint.type == JointType::Prismatic ? metresPerUnit : 1.0;
    const Interval interval = intervalFromJson(*limits);
    settings.limits = {interval.lower * unit, interval.upper * unit};
  }
  if (const auto limits = value.find("ball_limits")) {
    if (joint.type != JointType::Ball) limits->fail("belongs to ball joints only");
    settings.ballLimits = ballLimitsFromJson(*limits);
  }
  if (const auto rigidity = value.find("rigidity")) settings.rigidity = rigidity->numberIn(0.0, 1.0);
  if (const auto locked = value.find("locked")) settings.locked = locked->boolean();
  if (const auto locked = value.find("translation_locked")) settings.translationLocked = locked->boolean();
  if (const auto preferred = value.find("preferred")) {
    if (joint.type != JointType::Revolute) preferred->fail("belongs to revolute joints only");
    settings.preferred = preferred->number();
  }
}

void readSolverSettings(const JsonValue& value, SolverSettings& settings) {
  if (const auto insist = value.find("insist")) settings.insist = insist->boolean();
  if (const auto independent = value.find("path_independent")) settings.pathIndependent = independent->boolean();
  if (const auto posing = value.find("posing")) {
    const auto choice = findPosing(posing->text());
    if (!choice) posing->fail("must be \"natural\", \"still\" or \"even\"");
    settings.posing = *choice;
  }
  if (const auto follows = value.find("body_follows")) settings.bodyFollows = follows->numberIn(0.0, 1.0);
}

void appendSolverSettings(const SolverSettings& settings, OrderedJson& out) {
  if (settings.insist) out["insist"] = true;
  if (settings.pathIndependent) out["path_independent"] = true;
  if (settings.posing != PosingChoice::Even) out["posing"] = posingName(settings.posing);
  if (settings.bodyFollows != 0.0) out["body_follows"] = toJson(settings.bodyFollows);
}

}  // namespace limber::io
