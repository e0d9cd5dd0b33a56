// SPDX-License-Identifier: MIT
// The small symmetric system that remains after an elimination along the tree,
//
//   K u = -b
//
// over the unknowns that cannot be eliminated in the tree. Some are coordinates: those that move several joints
// (drivers), that linear limits tie, or whose pivot is not complete yet. The others are auxiliary and represent the
// terms of goals with several links in H: with a the unknown's column,
//
//   diagonal -1   + a a'      (a multiplier)            diagonal +1   - a a'      (curvature that is negative)
//
// H is positive definite if and only if K has as many negative eigenvalues as there are auxiliaries with diagonal -1
// (Haynsworth 1968: inertias of a matrix and its Schur complement add up). These come first in L D L', and the
// eliminations keep their block at or below -1; every later pivot must be positive.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "limber/objective/limits/free_space.h"

namespace limber {

class OpenSystem {
 public:
  void clear();
  /// diagonal: -1 or 1. Returns the unknown's number, from 0.
  int addAuxiliary(double diagonal);
  /// active: active index; own: the part of the diagonal due to regulariser and damping, relative to which a tiny pivot
  /// is rounding.
  int addCoordinate(int active, double diagonal, double own);

  int count() const { return static_cast<int>(unknowns_.size()); }
  bool isAuxiliary(int unknown) const { return unknowns_[unknown].active < 0; }
  /// True for an auxiliary unknown with diagonal -1.
  bool isNegative(int unknown) const { return unknowns_[unknown].isNegative; }
  /// Active index of a coordinate.
  int active(int unknown) const { return unknowns_[unknown].active; }

  /// Adds to K(i, j), and to K(j, i) if i != j.
  void add(int i, int j, double value);
  /// Adds a value >= 0 to K(i, i). Rounding is relative to the sum of these.
  void addDiagonal(int i, double value);
  double& right(int unknown) { return right_[unknown]; }
  void clearRight() { right_.head(count()).setZero(); }

  /// Replaces the complete K by P (K + C) P over a block's coordinates, plus a positive multiple of 1 - P, which keeps
  /// it regular and which the solution does not see. unknownOf has one entry for each active coordinate. Keeps a
  /// reference to the block.
  void restrictTo(const FreeSpace::Block& block, const std::vector<int>& unknownOf);

  /// False if H is not positive definite.
  bool factor();
  void solve();
  /// After a factor() that returned false: solution() becomes a direction, and the returned number <= 0 is a bound on
  /// its curvature.
  double curvatureDirection();
  double solution(int unknown) const { return solution_[unknown]; }
  void clearSolution() { solution_.head(count()).setZero(); }

 private:
  struct Unknown {
    int active = -1;
    double own = 0.0, size = 0.0;
    bool isNegative = false;
  };
  struct Restriction {
    const FreeSpace::Block* block = nullptr;
    std::vector<int> unknowns;
  };
  int addUnknown(const Unknown& unknown, double diagonal);
  void takeOrder();
  bool factorColumn(Eigen::Index j);
  void project(Eigen::VectorXd& v);
  void takeSolution();

  std::vector<Unknown> unknowns_;
  std::vector<Restriction> restrictions_;
  std::size_t restrictionCount_ = 0;
  std::vector<int> order_;  ///< order of elimination
  // (room x room) and (room x 1), with room >= count().
  Eigen::MatrixXd matrix_;   ///< K
  Eigen::MatrixXd factors_;  ///< L without its diagonal, in order
  Eigen::VectorXd pivots_, right_, solution_, ordered_, scratch_;
  Eigen::MatrixXd blockRows_;
  Eigen::Index badColumn_ = -1;
  double badPivot_ = 0.0;
};

}  // namespace limber
