// SPDX-License-Identifier: MIT
// Local methods end in local minima; users get out of them by a slight push (Zhao and Badler 1994, section 7).
#include <cmath>
#include <random>

#include "limber/posing/problem.h"

namespace limber {

namespace {

constexpr double kAmplitude = 0.5;  // radians, mean link lengths: out of one valley, not across the figure

/// In [-1, 1). The library's own distributions differ from one to the next.
double symmetric(std::mt19937& random) { return static_cast<double>(random()) / 2147483648.0 - 1.0; }

Pose perturbed(const Objective& objective, const Pose& pose, unsigned seed) {
  std::mt19937 random(seed);
  Eigen::VectorXd step(objective.activeCount()), scratch;
  for (int k = 0; k < objective.activeCount(); ++k)
    step[k] = kAmplitude * symmetric(random) /
              std::sqrt(objective.metric()[objective.active()[static_cast<std::size_t>(k)]]);
  Pose out;
  objective.move(pose, step, scratch, out);
  return out;
}

/// f with every hard goal at its weight alone: the same measure whatever forces hold them in a solve. Of alternatives,
/// those that are nearest count.
double measure(const Document& document, const PosingRequest& request) {
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  const Branches branches = chooseBranches(document, kinematics, {});
  const Problem problem = makeProblem(document, request, branches);
  Evaluation evaluation;
  return problem.objective->evaluate(document.pose, evaluation);
}

}  // namespace

PosingReport nudge(Posing& posing, Document& document, const PosingRequest& request, unsigned seed) {
  PosingRequest fixed = request;  // the reference stays where it was before the nudge
  if (!fixed.startPose) fixed.startPose = document.pose;
  PosingReport before = solveToEnd(posing, document, fixed);
  if (before.outcome == Outcome::BadInput) return before;
  const Problem problem = makeProblem(document, fixed);
  const double lowest = measure(document, fixed);
  Document nudged = document;
  nudged.pose = perturbed(*problem.objective, document.pose, seed);
  const PosingReport after = solveToEnd(posing, nudged, fixed);
  if (after.outcome != Outcome::BadInput && measure(nudged, fixed) < lowest) {
    document.pose = nudged.pose;
    return after;
  }
  return solveToEnd(posing, document, fixed);  // back, and the report with it
}

}  // namespace limber
