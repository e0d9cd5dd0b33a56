// SPDX-License-Identifier: MIT
#include "limber/posing/refinements/multipliers.h"

#include <algorithm>

#include "limber/posing/refinements/refinements.h"

namespace limber {

namespace {

// docs/theory/hard_goals_and_contacts.md says what each is derived from or measured by.
constexpr int kMaxRounds = 5;         // of updates
constexpr int kMaxRoundsApart = 10;   // of updates if there are contacts
constexpr int kMaxFailuresApart = 5;  // patience of contacts: adjacent capsules divide one force anew in each round
constexpr double kApart = 5e-5;       // mean link lengths: tolerance of contacts
constexpr double kLoop = 1e-5;        // mean link lengths, radians: tolerance of loops, which a projection then closes
constexpr double kNoPull = 1e6;       // mean link lengths: a one-sided goal with this shift is met by any pose
constexpr double kProgress = 0.9;     // a round makes progress if it leaves less than this part of |r|

bool isSameEndEffector(const GoalItem& a, const GoalItem& b) {
  return a.type == b.type && a.link == b.link && a.weight == b.weight && a.pointInLink == b.pointInLink;
}

}  // namespace

void Multipliers::begin(const std::shared_ptr<const Figure>& figure, PosedProblem& posed, bool dragContinues,
                        const Ahead& ahead) {
  std::swap(before_, held_);
  if (figure != figure_) before_.clear();
  if (!dragContinues) std::erase_if(before_, [](const Held& held) { return held.hasLimitedForce(); });
  figure_ = figure;
  held_.clear();
  round_ = 0;
  for (const PosedGoal& goal : posed.goals)
    if (goal.isShifted())
      hold(posed,
           {.item = goal.item,
            .place = goal.place,
            .tolerance = goal.tolerance,
            .patience = goal.patience,
            .isBalance = goal.source == GoalSource::Balance,
            .isExact = goal.isExact(),
            .mostShift = posed.objective->forceLimit(goal.place) / posed.objective->goals()[goal.place]->weight()},
           ahead);
  for (const PosedContact& contact : posed.contacts)
    hold(posed, {.pair = contact.pair, .place = contact.place, .tolerance = kApart, .patience = kMaxFailuresApart},
         ahead);
  for (const PosedLoop& loop : posed.loops)
    hold(posed, {.loop = loop.loop, .place = loop.place, .tolerance = kLoop, .patience = kMaxFailuresApart}, ahead);
}

void Multipliers::hold(PosedProblem& posed, Held held, const Ahead& ahead) {
  const auto old = std::ranges::find_if(before_, [&](const Held& other) {
    if (held.pair || other.pair) return held.pair == other.pair;
    if (held.loop >= 0 || other.loop >= 0) return held.loop == other.loop;
    if (held.hasLimitedForce() != other.hasLimitedForce() || !isSameEndEffector(other.item, held.item)) return false;
    return held.hasLimitedForce() ||
           (other.item.target == held.item.target && other.item.targetFrame == held.item.targetFrame);
  });
  held.shift = posed.objective->residualShift(held.place);
  const bool isSameSize = old != before_.end() && old->helpful.size() == held.shift.size();  // supports change
  // Of other goals the last shift holds again.
  const bool isExtrapolated = held.hasLimitedForce() || held.loop >= 0 || ahead.isKnown();
  if (isSameSize) held.shift = isExtrapolated ? old->bestShift() : old->helpful;
  if (isSameSize && isExtrapolated) {
    held.before = held.shift;
    if (old->before.size() == held.shift.size()) held.change = held.shift - old->before;
    if (held.change.size() > 0) held.shift += ahead.last * held.change;
    if (old->change.size() == held.shift.size()) held.shift += ahead.before * old->change;
    held.shift = held.limited(held.shift);
  }
  held.helpful = held.shift;
  posed.objective->setResidualShift(held.place, held.shift);
  held_.push_back(std::move(held));
}

bool Multipliers::update(PosedProblem& posed, const std::vector<Residual>& residuals, Pose& pose) {
  for (Held& held : held_) judge(held, residuals[held.place]);
  if (std::ranges::all_of(held_, [](const Held& held) { return held.failures == 0; })) poseBefore_ = pose;
  const bool isApart = !posed.contacts.empty() || !posed.loops.empty();
  if (round_++ >= (isApart ? kMaxRoundsApart : kMaxRounds)) return false;
  bool isWanted = giveUp();
  if (isWanted) pose = poseBefore_;
  else
    for (Held& held : held_) {
      if (held.isStuck || !held.isUnmet()) continue;
      held.shift = held.bestShift();
      isWanted = true;
    }
  for (const Held& held : held_) posed.objective->setResidualShift(held.place, held.shift);
  return isWanted;
}

void Multipliers::judge(Held& held, const Residual& residual) const {
  const double before = held.left.norm();
  held.left = residual - held.shift;
  const bool helped = !held.isUnmet() || round_ == 0 || held.left.norm() <= kProgress * before;
  if (held.isStuck) return;
  held.failures = helped ? 0 : held.failures + 1;
  if (helped) held.helpful = held.shift;
}

/// Gives up the goals whose patience is exhausted. True if there is one.
bool Multipliers::giveUp() {
  const auto isTorn = [](const Held& held) { return held.isExact && !held.isBalance && held.isGivenUp(); };
  if (std::ranges::any_of(held_, isTorn) && giveUpBalance()) return true;
  bool isAny = false;
  for (Held& held : held_) {
    if (held.isBalance || !held.isGivenUp()) continue;
    held.isStuck = isAny = true;
    held.failures = 0;
    held.shift = held.helpful;
  }
  return isAny;
}

/// Gives up balance if it has failed too, and lets all others begin anew. True if it has.
bool Multipliers::giveUpBalance() {
  const auto balance = std::ranges::find_if(held_, [](const Held& held) { return held.isBalance && held.isGivenUp(); });
  if (balance == held_.end()) return false;
  for (Held& held : held_) {
    held.failures = 0;
    if (!held.isStuck) held.shift = held.helpful;
  }
  balance->isStuck = true;
  balance->shift.setConstant(kNoPull);
  round_ = 0;
  return true;
}

/// `wanted`, scaled down to the largest force.
Residual Multipliers::Held::limited(const Residual& wanted) const {
  const double size = wanted.norm();
  return size > mostShift ? Residual(mostShift / size * wanted) : wanted;
}

/// The shift that is predicted to leave nothing.
Residual Multipliers::Held::bestShift() const {
  const bool isJudged = left.size() == shift.size() && !isStuck;
  return isJudged ? limited(shift + left) : helpful;
}

void Multipliers::copyShifts(const PosedProblem& from, PosedProblem& to) {
  auto source = from.goals.begin();
  for (const PosedGoal& goal : to.goals) {
    if (!goal.isShifted()) continue;
    while (!source->isShifted()) ++source;
    to.objective->setResidualShift(goal.place, from.objective->residualShift(source->place));
    ++source;
  }
  for (std::size_t i = 0; i < to.contacts.size(); ++i)
    to.objective->setResidualShift(to.contacts[i].place, from.objective->residualShift(from.contacts[i].place));
  copyLoopShifts(from, to);
}

void Multipliers::copyLoopShifts(const PosedProblem& from, PosedProblem& to) {
  for (const PosedLoop& loop : to.loops)
    if (const auto old = std::ranges::find(from.loops, loop.loop, &PosedLoop::loop); old != from.loops.end())
      to.objective->setResidualShift(loop.place, from.objective->residualShift(old->place));
}

bool MultiplierUpdates::refine(Solve& solve) {
  return solve.multipliers.update(solve.posed, solve.workspace.current.residuals, solve.pose);
}

bool MultiplierUpdates::comesFirst(const Solve& solve) const { return solve.request->staying->isOn(); }

}  // namespace limber
