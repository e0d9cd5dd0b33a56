// SPDX-License-Identifier: MIT
// The active set of the appendix of Zhao and Badler (1994): A_q, with one unit normal per column, and the inverse of
// A'A, updated when columns are added or dropped (Goldfarb 1969). With u = A'a, r = (A'A)^-1 u, d = a'Pa:
//
//   add a:   [ G + r r'/d   -r/d ]        drop the last, G = [ B  b ]:   B - b b'/c
//            [   -r'/d       1/d ]                           [ b' c ]
//
// and P = I - A (A'A)^-1 A'. Adding, dropping and projecting cost O(n q). The rounding error is measured at each
// change; beyond kRoundingAllowed the inverse is recomputed.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace limber {

class ActiveSet {
 public:
  /// Clears the set; n is the length of a normal. Reserves n columns, so that later calls do not allocate.
  void reset(int n);

  int size() const { return size_; }
  int dimension() const { return static_cast<int>(normals_.rows()); }
  /// The limit of a column.
  int limit(int column) const { return limits_[column]; }
  /// Column of a limit, -1 if it is not in the set.
  int find(int limit) const;
  auto normals() const { return normals_.leftCols(size_); }              ///< A_q (n x q)
  auto inverse() const { return inverse_.topLeftCorner(size_, size_); }  ///< (A'A)^-1 (q x q)

  /// Adds a limit with its unit normal. False, without a change, if the normal depends on the others (a'Pa <=
  /// kDependent), which then imply the limit.
  bool add(int limit, const Eigen::VectorXd& normal);
  /// Drops a column; the last column moves to its index.
  void drop(int column);

  /// v <- P v.
  void project(Eigen::VectorXd& v) const;
  /// alpha (q x 1) = (A'A)^-1 A'g.
  void computeMultipliers(const Eigen::VectorXd& gradient, Eigen::VectorXd& alpha) const;

  static constexpr double kDependent = 1e-12;        ///< sine of the angle to the others' span, squared
  static constexpr double kRoundingAllowed = 1e-11;  ///< largest entry of (A'A)(A'A)^-1 - I in a probed column

 private:
  bool append();
  void swapColumns(int a, int b);
  bool isInexact(int column) const;
  void refresh();

  Eigen::MatrixXd normals_, inverse_;  ///< (n x n), the first size_ columns used
  std::vector<int> limits_;
  int size_ = 0;
  int probe_ = 0;  ///< column whose rounding error is measured next
  mutable Eigen::VectorXd products_, rest_, coefficients_, sum_;
};

}  // namespace limber
