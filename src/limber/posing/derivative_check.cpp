// SPDX-License-Identifier: MIT
// Central differences of f and of its gradient against the closed forms. The gradient at a moved pose is with respect
// to the axes there; for the axes of one rotation that adds half a commutator, which is antisymmetric, so the
// symmetric part of the differences is the Hessian.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "limber/posing/posed_problem.h"
#include "limber/posing/posing.h"

namespace limber {

namespace {

constexpr double kStep = 1e-5;  // about the cube root of rounding: truncation and rounding balance

std::vector<std::string> coordinateNames(const Objective& objective) {
  static constexpr const char* kAxes[] = {"x", "y", "z"};
  std::vector<std::string> names;
  for (const Joint& joint : objective.figure().joints())
    for (int k = 0; k < stepSize(joint.type); ++k) {
      if (objective.activeIndex(joint.stepIndex + k) < 0) continue;
      const bool isShift = joint.type == JointType::Free && k < 3;
      names.push_back(stepSize(joint.type) == 1 ? joint.name
                                                : joint.name + (isShift ? " shift " : " turn ") + kAxes[k % 3]);
    }
  return names;
}

/// The problem, with goals on its sites when it has none: they ask for a place aside, so that no residual is zero.
IkProblem withGoals(IkProblem problem, std::string& note) {
  if (std::ranges::any_of(problem.goals, &GoalItem::enabled)) return problem;
  for (const Site& site : problem.figure->sites()) {
    const int id = addGoal(problem, site.link, site.linkFromSite.translation);
    findGoal(problem, id)->target += problem.figure->meanLinkLength() * Eigen::Vector3d(0.3, -0.2, 0.4);
  }
  note = "no goals: checked with one on each of the " + std::to_string(problem.figure->sites().size()) + " sites";
  return problem;
}

std::string entryText(const std::string& name, double analytic, double difference) {
  char numbers[96];
  std::snprintf(numbers, sizeof numbers, ": analytic %.9g, difference %.9g", analytic, difference);
  return name + numbers;
}

}  // namespace

DerivativeCheck checkDerivatives(const IkProblem& given) {
  DerivativeCheck check;
  const IkProblem problem = withGoals(given, check.note);
  const PosedProblem posed = makeProblem(problem, {});
  if (!posed.objective) {
    check.fault = posed.fault;
    return check;
  }
  const Objective& objective = *posed.objective;
  const int n = objective.activeCount();
  if (n > kMaxDenseCoordinates) {
    check.fault = tooManyCoordinates(n);
    return check;
  }
  Evaluation evaluation, moved;
  Pose start = problem.pose;
  objective.feasibleSet().couplings().apply(start);
  check.objective = objective.evaluate(start, evaluation);
  objective.computeGradient(evaluation, check.gradient);
  objective.computeHessian(evaluation, check.hessian);
  check.coordinateNames = coordinateNames(objective);

  Eigen::VectorXd gradientDifference(n), plus, minus, step = Eigen::VectorXd::Zero(problem.figure->stepSize());
  Eigen::MatrixXd hessianDifference(n, n);
  Pose pose;
  for (int k = 0; k < n; ++k) {
    const int c = objective.active()[k];
    // A length is stepped in mean link lengths, an angle in radians.
    const double h = kStep / std::sqrt(objective.metric()[c]);
    const auto evaluateAt = [&](double by, Eigen::VectorXd& gradient) {
      step[c] = by;
      integrate(*problem.figure, start, step, pose);
      objective.feasibleSet().couplings().apply(pose);
      const double f = objective.evaluate(pose, moved);
      objective.computeGradient(moved, gradient);
      return f;
    };
    const double fPlus = evaluateAt(h, plus), fMinus = evaluateAt(-h, minus);
    step[c] = 0.0;
    gradientDifference[k] = (fPlus - fMinus) / (2.0 * h);
    hessianDifference.col(k) = (plus - minus) / (2.0 * h);
  }
  hessianDifference = (0.5 * (hessianDifference + hessianDifference.transpose())).eval();
  if (n == 0) return check;

  Eigen::Index row = 0, column = 0;
  check.worstGradientError =
      (check.gradient - gradientDifference).cwiseAbs().maxCoeff(&row) / (1.0 + check.gradient.cwiseAbs().maxCoeff());
  check.worstGradientEntry = entryText(check.coordinateNames[row], check.gradient[row], gradientDifference[row]);
  check.worstHessianError = (check.hessian - hessianDifference).cwiseAbs().maxCoeff(&row, &column) /
                            (1.0 + check.hessian.cwiseAbs().maxCoeff());
  check.worstHessianEntry = entryText(check.coordinateNames[row] + ", " + check.coordinateNames[column],
                                      check.hessian(row, column), hessianDifference(row, column));
  return check;
}

}  // namespace limber
