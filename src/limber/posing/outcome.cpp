// SPDX-License-Identifier: MIT
#include "limber/posing/outcome.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "limber/posing/certify.h"

namespace limber {

namespace {

/// The deepest contact that penetrates more than allowed; null for none. Contacts are sorted by depth.
const ContactReport* deepestInside(const PosingReport& report) {
  const auto deepest = std::find_if(report.contacts.begin(), report.contacts.end(),
                                    [](const ContactReport& contact) { return contact.isInside; });
  return deepest == report.contacts.end() ? nullptr : &*deepest;
}

std::string angleText(double radians) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g\u00b0", 180.0 / std::numbers::pi * radians);
  return text;
}

/// True for a goal that keeps the outcome from being "reached".
bool isMissed(const GoalReport& goal) { return goal.live && !goal.isPreference && !goal.reached; }

/// "12 mm", "3 mm and 2 deg", "2 deg": the largest errors of goals that are not reached.
std::string leftText(const PosingReport& report) {
  double length = 0.0, angle = 0.0;
  for (const GoalReport& goal : report.goals) {
    if (!isMissed(goal)) continue;
    length = std::max(length, goal.error);
    angle = std::max(angle, goal.angle);
  }
  if (angle == 0.0) return lengthInWords(length);
  return length == 0.0 ? angleText(angle) : lengthInWords(length) + " and " + angleText(angle);
}

std::string nameOf(const Figure& figure, const ActiveLimit& limit) {
  switch (limit.kind) {
    case LimitKind::LinearLower:
    case LimitKind::LinearUpper:
    case LimitKind::Equality: return figure.linearLimits()[limit.index].name;
    default: return figure.joints()[limit.index].name;
  }
}

/// ", held back by left_elbow, 2 more joints and the pin on left_hand"; without a pin `pinned` is empty.
std::string limitText(const Figure& figure, const std::vector<ActiveLimit>& limits, const std::string& pinned) {
  std::vector<std::string> holders = {nameOf(figure, limits.front())};
  const std::size_t more = limits.size() - 1;
  if (more > 0) holders.push_back(std::to_string(more) + (more == 1 ? " more joint" : " more joints"));
  if (!pinned.empty()) holders.push_back("the pin on " + pinned);
  std::string text = ", held back by " + holders.front();
  for (std::size_t i = 1; i < holders.size(); ++i) text += (i + 1 < holders.size() ? ", " : " and ") + holders[i];
  return text;
}

/// The pin that holds the pose back the most, if its force is a fair part of the largest pull; null for none.
const GoalReport* holdingPin(const PosingReport& report) {
  constexpr double kFairPart = 0.1;
  double pull = 0.0;
  const GoalReport* holding = nullptr;
  for (const GoalReport& goal : report.goals) {
    if (goal.pinnedLink >= 0) {
      if (goal.reached && (!holding || goal.force > holding->force)) holding = &goal;
    } else if (isMissed(goal) && goal.heldLink < 0) {
      pull = std::max(pull, goal.force);
    }
  }
  return holding && pull > 0.0 && holding->force >= kFairPart * pull ? holding : nullptr;
}

/// ", the pin on left_hand holds it back", if no limit has a larger force; otherwise, at limits, the joint whose limit
/// has the largest force, and the pin if it holds back, too.
std::string blockText(const Figure& figure, const PosingReport& report) {
  const bool isAtLimits = report.outcome == Outcome::AtLimits;
  const GoalReport* pin = isAtLimits || report.outcome == Outcome::NearestFound ? holdingPin(report) : nullptr;
  if (pin && (!isAtLimits || pin->force >= std::abs(report.activeLimits.front().multiplier)))
    return ", the pin on " + figure.link(pin->pinnedLink).name + " holds it back";
  if (!isAtLimits) return {};
  return limitText(figure, report.activeLimits, pin ? figure.link(pin->pinnedLink).name : std::string());
}

/// ", the pull to the reference holds it back": the cause other than limits, pins and contacts.
std::string heldText(const PosingReport& report) {
  switch (report.heldBy) {
    case HeldBy::Nothing: return "";
    case HeldBy::EachOther: return ", the goals pull against each other";
    case HeldBy::Goal: return ", " + report.holder + " holds it back";
    case HeldBy::Preference: return ", " + report.holder + ", a preference, holds it back";
    case HeldBy::Pull: return ", the pull to the reference holds it back";
    case HeldBy::Body: return ", the rest of the body holds it back";
  }
  return "";
}

/// "1.1 m left, whatever the joints do; its direction, which the weights decide, is 40 deg off": the largest errors of
/// goals that are proved to be out of reach.
std::string outOfReachText(const PosingReport& report) {
  double length = 0.0, angle = 0.0, decided = 0.0;
  for (const GoalReport& goal : report.goals) {
    if (!isMissed(goal) || !goal.outOfReach) continue;
    length = std::max(length, goal.error);
    (goal.directionOutOfReach ? angle : decided) = std::max(goal.directionOutOfReach ? angle : decided, goal.angle);
  }
  std::string text = length == 0.0 ? angleText(angle) : lengthInWords(length);
  if (length > 0.0 && angle > 0.0) text += " and " + angleText(angle);
  text += " left, whatever the joints do";
  if (decided > 0.0) text += "; the direction, which the weights decide, is " + angleText(decided) + " off";
  return text;
}

/// ", the pin on left_foot is off by 3 mm": the pin with the largest error.
std::string pinText(const Figure& figure, const PosingReport& report) {
  const GoalReport* worst = nullptr;
  for (const GoalReport& goal : report.goals)
    if (goal.pinnedLink >= 0 && !goal.reached && (!worst || goal.objective > worst->objective)) worst = &goal;
  if (!worst) return {};
  return ", the pin on " + figure.link(worst->pinnedLink).name + " is off by " +
         (worst->error > 0.0 ? lengthInWords(worst->error) : angleText(worst->angle));
}

/// ", the loop "rod" is open by 3 mm": the loop with the largest gap, and how many more are open.
std::string loopText(const PosingReport& report) {
  if (report.openLoops.empty()) return {};
  const auto worst = std::ranges::max_element(report.openLoops, {}, [](const OpenLoop& loop) {
    return std::max(loop.gap.length / LoopGap::kLength, loop.gap.angle / LoopGap::kAngle);
  });
  const bool isOfLength = worst->gap.length > LoopGap::kLength;
  std::string text = ", the loop \"" + worst->name + "\" is open by " +
                     (isOfLength ? lengthInWords(worst->gap.length) : angleText(worst->gap.angle));
  if (const std::size_t more = report.openLoops.size() - 1; more > 0)
    text += " and " + std::to_string(more) + (more == 1 ? " more loop" : " more loops");
  return text;
}

/// ", balance holds it back", or by how much balance is lost if no pose within the limits keeps it.
std::string balanceText(const PosingReport& report) {
  if (!report.balance) return {};
  if (!report.balance->isKept)
    return ", balance is lost: the centre of mass is " + lengthInWords(-report.balance->margin) +
           " outside its support";
  return report.balance->holdsBack && report.outcome != Outcome::Reached ? ", balance holds it back" : "";
}

/// ", limits exceeded by 0.012 rad or m": the violation of a penalty method before its pose was projected to the
/// limits.
std::string overstepText(const PosingReport& report) {
  constexpr double kToldOverstep = 1e-6;
  if (!(report.summary.overstep > kToldOverstep)) return {};
  char text[64];
  std::snprintf(text, sizeof text, ", limits exceeded by %.2g rad or m", report.summary.overstep);
  return text;
}

/// ", relaxation tight (rank 1)"; ", relaxation not tight (rank 3): at most 12 mm better is possible".
std::string relaxationText(const PosingReport& report) {
  const RelaxationSummary& relaxation = report.summary.relaxation;
  if (relaxation.rank == 0) return {};
  const std::string rank = "tight (rank " + std::to_string(relaxation.rank) + ")";
  if (relaxation.isTight) return ", relaxation " + rank;
  return ", relaxation not " + rank + ": at most " + gapInWords(relaxation.cost - relaxation.leastCost) +
         " better is possible";
}

/// ", the target is inside obstacle "table"", for the first such goal; otherwise ", obstacle "table" stops left_hand",
/// for the first such contact.
std::string stopText(const Figure& figure, const PosingReport& report) {
  for (const GoalReport& goal : report.goals)
    if (isMissed(goal) && goal.insideObstacle >= 0) return ", the target is inside " + goal.insideOf;
  const auto stopping = std::find_if(report.contacts.begin(), report.contacts.end(),
                                     [](const ContactReport& contact) { return contact.stops; });
  if (stopping == report.contacts.end()) return {};
  return ", " + stopping->other + " stops " + figure.link(stopping->link).name;
}

/// "right_hand is 4 mm inside obstacle "box", no way out from here", or "right_hand is only 12 mm from obstacle "box",
/// ..." if it is nearer than the safety distance.
std::string insideText(const Figure& figure, const ContactReport& contact, bool isSeen) {
  const bool isApart = contact.clearance >= 0.0;
  const std::string how =
      isApart ? "only " + lengthInWords(contact.clearance) + " from " : lengthInWords(-contact.clearance) + " inside ";
  return figure.link(contact.link).name + " is " + how + contact.other + (isSeen ? ", no way out from here" : "");
}

/// True if a larger force would bring a missed goal nearer.
bool isForceSpent(const PosingReport& report) {
  return std::ranges::any_of(report.goals, [](const GoalReport& goal) { return isMissed(goal) && goal.isForceSpent; });
}

/// The part of a sentence about contacts.
std::string contactText(const Figure& figure, const PosingReport& report) {
  std::string text = report.seesContacts ? stopText(figure, report) : "";
  if (const ContactReport* inside = deepestInside(report))
    text += ", " + insideText(figure, *inside, report.seesContacts);
  return report.seesContacts ? text : text + ", this solver does not see obstacles";
}

}  // namespace

std::string_view outcomeName(Outcome outcome) {
  constexpr std::array<std::string_view, 10> kNames = {"idle",         "reached",  "at limits",     "nearest found",
                                                       "out of reach", "stalled",  "iteration cap", "budget spent",
                                                       "cancelled",    "bad input"};
  return kNames[static_cast<std::size_t>(outcome)];
}

Outcome outcomeOf(const PosingReport& report) {
  switch (report.summary.status) {
    case SolveStatus::BadInput: return Outcome::BadInput;
    case SolveStatus::Cancelled: return Outcome::Cancelled;
    case SolveStatus::BudgetSpent: return Outcome::BudgetSpent;
    default: break;
  }
  const auto outOfReach = [](const GoalReport& goal) { return isMissed(goal) && goal.outOfReach; };
  const bool falls = report.balance && !report.balance->isKept;
  const bool isKept = !falls && !deepestInside(report) && report.openLoops.empty();
  if (isKept && std::ranges::none_of(report.goals, isMissed)) return Outcome::Reached;
  if (std::any_of(report.goals.begin(), report.goals.end(), outOfReach)) return Outcome::OutOfReach;
  if (report.summary.status == SolveStatus::IterationCap) return Outcome::IterationCap;
  if (report.summary.status != SolveStatus::Converged) return Outcome::Stalled;
  return report.activeLimits.empty() ? Outcome::NearestFound : Outcome::AtLimits;
}

std::string lengthInWords(double metres) {
  char text[32];
  if (metres < 1.0) std::snprintf(text, sizeof text, "%.3g mm", 1e3 * metres);
  else std::snprintf(text, sizeof text, "%.3g m", metres);
  return text;
}

std::string sentenceOf(const Figure& figure, const PosingReport& report) {
  std::string text(report.outcome == Outcome::BudgetSpent ? "time limit" : outcomeName(report.outcome));
  if (report.outcome == Outcome::Reached) {
    if (!report.seesContacts) text += contactText(figure, report);
    return text + overstepText(report) + relaxationText(report);
  }
  const bool isMissing =
      deepestInside(report) || !report.openLoops.empty() || std::ranges::any_of(report.goals, isMissed);
  if (report.outcome == Outcome::BudgetSpent && !isMissing)
    return "reached (time limit)" + balanceText(report) + overstepText(report);
  text += ": " + (report.outcome == Outcome::OutOfReach ? outOfReachText(report) : leftText(report) + " left");
  const std::string block = blockText(figure, report);
  text += block;
  const std::string contact = contactText(figure, report);
  const bool saysWhy = !contact.empty() || !block.empty() || report.heldBy != HeldBy::Nothing;
  if (report.outcome != Outcome::OutOfReach && contact.empty() && isForceSpent(report))
    text = std::string(outcomeName(report.outcome)) + ": stopped " + leftText(report) + " short" + block;
  else if (report.outcome == Outcome::NearestFound && !saysWhy) text += ", no way closer from here";
  else text += heldText(report);
  return text + contact + loopText(report) + pinText(figure, report) + balanceText(report) + overstepText(report) +
         relaxationText(report);
}

}  // namespace limber
