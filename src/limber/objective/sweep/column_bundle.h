// SPDX-License-Identifier: MIT
// The columns that open unknowns carry up a limb of the tree. An unknown's column is a wrench F: the entry of H between
// the unknown and a coordinate above, of twist S, is S . F. Whatever is eliminated on the way changes all columns by
// the same matrix,
//
//   e = S . F      F <- F - h e / d      K <- K - e' e / d      b <- b - e' alpha / d
//
// so B in F = B F_0 is what a limb computes, and the cost of an element does not depend on how many unknowns are open.
#pragma once

#include <algorithm>
#include <vector>

#include "limber/kinematics/transform.h"
#include "limber/objective/sweep/sweep_kernel.h"

namespace limber {

struct ColumnBundle {
  using Rows = Eigen::Matrix<double, 6, kSweepRows, Eigen::RowMajor>;

  std::vector<int> unknowns;      ///< each once
  std::vector<Vector6d> columns;  ///< F_0
  Rows basis;                     ///< B, two columns to spare
  Rows gram;                      ///< sum of e' e / d, in terms of B
  Vector6d load;                  ///< sum of e' alpha / d
  Rows missing;                   ///< sum of F_0 F_0' of auxiliaries of diagonal -1
  Eigen::Matrix<double, kSweepRows, 1> pull;  ///< F_0 u of a solution u
  bool isFresh = true;            ///< nothing has been eliminated yet: columns may still be added
  bool isJoined = false;          ///< some unknown is auxiliary

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
      columns[static_cast<std::size_t>(found - unknowns.begin())] += column;
      return;
    }
    unknowns.push_back(unknown);
    columns.push_back(column);
  }
};

}  // namespace limber
