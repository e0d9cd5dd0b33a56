// SPDX-License-Identifier: MIT
#include "limber/posing/refinements/hard_goals.h"

#include <algorithm>

#include "limber/posing/refinements/refinements.h"

namespace limber {

namespace {

// What each is derived from or measured by: docs/theory/hard_goals_and_contacts.md.
constexpr int kMaxRounds = 5;         // of updates
constexpr int kMaxRoundsApart = 10;   // where links are kept apart
constexpr int kMaxFailures = 2;       // of rounds in a row
constexpr int kMaxFailuresApart = 5;  // of what keeps links apart: capsules beside each other share one force anew
constexpr double kTolerance = 1e-5;   // of |r|: mean link lengths, radians
constexpr double kApart = 5e-5;       // likewise, of what keeps links apart
constexpr double kDragged = 1.5e-4;   // likewise, of what is dragged
constexpr double kNoPull = 1e6;       // mean link lengths: a one-sided goal moved so far is met anywhere
constexpr double kProgress = 0.9;     // a round must leave less than this part of |r|

/// The same end effector with the same force.
bool isOfTheSame(const GoalItem& a, const GoalItem& b) {
  return a.type == b.type && a.link == b.link && a.weight == b.weight && a.pointInLink == b.pointInLink;
}

}  // namespace

void HardGoals::begin(const std::shared_ptr<const Figure>& figure, PosedProblem& posed, bool dragGoesOn,
                      const Ahead& ahead) {
  std::vector<Held> before = figure == figure_ ? std::move(held_) : std::vector<Held>{};
  if (!dragGoesOn) std::erase_if(before, [](const Held& held) { return held.isDragged(); });
  figure_ = figure;
  held_.clear();
  round_ = 0;
  for (const PosedGoal& goal : posed.goals)
    if (goal.isShifted())
      hold(posed,
           {.item = goal.item,
            .pair = {},
            .place = goal.place,
            .yields = !goal.support.empty(),
            .isGentle = goal.isGentle || goal.isExact,
            .tolerance = goal.tolerance,
            .mostShift = posed.objective->forceLimit(goal.place) / posed.objective->goals()[goal.place]->weight()},
           before, ahead);
  for (const PosedContact& contact : posed.contacts)
    hold(posed, {.item = {}, .pair = contact.pair, .place = contact.place}, before, ahead);
}

void HardGoals::hold(PosedProblem& posed, Held held, const std::vector<Held>& before, const Ahead& ahead) {
  const auto old = std::find_if(before.begin(), before.end(), [&](const Held& other) {
    if (held.pair || other.pair) return held.pair == other.pair;
    if (held.isDragged() != other.isDragged() || !isOfTheSame(other.item, held.item)) return false;
    return held.isDragged() ||
           (other.item.target == held.item.target && other.item.targetFrame == held.item.targetFrame);
  });
  held.shift = posed.objective->residualShift(held.place);
  const bool isOfTheSameSize = old != before.end() && old->helpful.size() == held.shift.size();  // supports change
  const bool goesOn = held.isDragged() || ahead.isKnown();  // else what held last time holds again
  if (isOfTheSameSize) held.shift = goesOn ? bestShift(*old) : old->helpful;
  if (isOfTheSameSize && goesOn) {
    held.before = held.shift;
    if (old->before.size() == held.shift.size()) held.change = held.shift - old->before;
    if (held.change.size() > 0) held.shift += ahead.last * held.change;
    if (old->change.size() == held.shift.size()) held.shift += ahead.before * old->change;
    held.shift = limited(held, held.shift);
  }
  held.helpful = held.shift;
  posed.objective->setResidualShift(held.place, held.shift);
  held_.push_back(std::move(held));
}

bool HardGoals::update(PosedProblem& posed, const std::vector<Residual>& residuals, Pose& pose) {
  for (Held& held : held_) judge(held, residuals[held.place]);
  if (std::all_of(held_.begin(), held_.end(), [](const Held& held) { return held.failures == 0; })) poseBefore_ = pose;
  if (round_++ >= (posed.contacts.empty() ? kMaxRounds : kMaxRoundsApart)) return false;
  bool isWanted = dropStuck();
  if (isWanted) pose = poseBefore_;
  else
    for (Held& held : held_) {
      if (held.isStuck || !isUnmet(held)) continue;
      held.shift = bestShift(held);
      isWanted = true;
    }
  for (const Held& held : held_) posed.objective->setResidualShift(held.place, held.shift);
  return isWanted;
}

/// No more than the force that drags it at most.
Residual HardGoals::limited(const Held& held, const Residual& shift) {
  const double size = shift.norm();
  return size > held.mostShift ? Residual(held.mostShift / size * shift) : shift;
}

/// That with which nothing would be left, as far as is known.
Residual HardGoals::bestShift(const Held& held) {
  const bool isJudged = held.left.size() == held.shift.size() && !held.isStuck;
  return isJudged ? limited(held, held.shift + held.left) : held.helpful;
}

double HardGoals::toleranceOf(const Held& held) {
  if (held.pair) return kApart;
  return held.tolerance > 0.0 ? held.tolerance : held.isDragged() ? kDragged : kTolerance;
}

bool HardGoals::isUnmet(const Held& held) { return held.left.norm() > toleranceOf(held) && !held.isSpent(); }

void HardGoals::judge(Held& held, const Residual& residual) const {
  const double before = held.left.norm();
  held.left = residual - held.shift;
  const bool isMet = !isUnmet(held);
  const bool helped = isMet || round_ == 0 || held.left.norm() <= kProgress * before;
  if (held.isStuck) return;
  held.failures = helped ? 0 : held.failures + 1;
  if (helped) held.helpful = held.shift;
}

/// Takes back what the rounds that did not help have added. True when there was any.
bool HardGoals::dropStuck() {
  const bool isTorn = std::any_of(held_.begin(), held_.end(), [](const Held& held) {
    return !held.yields && !held.pair && !held.isGentle && !held.isDragged() && !held.isStuck &&
           held.failures >= kMaxFailures;
  });
  if (!isTorn || !drop(true)) return drop(false);
  for (Held& held : held_) {  // begin anew, without it
    held.failures = 0;
    if (!held.isStuck) held.shift = held.helpful;
  }
  round_ = 0;
  return true;
}

int HardGoals::mostFailures(const Held& held) {
  if (held.pair) return kMaxFailuresApart;
  if (held.tolerance > 0.0) return kMaxFailures;
  return held.yields || held.isGentle || held.isDragged() ? 1 : kMaxFailures;
}

/// Of those that yield, or of the others.
bool HardGoals::drop(bool yielding) {
  bool dropped = false;
  for (Held& held : held_) {
    if (held.yields != yielding || held.isStuck || held.failures < mostFailures(held)) continue;
    held.isStuck = dropped = true;
    held.failures = 0;
    held.shift = held.helpful;
    if (yielding) held.shift.setConstant(kNoPull);
  }
  return dropped;
}

void HardGoals::copyShifts(const PosedProblem& from, PosedProblem& to) {
  auto source = from.goals.begin();
  for (const PosedGoal& goal : to.goals) {
    if (!goal.isShifted()) continue;
    while (!source->isShifted()) ++source;
    to.objective->setResidualShift(goal.place, from.objective->residualShift(source->place));
    ++source;
  }
  for (std::size_t i = 0; i < to.contacts.size(); ++i)
    to.objective->setResidualShift(to.contacts[i].place, from.objective->residualShift(from.contacts[i].place));
}

bool MultiplierUpdates::refine(Solve& solve) {
  return solve.request.staying->isOn() == whereSomethingStays_ &&
         solve.hardGoals.update(solve.posed, solve.workspace.current.residuals, solve.pose);
}

}  // namespace limber
