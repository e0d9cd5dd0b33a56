// SPDX-License-Identifier: MIT
#include "limber/posing/certify.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "limber/posing/outcome.h"
#include "limber/posing/posed_problem.h"

namespace limber {

namespace {

constexpr double kLeastInWords = 1e-6;  // metres: the least gap in words

/// A length in three digits, rounded up or down so that a text about a bound is true.
std::string roundedInWords(double metres, bool isUp) {
  if (!(metres > 0.0) || !std::isfinite(metres)) return lengthInWords(metres);
  const double unit = std::pow(10.0, std::floor(std::log10(metres)) - 2.0);
  return lengthInWords(unit * (isUp ? std::ceil(metres / unit) : std::floor(metres / unit)));
}

/// "1 pin", "2 pins".
void addCount(int count, const std::string& thing, std::vector<std::string>& list) {
  if (count > 0) list.push_back(std::to_string(count) + " " + thing + (count == 1 ? "" : "s"));
}

/// True if another enabled goal is an alternative to this one.
bool hasAlternative(const PosedGoal& goal, const std::vector<PosedGoal>& all) {
  return goal.item.anyOf >= 0 &&
         std::ranges::count_if(all, [&](const PosedGoal& other) { return other.item.anyOf == goal.item.anyOf; }) > 1;
}

/// One entry per goal of the objective: 1 for goals that a bound must ignore. Adds them to `leftOut` in words.
std::vector<char> ignoredGoals(const PosedProblem& posed, std::vector<std::string>& leftOut) {
  std::vector<char> ignored(posed.objective->goals().size(), 0);
  int pins = 0, held = 0, alternatives = 0;
  for (const PosedGoal& goal : posed.goals) {
    const bool isAlternative = hasAlternative(goal, posed.goals);
    if (goal.place < 0 || (goal.strength != Strength::Hard && !isAlternative)) continue;
    ignored[goal.place] = 1;
    if (goal.source == GoalSource::Balance) leftOut.emplace_back("balance");
    pins += goal.source == GoalSource::Pin;
    held += goal.source == GoalSource::Hold;
    alternatives += goal.strength != Strength::Hard;
  }
  addCount(pins, "pin", leftOut);
  addCount(held, "held point", leftOut);
  addCount(alternatives, "alternative goal", leftOut);
  return ignored;
}

void addLeftOut(const Certificate::LeftOut& left, int named, std::vector<std::string>& leftOut) {
  if (const int other = left.goals - named; other > 0)
    leftOut.push_back(other == 1 ? "a goal that asks for more than a place"
                                 : std::to_string(other) + " goals that ask for more than a place");
  if (left.pulls > 0) leftOut.emplace_back("the pull to a pose");
  if (left.ballLimits > 0)
    leftOut.push_back("limits of " + std::to_string(left.ballLimits) +
                      (left.ballLimits == 1 ? " ball joint" : " ball joints"));
  addCount(left.linearLimits, "linear limit", leftOut);
  addCount(left.couplings, "coupling", leftOut);
  addCount(left.loops, "closed loop", leftOut);
}

}  // namespace

std::vector<PointGoal> boundedPoints(const PosedProblem& posed) {
  std::vector<std::string> words;
  std::vector<PointGoal> points;
  collectSeenPoints(*posed.objective, points, ignoredGoals(posed, words));
  return points;
}

PoseCertificate certifyPose(const IkProblem& problem, const PosingRequest& request, const CertificateOptions& options,
                            const InteriorPointObserver& observer) {
  const auto start = std::chrono::steady_clock::now();
  PoseCertificate result;
  const PosedProblem posed = makeProblem(problem, request);
  result.certificate.fault = posed.fault;
  if (posed.objective) {
    const std::vector<char> ignored = ignoredGoals(posed, result.leftOut);
    const auto named = static_cast<int>(std::ranges::count(ignored, 1));
    result.certificate = certify(*posed.objective, limitsOf(problem), problem.pose, options, ignored, observer);
    addLeftOut(result.certificate.leftOut, named, result.leftOut);
    addCount(static_cast<int>(std::ranges::count_if(problem.obstacles, &Obstacle::enabled)), "obstacle",
             result.leftOut);
    if (problem.selfAvoidance.value_or(SelfAvoidance::Off) != SelfAvoidance::Off)
      result.leftOut.emplace_back("links keeping out of each other");
  }
  result.timeMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

std::string gapInWords(double gap) { return roundedInWords(std::max(gap, kLeastInWords), true); }

std::string badgeOf(const Certificate& certificate) {
  if (!certificate.fault.empty()) return "no bound";
  if (!certificate.isCertified) return certificate.isOutOfReach ? "out of reach" : "not certified";
  const std::string badge = certificate.leftOut.goals > 0 ? "places certified" : "certified";
  return certificate.isOutOfReach ? badge + ", out of reach" : badge;
}

std::string sentenceOf(const Certificate& certificate, bool isSearched) {
  if (!certificate.fault.empty()) return "no bound: " + certificate.fault;
  const std::string better = gapInWords(certificate.gap());
  std::string text;
  if (certificate.isOutOfReach)
    text = "out of reach: at least " + roundedInWords(certificate.leastCost(), false) + " remain; ";
  if (certificate.isCertified) return text + "certified: no pose brings the points nearer by more than " + better;
  if (isSearched) text += "no better pose found; ";
  text += "at most " + better + " better is possible";
  return certificate.isCancelled ? text + " (cancelled early)" : text;
}

}  // namespace limber
