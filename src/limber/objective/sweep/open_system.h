// SPDX-License-Identifier: MIT
// What an elimination along the tree leaves over: a small symmetric system
//
//   K u = -b
//
// over the unknowns that have no place of their own in the tree. Some are coordinates: those that move several joints
// (drivers), that limits tie, or whose pivot cannot be judged yet. The others are auxiliary and stand for what a goal
// of several links adds to H: with a its column,
//
//   diagonal -1   + a a'      (a multiplier)            diagonal +1   - a a'      (curvature that is negative)
//
// For H to be positive definite K must have as many negative eigenvalues as there are auxiliaries of diagonal -1
// (Haynsworth: inertias of a matrix and its Schur complement add up). These come first in L D L', where all that was
// eliminated before keeps their block at or below -1; every pivot after them must be positive.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "limber/objective/limits/free_space.h"

namespace limber {

class OpenSystem {
 public:
  void clear();
  /// diagonal: -1 or 1. Returns the unknown; they are numbered from 0.
  int addAuxiliary(double diagonal);
  /// active: place among the active coordinates; own: the part of the diagonal that regulariser and damping make, below
  /// which by far a pivot is rounding.
  int addCoordinate(int active, double diagonal, double own);

  int count() const { return static_cast<int>(unknowns_.size()); }
  bool isAuxiliary(int unknown) const { return at(unknown).active < 0; }
  /// Of an auxiliary: its diagonal is -1.
  bool isNegative(int unknown) const { return at(unknown).isNegative; }
  /// Of a coordinate: its place among the active ones.
  int active(int unknown) const { return at(unknown).active; }

  /// K(i, j) += value, and K(j, i) where they differ.
  void add(int i, int j, double value);
  /// K(i, i) += value >= 0, from which eliminations may take away: what rounding is relative to.
  void addDiagonal(int i, double value);
  double& right(int unknown) { return right_[unknown]; }
  void clearRight() { right_.head(count()).setZero(); }

  /// Once K is complete: P (K + C) P over the block's coordinates (unknownOf: by active coordinate), and across P a
  /// positive number that the solution never sees. Keeps the block by reference.
  void restrictTo(const FreeSpace::Block& block, const std::vector<int>& unknownOf);

  /// False when H is not positive definite.
  bool factor();
  void solve();
  /// After a factor() that returned false: solution() becomes a direction whose curvature is at most what is returned,
  /// which is <= 0.
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
  const Unknown& at(int unknown) const { return unknowns_[static_cast<std::size_t>(unknown)]; }
  int addUnknown(const Unknown& unknown, double diagonal);
  void takeOrder();
  bool factorColumn(Eigen::Index j);
  void project(Eigen::VectorXd& v);
  void takeSolution();

  std::vector<Unknown> unknowns_;
  std::vector<Restriction> restrictions_;
  std::size_t restrictionCount_ = 0;
  std::vector<int> order_;      ///< unknowns as they are eliminated
  // Of more room than is used; (room x room) and (room x 1).
  Eigen::MatrixXd matrix_;      ///< K
  Eigen::MatrixXd factors_;     ///< L without its diagonal, in order
  Eigen::VectorXd pivots_, right_, solution_, ordered_, scratch_;
  Eigen::MatrixXd blockRows_;
  Eigen::Index badColumn_ = -1;
  double badPivot_ = 0.0;
};

}  // namespace limber
