// SPDX-License-Identifier: MIT
// The paper's local method: limits as a penalty, solved by a trust region. Yenamandra and others (2019), section 5.1,
//
//   minimise  sum_k |y_k - x_k(q)|^2 + lambda sum_i dist(theta_i, I_i)^2                                        (16)
//
// with lambda = 100 and no unit for it. Figures 4 to 6 use it: "trust-region-penalty" of the registry, whose f is that
// of (16) / (2 L^2) with L the mean link length. Figure 3 takes the penalty as goals (research/limit_goal.h), so that
// each can be checked against the other.
#pragma once

#include "limber/objective/objective.h"

namespace limber::experiments {

inline constexpr double kPenaltyOfMillimetres = 1e-4;  ///< lambda in square metres per square radian: 100 mm^2

struct PenaltySummary {
  bool isConverged = false;
  int iterations = 0;
};

/// objective: position goals of weight 1, of all coordinates, no pull to a pose; intervals are its only limits.
/// pose: out, outside the limits if (16) has its minimum there. lambda: square metres per square radian.
PenaltySummary solveWithPenalty(const Objective& objective, Pose& pose, double lambda = kPenaltyOfMillimetres);

}  // namespace limber::experiments
