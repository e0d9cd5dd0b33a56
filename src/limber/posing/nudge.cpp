// SPDX-License-Identifier: MIT
// Local methods end in local minima, which users leave by a slight push (Zhao and Badler 1994, section 7).
#include <cmath>
#include <random>

#include "limber/posing/posed_problem.h"

namespace limber {

namespace {

constexpr double kAmplitude = 0.5;  // radians, mean link lengths: leaves a valley without crossing the figure

/// A number in [-1, 1). The distributions of standard libraries differ.
double symmetric(std::mt19937& random) { return static_cast<double>(random()) / 2147483648.0 - 1.0; }

Pose perturbed(const Objective& objective, const Pose& pose, unsigned seed) {
  std::mt19937 random(seed);
  Eigen::VectorXd step(objective.activeCount()), scratch;
  for (int k = 0; k < objective.activeCount(); ++k)
    step[k] = kAmplitude * symmetric(random) / std::sqrt(objective.metric()[objective.active()[k]]);
  Pose out;
  objective.move(pose, step, scratch, out);
  return out;
}

/// f without multipliers, so that it does not depend on earlier solves, with the nearest alternatives live.
double measure(const IkProblem& problem, const PosingRequest& request) {
  const Kinematics kinematics = transformsOf(*problem.figure, problem.pose);
  const Branches branches = chooseBranches(problem, kinematics, {});
  const PosedProblem posed = makeProblem(problem, request, branches);
  Evaluation evaluation;
  return posed.objective->evaluate(problem.pose, evaluation);
}

}  // namespace

PosingReport nudge(Posing& posing, IkProblem& problem, const PosingRequest& request, unsigned seed) {
  PosingRequest fixed = request;  // the reference stays where it was before the nudge
  if (!fixed.startPose) fixed.startPose = problem.pose;
  PosingReport before = solveToEnd(posing, problem, fixed);
  if (before.outcome == Outcome::BadInput) return before;
  const PosedProblem posed = makeProblem(problem, fixed);
  const double lowest = measure(problem, fixed);
  IkProblem nudged = problem;
  nudged.pose = perturbed(*posed.objective, problem.pose, seed);
  const PosingReport after = solveToEnd(posing, nudged, fixed);
  if (after.outcome != Outcome::BadInput && measure(nudged, fixed) < lowest) {
    problem.pose = nudged.pose;
    return after;
  }
  return solveToEnd(posing, problem, fixed);  // returns to the lower minimum and its report
}

}  // namespace limber
