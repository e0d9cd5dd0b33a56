// SPDX-License-Identifier: MIT
#include "app/editing/why.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "limber/problem/goal_types.h"

namespace limber::app {

namespace {

constexpr double kDegreesPerRadian = 180.0 / std::numbers::pi;

bool isLinear(LimitKind kind) {
  return kind == LimitKind::LinearLower || kind == LimitKind::LinearUpper || kind == LimitKind::Equality;
}

std::string valueText(double value, bool isLength) {
  char text[32];
  if (isLength) std::snprintf(text, sizeof text, "%.1f mm", 1e3 * value);
  else std::snprintf(text, sizeof text, "%.1f°", kDegreesPerRadian * value);
  return text;
}

std::string linearInWords(const Figure& figure, const ActiveLimit& limit, bool isLength) {
  const LinearLimit& linear = figure.linearLimits()[limit.index];
  const std::string sum = sumInWords(figure, linear);
  if (limit.kind == LimitKind::LinearLower) return sum + " >= " + valueText(linear.bounds.lower, isLength);
  if (limit.kind == LimitKind::LinearUpper) return sum + " <= " + valueText(linear.bounds.upper, isLength);
  return sum + " = " + valueText(linear.bounds.upper, isLength);
}

/// The goals that are proved out of reach, with the remaining error: "left_hand (12.0 mm left)".
std::string unreachableGoals(const Document& document, const PosingReport& report) {
  std::string names;
  for (const GoalReport& goal : report.goals)
    if (goal.outOfReach && !goal.reached)
      names += (names.empty() ? "" : ", ") + nameOf(document, goal) + " (" + valueText(goal.error, true) + " left)";
  return names;
}

}  // namespace

std::string sumInWords(const Figure& figure, const LinearLimit& limit) {
  std::string text;
  for (const LinearLimit::Term& term : limit.terms) {
    const double size = std::abs(term.coefficient);
    if (!text.empty()) text += term.coefficient < 0.0 ? " - " : " + ";
    else if (term.coefficient < 0.0) text += "-";
    char factor[32];
    std::snprintf(factor, sizeof factor, "%.3g ", size);
    if (size != 1.0) text += factor;
    text += figure.joint(term.joint).name;
  }
  return text;
}

std::string outcomeInWords(const Document& document, const PosingReport& report) {
  constexpr const char* kLocal = "No better pose nearby; there may be one elsewhere.";
  switch (report.outcome) {
    case Outcome::Idle: return "Nothing has been solved yet.";
    case Outcome::Reached: return "Reached: all goals are met, as new forward kinematics confirm.";
    case Outcome::AtLimits: return std::string("At limits: joints at their limits hold the pose back. ") + kLocal;
    case Outcome::NearestFound: return std::string("Nearest found. ") + kLocal;
    case Outcome::OutOfReach:
      return "Out of reach, proved: " + unreachableGoals(document, report) +
             ": farther away than the links could stretch in any pose.";
    case Outcome::Stalled: return "Stalled: the solver makes no progress, but a better pose may be near.";
    case Outcome::IterationCap: return "Iteration cap: the solver was stopped before it had converged.";
    case Outcome::BudgetSpent: return "Time limit: the solve was cut short before it had converged.";
    case Outcome::Cancelled: return "Cancelled: the pose is the last one of the cancelled solve.";
    case Outcome::BadInput: return "Not solved: " + report.sentence;
  }
  return {};
}

bool isLengthLimit(const Figure& figure, const ActiveLimit& limit) {
  const auto joints = jointsOf(figure, limit);
  return !joints.empty() && figure.joint(joints.front()).type == JointType::Prismatic;
}

std::string limitInWords(const Document& document, const ActiveLimit& limit) {
  const Figure& figure = *document.figure;
  const bool isLength = isLengthLimit(figure, limit);
  if (isLinear(limit.kind)) return linearInWords(figure, limit, isLength);
  const JointSettings& settings = document.joints[limit.index];
  switch (limit.kind) {
    case LimitKind::Lower: return "lower limit " + valueText(settings.limits.lower, isLength);
    case LimitKind::Upper: return "upper limit " + valueText(settings.limits.upper, isLength);
    case LimitKind::Swing: return "swing cone " + valueText(settings.ballLimits.swing, false);
    case LimitKind::TwistLower: return "twist limit " + valueText(settings.ballLimits.twist.lower, false);
    case LimitKind::TwistUpper: return "twist limit " + valueText(settings.ballLimits.twist.upper, false);
    default: return {};
  }
}

std::string ownerOf(const Document& document, const ActiveLimit& limit) {
  const Figure& figure = *document.figure;
  if (!isLinear(limit.kind)) return figure.joint(limit.index).name;
  const LinearLimit& linear = figure.linearLimits()[limit.index];
  return linear.name.empty() ? sumInWords(figure, linear) : linear.name;
}

std::vector<int> jointsOf(const Figure& figure, const ActiveLimit& limit) {
  if (!isLinear(limit.kind)) return {limit.index};
  std::vector<int> joints;
  for (const auto& term : figure.linearLimits()[limit.index].terms) joints.push_back(term.joint);
  return joints;
}

std::vector<int> blockedJoints(const Figure& figure, const PosingReport& report) {
  std::vector<int> joints = report.limitedJoints;
  for (const ActiveLimit& limit : report.activeLimits)
    if (limit.multiplier != 0.0)
      for (const int joint : jointsOf(figure, limit)) joints.push_back(joint);
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  return joints;
}

double gainOf(const Figure& figure, const ActiveLimit& limit) {
  return std::abs(limit.multiplier) * (isLengthLimit(figure, limit) ? 1e-3 : 1.0 / kDegreesPerRadian);
}

std::string nameOf(const Document& document, const GoalReport& goal) {
  if (goal.pinnedLink >= 0) return "pin on " + document.figure->link(goal.pinnedLink).name;
  if (const GoalItem* item = findGoal(document, goal.id)) return titleOf(*item);
  if (goal.heldLink >= 0) return "held: " + document.figure->link(goal.heldLink).name;
  return "the drag";
}

}  // namespace limber::app
