// SPDX-License-Identifier: MIT
// The angles at which hinges in a row turn a link nearest to a wanted rotation, within their limits.
//
//   minimise  1/2 sum_x |R(q) x - R* x|^2  over the directions x,   R(q) = L_1 exp(q_1 a_1) L_2 exp(q_2 a_2) ... L_k+1
//
// that is 1/2 tr((R - R*) K (R - R*)'), K = sum x x'. Each angle alone has its minimum in closed form, for f is a constant
// and a cosine of it; sweeps over the angles come near, damped Gauss-Newton steps within the limits end it. A row may
// have several minima, so it is begun from a grid; of equally good answers the one nearest to `preferred` counts.
#pragma once

#include <vector>

#include "limber/kinematics/figure.h"

namespace limber {

struct HingeRow {
  struct Hinge {
    Eigen::Matrix3d before = Eigen::Matrix3d::Identity();  ///< L: from the hinge's frame to what it hangs on
    Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();       ///< unit, in the hinge's frame
    Interval limits;
    double preferred = 0.0;                                ///< radians
  };
  std::vector<Hinge> hinges;
  Eigen::Matrix3d after = Eigen::Matrix3d::Identity();     ///< L_k+1: from the link to the last hinge's frame, turned
};

/// wanted  R*, rotation of the link in what the first hinge hangs on
/// metric  K, symmetric, positive semidefinite, in the link
/// fails   never; an empty row has no angles
std::vector<double> nearestAngles(const HingeRow& row, const Eigen::Matrix3d& wanted, const Eigen::Matrix3d& metric);

}  // namespace limber
