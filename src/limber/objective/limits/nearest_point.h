// SPDX-License-Identifier: MIT
// The point of a polytope nearest to a given point:
//
//   minimise 1/2 |x - x0|^2   subject to   n_j . x <= b_j   (some with equality),   |n_j| = 1
//
// by the dual method of Goldfarb and Idnani (1983), which starts at x0 and adds the most violated constraint one at a
// time. It needs no feasible start, terminates after finitely many steps, and detects an empty polytope.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace limber {

class NearestPoint {
 public:
  Eigen::MatrixXd normals;       ///< (n x m), unit columns, set by the caller
  Eigen::VectorXd bounds;        ///< (m x 1), b, set by the caller
  std::vector<char> isEquality;  ///< (m), set by the caller

  /// Sizes all memory for n coordinates and m constraints. Allocates only if it has never held as many.
  void resize(int coordinates, int constraints);

  /// Moves x (n x 1) to the nearest point. False if no point is feasible; conflict() then lists constraints that
  /// contradict each other. Violations below `tolerance` are ignored; binding constraints hold up to rounding.
  bool solve(Eigen::VectorXd& x, double tolerance);

  /// After solve(): (m x 1), x0 - x = sum multipliers_j n_j; >= 0 except for equality constraints, 0 if not binding.
  const Eigen::VectorXd& multipliers() const { return multipliers_; }
  /// After solve() returned false.
  const std::vector<int>& conflict() const { return working_; }

 private:
  int findWorst(const Eigen::VectorXd& x, double tolerance) const;
  bool takeIn(int constraint, Eigen::VectorXd& x, double tolerance);
  void append(int constraint);
  void drop(int place);
  void settle(Eigen::VectorXd& x);

  int n_ = 0, m_ = 0;
  std::vector<int> working_;   ///< the working set
  std::vector<char> skipped_;  ///< (m), implied by the working set up to rounding
  std::vector<double> signs_;  ///< by working constraint: -1 for an equality reached from below
  Eigen::MatrixXd q_, r_;      ///< signed working normals = q r, q (n x k) orthonormal, r (k x k) upper triangular
  Eigen::VectorXd forces_;     ///< (k), multipliers of the working set
  Eigen::VectorXd normal_, along_, slope_, error_, multipliers_;
};

}  // namespace limber
