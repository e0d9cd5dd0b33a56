// SPDX-License-Identifier: MIT
#include "limber/posing/posed_goal.h"

#include <algorithm>
#include <cmath>

#include "limber/posing/completed_request.h"
#include "limber/posing/staying.h"
#include "limber/problem/goal_error.h"
#include "limber/problem/goal_types.h"

namespace limber {

namespace {

/// A hard goal must outweigh the drag that pulls at it, or the multiplier updates would need many rounds.
constexpr double kHardWeight = 1000.0;

/// A goal weighs 100 times as much as a goal of the next priority, over at most three priorities: a larger ratio would
/// lose the last ones to rounding. Multiplier updates then meet it exactly.
constexpr double kOutweighs = 100.0, kMostOutweighed = 3.0;

/// A swivel that limits block moves no target by more than the tolerance of "reached", and still outweighs the pull to
/// rest. Multiplier updates meet it.
constexpr double kGentleWeight = 1e-3;

// Tolerances of multiplier updates; what each is derived from: docs/theory/hard_goals_and_contacts.md.
constexpr double kTolerance = kHoldTolerance;  // of swivels and of goals that outrank others
constexpr double kDragged = 1.5e-4;            // of a drag with a limited force
constexpr double kNaturalTolerance = 0.95;     // of natural poses, relative to the tolerance of "reached"

PosedGoal posedPlanted(const GoalItem& item, const Branches& branches) {
  PosedGoal goal{.item = item, .isLive = isLive(branches, item)};
  if (infoOf(item.type).isGentle) goal.item.weight *= kGentleWeight;
  return goal;
}

PosedGoal posedDrag(const DragGoal& drag) {
  PosedGoal goal{.item = itemOf(drag), .source = GoalSource::Drag};
  goal.item.id = -1;
  goal.item.name = "drag";
  return goal;
}

PosedGoal posedHold(const Hold& hold) {
  PosedGoal goal{.item = hold.goal,
                 .source = GoalSource::Hold,
                 .strength = Strength::Hard,
                 .force = hold.force,
                 .tolerance = hold.tolerance};
  goal.item.id = -1;
  goal.item.name = "held point";
  goal.item.weight *= kHardWeight;
  if (hold.goal.type == GoalType::PositionOrientation) goal.item.weight *= 2.0;  // half of it for each part
  return goal;
}

PosedGoal posedPin(const Pin& pin) {
  const bool isBoth = pin.position && pin.rotation;
  const GoalType one = pin.position ? GoalType::Position : GoalType::Orientation;
  PosedGoal goal = posedHold({.goal = {.type = isBoth ? GoalType::PositionOrientation : one,
                                       .link = pin.link,
                                       .pointInLink = pin.pointInLink,
                                       .target = pin.worldFromLink * pin.pointInLink,
                                       .targetFrame = pin.worldFromLink.rotation}});
  goal.item.name = "pin";
  goal.source = GoalSource::Pin;
  return goal;
}

PosedGoal posedBalance(const std::vector<SupportGoal::Side>& support) {
  PosedGoal goal = posedHold({.goal = {.type = GoalType::CentreOfMass}});
  goal.item.name = "balance";
  goal.source = GoalSource::Balance;
  goal.support = support;
  return goal;
}

/// Preferences are goals if the problem has no other goal.
void setStrengths(std::vector<PosedGoal>& goals) {
  const auto isGoal = [](const PosedGoal& goal) {
    return goal.isAsked() && goal.item.weight > 0.0 && !isPreference(goal.item);
  };
  if (std::ranges::none_of(goals, isGoal)) return;
  for (PosedGoal& goal : goals)
    if (goal.strength == Strength::Goal && isPreference(goal.item)) goal.strength = Strength::Preference;
}

/// Goals with a smaller priority number outweigh the others.
void rankGoals(std::vector<PosedGoal>& goals) {
  std::vector<int> priorities;
  for (const PosedGoal& goal : goals)
    if (goal.isAsked()) priorities.push_back(goal.item.priority);
  std::ranges::sort(priorities);
  priorities.erase(std::unique(priorities.begin(), priorities.end()), priorities.end());
  for (PosedGoal& goal : goals) {
    if (!goal.isAsked() || infoOf(goal.item.type).kept) continue;
    goal.outranked = static_cast<int>(priorities.end() - std::ranges::upper_bound(priorities, goal.item.priority));
    goal.item.weight *= std::pow(kOutweighs, std::min<double>(goal.outranked, kMostOutweighed));
  }
}

/// The rule of multiplier updates: the residual at which they end, and how many rounds in a row may fail.
///
///                        tolerance            patience
///   hard                 its own              2, balance 1
///   natural pose         that of "reached"    2       a weak prior would keep targets from being met
///   limited force        kDragged             1
///   swivel, outranking   kTolerance           1
///   other goals          no updates           -       their weights decide
///
/// natural: the tolerance of a natural pose; infinite for other poses.
void setUpdates(PosedGoal& goal, double natural) {
  const GoalTypeInfo& info = infoOf(goal.item.type);
  const bool isNatural = natural < PosedGoal::kInfinity && !info.isGentle;
  if (goal.strength == Strength::Hard) goal.patience = goal.source == GoalSource::Balance ? 1 : 2;
  else if (info.kept) return;
  else if (isNatural) goal.tolerance = natural, goal.patience = 2;
  else if (goal.isPulled()) goal.tolerance = kDragged;
  else if (info.isGentle || goal.outranked > 0) goal.tolerance = kTolerance;
}

double naturalTolerance(const IkProblem& problem) {
  const Tolerance tolerance = toleranceOf(problem);
  return kNaturalTolerance * std::min(tolerance.length / problem.figure->meanLinkLength(), tolerance.angle);
}

}  // namespace

GoalItem itemOf(const DragGoal& drag) {
  return {.link = drag.link,
          .pointInLink = drag.pointInLink,
          .target = drag.target,
          .chain = drag.chain,
          .weight = drag.weight};
}

std::vector<PosedGoal> posedGoals(const IkProblem& problem, const CompletedRequest& request, const Branches& branches) {
  std::vector<PosedGoal> goals;
  for (const GoalItem& item : problem.goals)
    if (item.enabled) goals.push_back(posedPlanted(item, branches));
  if (request.drag) goals.push_back(posedDrag(*request.drag));
  for (const GoalItem& image : request.images) goals.push_back(posedPlanted(image, branches));
  for (const Hold& hold : request.holds) goals.push_back(posedHold(hold));
  for (const Pin& pin : problem.pins)
    if (pin.position || pin.rotation) goals.push_back(posedPin(pin));
  if (!goals.empty() && !request.support.empty()) goals.push_back(posedBalance(request.support));
  setStrengths(goals);
  for (PosedGoal& goal : goals)
    if (goal.isLive && goal.strength != Strength::Hard && request.staying->isPulled(goal.item))
      goal.force = request.staying->forceLimit(goal.item) * goal.item.weight;
  rankGoals(goals);
  const double natural = request.natural ? naturalTolerance(problem) : PosedGoal::kInfinity;
  for (PosedGoal& goal : goals) setUpdates(goal, natural);
  return goals;
}

}  // namespace limber
