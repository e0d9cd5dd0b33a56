// SPDX-License-Identifier: MIT
// The paper's local method: limits as a penalty, solved by a trust region. Yenamandra and others (2019), section 5.1,
//
//   minimise  sum_k |y_k - x_k(q)|^2 + lambda sum_i dist(theta_i, I_i)^2                                        (16)
//
// with lambda = 100 and no unit for it. The method is Manopt's (Absil, Baker and Gallivan 2007; Steihaug 1983, Toint
// 1981) with its defaults: the largest radius is the root of the number of coordinates, the first one an eighth of it,
// theta = 1, kappa = 0.1, a step is taken when rho > 0.1, at most 1000 of them, done at |gradient| <= 1e-6. Steps are
// measured in radians and mean link lengths; the gradient is that of (16) / (2 L^2), L the mean link length.
//
// Figures 4 to 6 use it. It is written apart from solvers/methods/trust_region.h, which takes the penalty as goals in
// Figure 3 (experiments/limit_goal.h), so that each can be checked against the other.
#pragma once

#include <functional>

#include "limber/objective/objective.h"

namespace limber::experiments {

struct PenaltyOptions {
  double lambda = 1e-4;  ///< square metres per square radian: 1e-4 is 100 mm^2, 100 is 100 m^2
  int maxIterations = 1000;
  double tolerance = 1e-6;  ///< of the gradient's norm
};

struct PenaltySummary {
  bool isConverged = false;
  int iterations = 0;
};

/// Told the pose after each iteration; false ends the solve.
using PenaltyObserver = std::function<bool(const Pose& pose)>;

/// objective: position goals of weight 1, of all coordinates, no pull to a pose; intervals are its only limits.
/// pose: out, outside the limits where (16) has it so.
PenaltySummary solveWithPenalty(const Objective& objective, Pose& pose, const PenaltyOptions& options,
                                const PenaltyObserver& observer = {});

}  // namespace limber::experiments
