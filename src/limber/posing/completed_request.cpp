// SPDX-License-Identifier: MIT
#include "limber/posing/completed_request.h"

#include <algorithm>

#include "limber/body/balance.h"
#include "limber/goals/centre_of_mass_goal.h"
#include "limber/posing/held_feet.h"
#include "limber/posing/staying.h"

namespace limber {

namespace {

constexpr double kSupportMargin = 0.02;  // mean link lengths: how far inside its support the centre of mass is kept

bool isHeld(const PosingRequest& request, int link) {
  return std::ranges::any_of(request.holds, [&](const Hold& hold) { return hold.goal.link == link; });
}

/// Frees the root and holds the feet that stand while something is dragged.
void holdFeet(CompletedRequest& request) {
  const std::vector<Hold>& feet = request.staying->holds();
  if (feet.empty()) return;
  request.freeRoot = true;
  const PosingRequest asked = request;
  for (const Hold& hold : feet)
    if (!isHeld(asked, hold.goal.link)) request.holds.push_back(hold);
}

/// Keeps the balance that the figure has at the start of a drag: frees the root and holds the links that carry it. Does
/// nothing if the problem keeps no balance, or if the figure cannot lose it.
void keepBalance(const IkProblem& problem, CompletedRequest& request) {
  const Figure& figure = *problem.figure;
  if (!problem.keepsBalance || !CentreOfMassGoal::isDefined(figure) || !isValid(figure, *request.startPose)) return;
  const Kinematics start = transformsOf(figure, *request.startPose);
  const std::vector<int> planted = plantedLinks(problem, start);
  if (planted.empty()) return;
  request.freeRoot = true;
  std::vector<int> held;
  for (int link = 0; link < figure.linkCount(); ++link) {
    const auto carries = [&](int foot) { return figure.isAncestorOrSelf(foot, link); };  // toes carry, too
    if (std::ranges::any_of(planted, carries) && !figure.link(link).capsules.empty() &&
        !isWhollyPinned(problem, link) && !isHeld(request, link))
      held.push_back(link);
  }
  std::ranges::move(holdLinks(figure, start, held), std::back_inserter(request.holds));
  request.support = supportSides(supportPolygon(figure, start, planted), kSupportMargin * figure.meanLinkLength());
}

}  // namespace

CompletedRequest completed(const IkProblem& problem, const PosingRequest& request, CompletedRequest* last) {
  CompletedRequest result(request);
  result.natural = isNatural(problem, request);
  if (!result.startPose) {
    if (last) result.startPose = std::move(last->startPose);
    if (!result.startPose) result.startPose.emplace();
    *result.startPose = problem.pose;
  }
  const bool isSame = last && last->staying->fits(problem, result);
  result.staying = isSame ? last->staying : std::make_shared<const Staying>(problem, result);
  holdFeet(result);
  keepBalance(problem, result);
  return result;
}

bool isNatural(const IkProblem& problem, const PosingRequest& request) {
  if (request.natural) return true;
  return problem.solver.reference == RestReference::Natural && !request.drag && !request.startPose;
}

}  // namespace limber
