// SPDX-License-Identifier: MIT
#include "limber/posing/held_back.h"

#include <algorithm>
#include <functional>

#include "limber/posing/active_limits.h"
#include "limber/posing/refinements/multipliers.h"
#include "limber/problem/goal_types.h"
#include "limber/solvers/registry.h"

namespace limber {

namespace {

constexpr double kPromise = 0.02;       // of f
constexpr int kIterations = 30;         // of each method
constexpr double kBlockingPart = 1e-3;  // of f: decrease per radian (metre) beyond a limit that counts as blocked

std::string inWords(const PosedGoal& goal) {
  return goal.source == GoalSource::Drag ? "the drag" : goalInWords(goal.item);
}

/// Builds the problem with a part of its goals and without pulls.
class Lesser {
 public:
  Lesser(const IkProblem& problem, const CompletedRequest& request, const Branches& branches, const PosedProblem& posed,
         std::span<const LiveContact> contacts)
      : problem_(problem), request_(request), branches_(branches), posed_(posed), contacts_(contacts) {
    problem_.solver.restWeight = 0.0;
    problem_.solver.posing = PosingChoice::Even;
    request_.natural = false;
    if (problem_.solver.reference == RestReference::Natural) problem_.solver.reference = RestReference::StartPose;
  }

  /// counts: whether a goal, by its index in the posed problem, is a part.
  PosedProblem with(const std::function<bool(std::size_t)>& counts) const {
    IkProblem problem = problem_;
    PosingRequest request = request_;
    for (std::size_t i = 0; i < posed_.goals.size(); ++i) {
      const PosedGoal& goal = posed_.goals[i];
      if (goal.strength == Strength::Hard || counts(i)) continue;
      if (GoalItem* item = findGoal(problem, goal.item.id)) item->weight = 0.0;
      else if (goal.source == GoalSource::Drag) request.drag->weight = 0.0;
    }
    PosedProblem lesser = makeProblem(problem, request, branches_, &posed_.reference, contacts_);
    if (!lesser.objective) return lesser;
    if (lesser.goals.size() == posed_.goals.size())
      for (std::size_t i = 0; i < posed_.goals.size(); ++i)
        if (posed_.goals[i].isExact() && lesser.goals[i].place >= 0 && posed_.goals[i].place >= 0)
          lesser.objective->setResidualShift(lesser.goals[i].place,
                                             posed_.objective->residualShift(posed_.goals[i].place));
    for (std::size_t i = 0; i < lesser.contacts.size() && i < posed_.contacts.size(); ++i)
      lesser.objective->setResidualShift(lesser.contacts[i].place,
                                         posed_.objective->residualShift(posed_.contacts[i].place));
    Multipliers::copyLoopShifts(posed_, lesser);
    return lesser;
  }

 private:
  IkProblem problem_;
  PosingRequest request_;
  const Branches& branches_;
  const PosedProblem& posed_;
  std::span<const LiveContact> contacts_;
};

}  // namespace

bool HeldBackFinder::isMinimum(const Objective& objective, const Pose& pose, bool drags) {
  const bool isFlat = minimum_.isAt(objective, pose, kPromise);
  if (drags) return isFlat;
  for (const char* method : {"newton", "lm"}) {  // one may stop at a saddle where the other does not
    Pose lower = pose;
    const Solver& solver = *findSolver(method);
    const Summary end = solver.solve(objective, lower, defaultOptions(solver), workspace_, {kIterations});
    if (end.objective < (1.0 - kPromise) * minimum_.objective()) return false;
  }
  return true;
}

HeldBack HeldBackFinder::find(const IkProblem& problem, const CompletedRequest& request, const Branches& branches,
                              const PosedProblem& posed, std::span<const LiveContact> contacts,
                              const PosingReport& report) {
  HeldBack held;
  // The report has no entries for balance and for holds that may yield.
  std::vector<int> entryOf(posed.goals.size(), -1);
  int next = 0;
  for (std::size_t i = 0; i < posed.goals.size(); ++i)
    if (!posed.goals[i].mayYield() && posed.goals[i].source != GoalSource::Balance) entryOf[i] = next++;
  const auto isMissed = [&](std::size_t i) {
    return posed.goals[i].isAsked() && entryOf[i] >= 0 && !report.goals[entryOf[i]].reached;
  };
  const bool drags = request.drags();
  const auto isAsked = [&](std::size_t i) { return posed.goals[i].isAsked(); };
  const Lesser lesser(problem, request, branches, posed, contacts);
  const auto isMinimumWith = [&](const std::function<bool(std::size_t)>& counts) {
    const PosedProblem part = lesser.with(counts);
    return part.objective && isMinimum(*part.objective, problem.pose, drags);
  };
  const auto strongest = [&](const std::function<bool(std::size_t)>& isOne) {
    int best = -1;
    for (std::size_t i = 0; i < posed.goals.size(); ++i) {
      if (!posed.goals[i].isLive || posed.goals[i].strength == Strength::Hard || entryOf[i] < 0 || !isOne(i)) continue;
      if (best < 0 || report.goals[entryOf[i]].force > report.goals[entryOf[best]].force) best = static_cast<int>(i);
    }
    return best;
  };

  const PosedProblem missed = lesser.with(isMissed);
  if (!missed.objective) return held;
  held.isMinimum = isMinimum(*missed.objective, problem.pose, drags);
  FreeSpace space;
  findActiveLimits(*missed.objective, problem.pose, minimum_.gradient(), space, held.limits);
  std::erase_if(held.limits, [&](const ActiveLimit& limit) {
    return !(std::abs(limit.multiplier) > kBlockingPart * minimum_.objective());
  });
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < posed.goals.size(); ++i)
    if (isMissed(i)) all.push_back(i);
  if (held.isMinimum) {
    const auto canComeNearer = [&](std::size_t i) { return !isMinimumWith([i](std::size_t k) { return k == i; }); };
    if (all.size() > 1 && std::ranges::any_of(all, canComeNearer)) held.by = HeldBy::EachOther;
    return held;
  }
  if (isMinimumWith(isAsked)) {
    held.isMinimum = true;
    const int holder = strongest([&](std::size_t i) { return isAsked(i) && !isMissed(i); });
    held.by = holder >= 0 ? HeldBy::Goal : HeldBy::EachOther;
    if (holder >= 0) held.holder = inWords(posed.goals[holder]);
    return held;
  }
  const auto isOther = [&](std::size_t i) { return posed.goals[i].strength == Strength::Preference; };
  if (const int holder = strongest(isOther); holder >= 0 && isMinimumWith([](std::size_t) { return true; })) {
    held.by = HeldBy::Preference;
    held.holder = inWords(posed.goals[holder]);
    return held;
  }
  held.by = request.staying->isOn() ? HeldBy::Body : HeldBy::Pull;
  return held;
}

}  // namespace limber
