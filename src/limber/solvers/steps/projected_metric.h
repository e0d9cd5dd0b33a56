// SPDX-License-Identifier: MIT
// The variable metric H_q of the appendix of Zhao and Badler (1994): the inverse Hessian estimated from the steps so
// far, and zero along the normals of the active limits (H_q a = 0). Symmetric, positive semidefinite.
#pragma once

#include <Eigen/Core>

namespace limber {

class ProjectedMetric {
 public:
  /// H = I (n x n).
  void reset(int n);

  int dimension() const { return static_cast<int>(lower_.rows()); }
  /// out = H v.
  void apply(const Eigen::VectorXd& v, Eigen::VectorXd& out) const;
  double trace() const { return lower_.trace(); }
  Eigen::MatrixXd matrix() const { return lower_.selfadjointView<Eigen::Lower>(); }  ///< the full matrix H, for tests

  /// (32), a limit is added:  H <- H - H a a'H / a'Ha.  No change if a'Ha is zero, because H has no component along a.
  void add(const Eigen::VectorXd& normal);
  /// (30), a limit is dropped:  H <- H + P a a'P / a'Pa,  with `free` = P a, P of the remaining limits.
  void drop(const Eigen::VectorXd& free);
  /// Updates H for a step sigma that changed the gradient by y = `change`: BFGS (33) if sigma'y >= y'Hy or not
  /// `mayUseDfp`, else DFP (34) (Fletcher 1970). False, without a change, unless sigma'y > 0 beyond rounding.
  bool update(const Eigen::VectorXd& sigma, const Eigen::VectorXd& change, bool mayUseDfp);

 private:
  Eigen::MatrixXd lower_;    ///< lower triangle of H
  Eigen::VectorXd product_;  ///< H a, H y
};

}  // namespace limber
