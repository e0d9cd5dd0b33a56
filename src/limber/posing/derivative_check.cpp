// SPDX-License-Identifier: MIT
// Central differences of fourth order of f and of its gradient against the closed forms. The gradient at a moved pose
// is with respect to the axes there; for the axes of one rotation that adds half a commutator, which is antisymmetric,
// so the symmetric part of the differences is the Hessian.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "limber/goals/position_goal.h"
#include "limber/posing/posed_problem.h"
#include "limber/posing/posing.h"

namespace limber {

namespace {

// About the fifth root of rounding: in differences of fourth order truncation and rounding balance.
constexpr double kStep = 1e-3;
constexpr std::array<double, 4> kStencil = {-2.0, -1.0, 1.0, 2.0};

struct Sample {
  double objective = 0.0;
  Eigen::VectorXd gradient;
};

/// False if an inequality holds at one pose and not at the other: the Hessian jumps between them.
bool isZeroAlike(const Evaluation& a, const Evaluation& b) {
  for (std::size_t k = 0; k < a.residuals.size(); ++k)
    for (Eigen::Index i = 0; i < a.residuals[k].size(); ++i)
      if ((a.residuals[k][i] == 0.0) != (b.residuals[k][i] == 0.0)) return false;
  return true;
}

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

/// The problem; without goals, with one per site whose target is off the site, so that no residual is zero.
IkProblem withGoals(IkProblem problem, std::string& note) {
  if (std::ranges::any_of(problem.goals, &GoalItem::enabled)) return problem;
  for (const Site& site : problem.figure->sites()) {
    const int id = addGoal(problem, site.link, site.linkFromSite.translation);
    findGoal(problem, id)->target += problem.figure->meanLinkLength() * Eigen::Vector3d(0.3, -0.2, 0.4);
  }
  note = "no goals: checked with one on each of the " + std::to_string(problem.figure->sites().size()) + " sites";
  return problem;
}

/// To be called after computeGradient(). The second derivatives are the residual's term of the Hessian; a residual as
/// large as the goal's weight keeps all digits.
PointDerivatives pointDerivativesOf(const Objective& objective, const PositionGoal& goal, std::size_t which,
                                    Evaluation& evaluation) {
  const FileFrame& frame = objective.figure().fileFrame();
  const double scale = goal.weight() > 0.0 ? goal.weight() : 1.0, unit = goal.lengthUnit() / frame.metresPerUnit;
  std::vector<Residual> none;
  for (const Residual& residual : evaluation.residuals) none.push_back(Residual::Zero(residual.size()));
  const Eigen::Index n = objective.activeCount();
  PointDerivatives point{.link = goal.link(0), .first = Eigen::MatrixXd(3, n), .second = Eigen::MatrixXd(3 * n, n)};
  point.x = frame.toFile(evaluation.kinematics.worldFromLink[point.link] * goal.pointInLink());
  Eigen::MatrixXd without, with;
  objective.computeHessian(evaluation, none, without);
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<Residual> along = none;
    along[which] = scale * frame.sceneFromFile.col(axis);
    Eigen::VectorXd slope;
    objective.applyTransposedJacobian(evaluation, along, slope);
    point.first.row(axis) = unit / scale * slope;
    objective.computeHessian(evaluation, along, with);
    for (Eigen::Index i = 0; i < n; ++i) point.second.row(3 * i + axis) = unit / scale * (with.row(i) - without.row(i));
  }
  return point;
}

std::string entryText(const std::string& name, double analytic, double difference) {
  char numbers[96];
  std::snprintf(numbers, sizeof numbers, ": analytic %.9g, difference %.9g", analytic, difference);
  return name + numbers;
}

}  // namespace

std::vector<PointDerivatives> pointDerivatives(const IkProblem& problem) {
  const Kinematics kinematics = transformsOf(*problem.figure, problem.pose);
  const PosedProblem posed = makeProblem(problem, {}, chooseBranches(problem, kinematics, {}));
  std::vector<PointDerivatives> points;
  if (!posed.objective || posed.objective->activeCount() > kMaxDenseCoordinates) return points;
  Evaluation evaluation;
  Eigen::VectorXd gradient;
  posed.objective->evaluate(problem.pose, evaluation);
  posed.objective->computeGradient(evaluation, gradient);
  for (std::size_t k = 0; k < posed.objective->goals().size(); ++k)
    if (const auto* goal = dynamic_cast<const PositionGoal*>(posed.objective->goals()[k].get()))
      points.push_back(pointDerivativesOf(*posed.objective, *goal, k, evaluation));
  return points;
}

DerivativeCheck checkDerivatives(const IkProblem& given) {
  DerivativeCheck check;
  const IkProblem problem = withGoals(given, check.note);
  const Kinematics kinematics = transformsOf(*problem.figure, problem.pose);
  const PosedProblem posed = makeProblem(problem, {}, chooseBranches(problem, kinematics, {}));
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

  Eigen::VectorXd gradientDifference(n), step = Eigen::VectorXd::Zero(problem.figure->stepSize());
  Eigen::MatrixXd hessianDifference(n, n);
  std::array<Sample, 4> samples;  // at -2 h, -h, h and 2 h
  std::vector<char> hasKink(n, 0);
  Pose pose;
  for (int k = 0; k < n; ++k) {
    const int c = objective.active()[k];
    // A length is stepped in mean link lengths, an angle in radians.
    const double h = kStep / std::sqrt(objective.metric()[c]);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      step[c] = kStencil[i] * h;
      integrate(*problem.figure, start, step, pose);
      objective.feasibleSet().couplings().apply(pose);
      samples[i].objective = objective.evaluate(pose, moved);
      objective.computeGradient(moved, samples[i].gradient);
      if (!isZeroAlike(evaluation, moved)) hasKink[k] = 1;
      check.rounding = std::max(check.rounding, moved.rounding / h);
    }
    step[c] = 0.0;
    const auto& [back2, back, ahead, ahead2] = samples;
    gradientDifference[k] =
        (8.0 * (ahead.objective - back.objective) - (ahead2.objective - back2.objective)) / (12.0 * h);
    hessianDifference.col(k) =
        (8.0 * (ahead.gradient - back.gradient) - (ahead2.gradient - back2.gradient)) / (12.0 * h);
    if (!hasKink[k]) continue;
    gradientDifference[k] = check.gradient[k];
    ++check.kinks;
  }
  hessianDifference = (0.5 * (hessianDifference + hessianDifference.transpose())).eval();
  for (int k = 0; k < n; ++k) {
    if (!hasKink[k]) continue;
    hessianDifference.row(k) = check.hessian.row(k);
    hessianDifference.col(k) = check.hessian.col(k);
  }
  if (n == 0) return check;
  check.rounding /= 1.0 + check.gradient.cwiseAbs().maxCoeff();

  Eigen::Index row = 0, column = 0;
  // At a minimum the gradient is zero. Its error is then compared with the change of the gradient over one step.
  const double withinStep = kStep * check.hessian.cwiseAbs().maxCoeff();
  check.worstGradientError = (check.gradient - gradientDifference).cwiseAbs().maxCoeff(&row) /
                             (1.0 + check.gradient.cwiseAbs().maxCoeff() + withinStep);
  check.worstGradientEntry = entryText(check.coordinateNames[row], check.gradient[row], gradientDifference[row]);
  check.worstHessianError = (check.hessian - hessianDifference).cwiseAbs().maxCoeff(&row, &column) /
                            (1.0 + check.hessian.cwiseAbs().maxCoeff());
  check.worstHessianEntry = entryText(check.coordinateNames[row] + ", " + check.coordinateNames[column],
                                      check.hessian(row, column), hessianDifference(row, column));
  return check;
}

}  // namespace limber
