// SPDX-License-Identifier: MIT
#include "limber/problem/goal_types.h"

#include <cassert>
#include <cmath>

namespace limber {

namespace {

bool isScale(double value) { return value >= 0.0 && std::isfinite(value); }

bool isLinkOf(const Figure& figure, int link) { return link >= 0 && link < figure.linkCount(); }

std::string findEndFault(const GoalItem& i, const Figure& figure) {
  if (!isLinkOf(figure, i.link)) return "names a link that does not exist";
  if (!i.pointInLink.allFinite()) return "the end effector is not finite";
  if (!isRotation(i.frameInLink) || !isRotation(i.targetFrame)) return "a frame is not a rotation";
  if (!isScale(i.directionScale[0]) || !isScale(i.directionScale[1])) return "a direction's scale is not a number >= 0";
  if (!(i.positionShare >= 0.0 && i.positionShare <= 1.0)) return "the share of the position is outside [0, 1]";
  return {};
}

std::string findOtherFault(const GoalItem& i, const Figure& figure) {
  if (infoOf(i.type).other == OtherLink::Required && i.otherLink < 0) return "names no other link";
  if (!isTied(i)) return {};
  if (!isLinkOf(figure, i.otherLink)) return "names another link that does not exist";
  if (i.otherLink == i.link) return "ties a link to itself";
  if (!i.pointInOther.allFinite() || !isRotation(i.frameInOther)) return "the other end effector is not finite";
  return {};
}

std::string findOwnFault(const GoalItem& i, const Figure& figure) {
  const GoalTypeInfo& info = infoOf(i.type);
  if (!isScale(i.weight)) return "the weight is not a number >= 0";
  for (const int joint : i.chain)
    if (!isLinkOf(figure, joint)) return "the chain names a joint that does not exist";
  if (!info.kept && !i.target.allFinite()) return "the target is not finite";
  if (info.hasEndEffector())
    if (std::string fault = findEndFault(i, figure); !fault.empty()) return fault;
  if (const char* fault = info.fault ? info.fault(i, figure) : nullptr) return fault;
  return findOtherFault(i, figure);
}

}  // namespace

StandingGoal::StandingGoal(const IkProblem& p, const Kinematics& k, const GoalItem& i)
    : problem(p), kinematics(k), item(i) {
  if (!isLinkOf(*problem.figure, item.link)) return;
  point = kinematics.worldFromLink[item.link] * item.pointInLink;
  frame = kinematics.worldFromLink[item.link].rotation * item.frameInLink;
}

const GoalTypeInfo& infoOf(GoalType type) {
  const auto index = static_cast<std::size_t>(type);
  assert(index < goalTypes().size() && "a value of GoalType");
  return goalTypes()[index];
}

std::unique_ptr<Goal> makeGoal(const GoalItem& item, const Figure& figure, double weight) {
  const auto make = infoOf(item.type).make;
  return make ? make(item, figure, weight, nullptr) : nullptr;
}

void remakeGoal(const GoalItem& item, const Figure& figure, double weight, Goal& same) {
  infoOf(item.type).make(item, figure, weight, &same);
}

std::string findFault(const GoalItem& item, const Figure& figure) {
  const std::string fault = findOwnFault(item, figure);
  return fault.empty() ? fault : goalInWords(item) + ": " + fault;
}

std::string goalInWords(const GoalItem& item) {
  return item.name.empty() ? titleOf(item) : "goal \"" + item.name + "\"";
}

std::string titleOf(const GoalItem& item) { return item.name.empty() ? "goal " + std::to_string(item.id) : item.name; }

bool isPreference(const GoalItem& item) {
  const GoalTypeInfo& info = infoOf(item.type);
  return item.preference || info.kept || info.isGentle;
}

bool isTied(const GoalItem& item) { return item.otherLink >= 0 && infoOf(item.type).other != OtherLink::None; }

std::vector<int> linksOf(const GoalItem& item) {
  if (!infoOf(item.type).hasEndEffector()) return {};
  return isTied(item) ? std::vector{item.link, item.otherLink} : std::vector{item.link};
}

}  // namespace limber
