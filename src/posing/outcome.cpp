// SPDX-License-Identifier: MIT
#include "posing/outcome.h"

#include <algorithm>
#include <cstdio>

namespace limber {

std::string_view outcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::Idle: return "idle";
    case Outcome::Reached: return "reached";
    case Outcome::AtLimits: return "at limits";
    case Outcome::NearestFound: return "nearest found";
    case Outcome::OutOfReach: return "out of reach";
    case Outcome::Stalled: return "stalled";
    case Outcome::BudgetSpent: return "budget spent";
    case Outcome::Cancelled: return "cancelled";
    case Outcome::BadInput: return "bad input";
  }
  return "";
}

Outcome outcomeOf(const PosingReport& report) {
  switch (report.summary.status) {
    case SolveStatus::BadInput: return Outcome::BadInput;
    case SolveStatus::Cancelled: return Outcome::Cancelled;
    case SolveStatus::BudgetSpent: return Outcome::BudgetSpent;
    default: break;
  }
  const auto reached = [](const GoalReport& goal) { return goal.reached; };
  const auto outOfReach = [](const GoalReport& goal) { return goal.outOfReach && !goal.reached; };
  if (std::all_of(report.goals.begin(), report.goals.end(), reached)) return Outcome::Reached;
  if (std::any_of(report.goals.begin(), report.goals.end(), outOfReach)) return Outcome::OutOfReach;
  if (!report.limitedJoints.empty()) return Outcome::AtLimits;
  return report.summary.status == SolveStatus::Converged ? Outcome::NearestFound : Outcome::Stalled;
}

namespace {

std::string lengthText(double metres) {
  char text[32];
  if (metres < 1.0) std::snprintf(text, sizeof text, "%.3g mm", 1e3 * metres);
  else std::snprintf(text, sizeof text, "%.3g m", metres);
  return text;
}

std::string jointList(const Figure& figure, const std::vector<int>& joints) {
  std::string text = figure.joint(joints.front()).name;
  if (joints.size() == 2) text += " and " + figure.joint(joints[1]).name;
  if (joints.size() > 2) text += " and " + std::to_string(joints.size() - 1) + " more";
  return text + (joints.size() == 1 ? " blocks" : " block");
}

}  // namespace

std::string sentenceOf(const Figure& figure, const PosingReport& report) {
  std::string text(outcomeName(report.outcome));
  if (report.outcome == Outcome::Reached) return text;
  text += ": " + lengthText(report.worstError) + " left";
  if (report.outcome == Outcome::AtLimits) text += ", " + jointList(figure, report.limitedJoints);
  return text;
}

}  // namespace limber
