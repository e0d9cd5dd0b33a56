// SPDX-License-Identifier: MIT
// The columns of open unknowns, carried up a limb of the tree. An unknown's column is a wrench F: the entry of H
// between the unknown and a coordinate above it, of twist S, is S . F. An elimination on the way changes all columns by
// the same matrix,
//
//   e = S . F      F <- F - h e / d      K <- K - e' e / d      b <- b - e' alpha / d
//
// so a limb computes B in F = B F_0, and the cost of an element does not depend on the number of open unknowns.
#pragma once

#include <algorithm>
#include <vector>

#include "limber/kinematics/transform.h"
#include "limber/objective/sweep/sweep_kernel.h"

namespace limber {

struct ColumnBundle {
  using Rows = Eigen::Matrix<double, 6, kSweepRows, Eigen::RowMajor>;

  std::vector<int> unknowns;                  ///< each at most once
  std::vector<Vector6d> columns;              ///< F_0
  Rows basis;                                 ///< B, with two columns of padding
  Rows gram;                                  ///< sum of e' e / d, in terms of B
  Vector6d load;                              ///< sum of e' alpha / d
  Rows missing;                               ///< sum of F_0 F_0' over auxiliary unknowns with diagonal -1
  Eigen::Matrix<double, kSweepRows, 1> pull;  ///< F_0 u for a solution u
  bool isFresh = true;                        ///< nothing is eliminated yet, so columns may be added
  bool isJoined = false;                      ///< an unknown is auxiliary

  void clear() {
    unknowns.clear();
    columns.clear();
    basis.setIdentity();
    basis.rightCols<kSweepRows - 6>().setZero();
    gram.setZero();
    missing.setZero();
    load.setZero();
    pull.setZero();
    isFresh = true;
    isJoined = false;
  }
  void add(int unknown, const Vector6d& column) {
    const auto found = std::find(unknowns.begin(), unknowns.end(), unknown);
    if (found != unknowns.end()) {
      columns[found - unknowns.begin()] += column;
      return;
    }
    unknowns.push_back(unknown);
    columns.push_back(column);
  }
};

}  // namespace limber
