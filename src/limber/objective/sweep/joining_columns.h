// SPDX-License-Identifier: MIT
// The terms of goals with several links in an elimination along the tree, as auxiliary unknowns
// (objective/sweep/open_system.h).
//
// The residual has a multiplier for each row:  w J'J = sum of a a',  a = sqrt(w) (row of J), of which each link has its
// part. The goal's own force is not in the gradient but in the multiplier's row, so a stiff goal causes no
// cancellation. The mixed second derivative of two links is X = sum of u v' (elimination with complete pivoting, rank X
// terms):
//
//   x_a' X x_b + x_b' X' x_a = 1/2 sum of ((u.x_a + v.x_b)^2 - (u.x_a - v.x_b)^2)
#pragma once

#include "limber/objective/objective.h"
#include "limber/objective/sweep/coordinate_tree.h"

namespace limber {

struct JoiningColumns {
  /// The part of an unknown's column that belongs to one link, a wrench on the link's run.
  struct Part {
    int unknown = 0, run = 0;
    Vector6d wrench;
  };
  std::vector<double> diagonals;  ///< by unknown: -1 or 1
  std::vector<int> firstUnknown;  ///< by goal: the multiplier of its first row, -1 for none
  std::vector<Part> parts;

  /// Computes the parts, after computeGradient(). Allocates nothing once sized.
  void take(const Objective& objective, const Evaluation& evaluation, const std::vector<Residual>& multipliers);

 private:
  void takeMultipliers(const Goal& goal, const std::vector<TwistJacobian>& jacobians, const std::vector<int>& runs);
  void takeCrossCurvature(Matrix6d rest, int run, int other);
};

}  // namespace limber
