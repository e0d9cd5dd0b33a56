// SPDX-License-Identifier: MIT
#include "limber/solvers/steps/flatness.h"

#include "limber/solvers/steps/bounded_step.h"

namespace limber {

bool isFlat(const Objective& objective, const Workspace& workspace, FlatnessMemory& memory) {
  constexpr double kPart = 1e-12;          // of f: the decrease that a converged solve may leave
  constexpr double kFlatRoundings = 10.0;  // if f is only rounding, it cannot fall below a few roundings
  const Evaluation& evaluation = workspace.current;
  const FreeSpace& space = workspace.freeSpace;
  const Eigen::VectorXd& gradient = workspace.gradient;
  if (gradient.size() == 0) return true;
  memory.projected = gradient;
  space.project(memory.projected);
  if (memory.rounding.explains(objective, evaluation, space, gradient, memory.projected.cwiseAbs().maxCoeff()))
    return true;
  const double left = kPart * evaluation.objective + kFlatRoundings * evaluation.rounding;
  memory.product.prepare(objective, evaluation);
  const auto promisesLittle = [&](const Eigen::VectorXd& v) {
    applyWithin(memory.product, workspace, v, memory.image);
    const double slope = v.dot(memory.projected), curvature = v.dot(memory.image);
    return curvature > 0.0 && 0.5 * slope * slope <= left * curvature;
  };
  computeStepMetric(objective, evaluation, space, memory.metric);
  applyInverseMetric(space, memory.metric, memory.projected, memory.scaled);
  return promisesLittle(memory.scaled) && promisesLittle(memory.projected);
}

}  // namespace limber
