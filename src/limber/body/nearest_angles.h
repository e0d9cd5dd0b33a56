// SPDX-License-Identifier: MIT
// The angles of hinges in a row that bring a link nearest to a wanted rotation, within their limits.
//
//   minimise  1/2 sum_x |R(q) x - R* x|^2  over the directions x,   R(q) = L_1 exp(q_1 a_1) L_2 exp(q_2 a_2) ... L_k+1
//
// which is 1/2 tr((R - R*) K (R - R*)'), K = sum x x'. In each single angle this is a constant plus a cosine, so that
// its minimum has a closed form. Sweeps over the angles come near the minimum, and damped Newton steps within the
// limits complete the solve: R K R' has the trace of K for all angles, so that the sum is tr K - tr(R K R*'). With a_i
// the axis of a hinge in the link that carries the row and [a] v = a x v, dR/dq_i = [a_i] R gives for i <= k
//
//   d/dq_i = tr([a_i] R K (R - R*)'),   d2/dq_i dq_k = -tr([a_i] [a_k] R K R*') = (a_i . a_k) tr M - a_i' M a_k
//
// with M = R K R*'. A row may have several minima, so the solve starts from a grid of angles; among equally good
// answers the one nearest to `preferred` is taken.
#pragma once

#include <vector>

#include "limber/kinematics/figure.h"

namespace limber {

struct HingeRow {
  struct Hinge {
    Eigen::Matrix3d before = Eigen::Matrix3d::Identity();  ///< L: from the hinge's frame to that of the link before it
    Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();       ///< unit, in the hinge's frame
    Interval limits;
    double preferred = 0.0;  ///< radians
  };
  std::vector<Hinge> hinges;
  Eigen::Matrix3d after = Eigen::Matrix3d::Identity();  ///< L_k+1: from the link to the last hinge's turned frame
};

/// wanted  R*, rotation of the link in the link that carries the first hinge
/// metric  K, symmetric, positive semidefinite, in the link
/// fails   never; an empty row has no angles
std::vector<double> nearestAngles(const HingeRow& row, const Eigen::Matrix3d& wanted, const Eigen::Matrix3d& metric);

}  // namespace limber
