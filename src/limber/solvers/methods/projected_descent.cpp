// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/projected_descent.h"

#include <algorithm>
#include <cmath>

#include "limber/solvers/steps/line_search.h"

namespace limber {

void ProjectedDescent::begin() {
  own_.isFresh = true;
  own_.idle = 0;
  own_.held.clear();
}

/// Computes P g, z, M and the active limits. Returns |P g| in the norm that belongs to M.
double ProjectedDescent::takeGradient() {
  const FreeSpace& space = workspace_.freeSpace;
  computeStepMetric(objective_, workspace_.current, space, own_.metric);
  own_.gradient = workspace_.gradient;
  space.project(own_.gradient);
  applyInverseMetric(space, own_.metric, own_.gradient, own_.scaled);
  own_.heldBefore.swap(own_.held);
  describeHeld(space, own_.held);
  return std::sqrt(std::max(own_.gradient.dot(own_.scaled), 0.0));
}

double ProjectedDescent::parabolaStep() {
  own_.product.prepare(objective_, workspace_.current);
  applyWithin(own_.product, workspace_, own_.direction, own_.image);
  const double curvature = own_.direction.dot(own_.image);
  if (!(curvature > 0.0)) return longestStep();
  return std::min(longestStep(), -own_.direction.dot(own_.gradient) / curvature);
}

bool ProjectedDescent::dropBlocked() {
  own_.free = workspace_.freeSpace.free;
  if (!takeBlocked(objective_, pose_, workspace_, own_.direction, 0.0, own_.free)) return false;
  for (int k = 0; k < objective_.activeCount(); ++k)
    if (!own_.free[k]) own_.direction[k] = 0.0;
  return true;
}

/// One line search. False if no step lowers f.
bool ProjectedDescent::advance(double firstStep) {
  const double before = loop_.objective(), rounding = loop_.rounding();
  gamma_ = searchArc(before, firstStep, [&](double gamma) {
    own_.trial = gamma * own_.direction;
    moveWithin(objective_, pose_, own_.trial, workspace_);
    findTakenStep(objective_, workspace_.freeSpace, pose_, workspace_.trialPose, workspace_.step, own_.taken);
    return ArcTrial{loop_.evaluateTrial(), own_.gradient.dot(own_.taken)};
  });
  if (gamma_ == 0.0) return false;
  moved_ = stepNorm(objective_, own_.taken);
  loop_.acceptTrial();
  own_.idle = before - loop_.objective() > rounding ? 0 : own_.idle + 1;
  return true;
}

bool ProjectedDescent::isAtMinimum() { return isFlat(objective_, workspace_, own_.flatness); }

}  // namespace limber
