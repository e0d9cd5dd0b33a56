// SPDX-License-Identifier: MIT
// The variable metric H_q of the appendix of Zhao and Badler (1994): the inverse Hessian as far as the steps so far
// have shown it, and zero along the normals of the limits that hold (H_q a = 0). Symmetric, positive semidefinite.
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
  Eigen::MatrixXd matrix() const { return lower_.selfadjointView<Eigen::Lower>(); }  ///< the whole of H, for tests

  /// (32), a limit is added:  H <- H - H a a'H / a'Ha.  Nothing when a'Ha is zero: H has no way along a.
  void add(const Eigen::VectorXd& normal);
  /// (30), a limit is dropped:  H <- H + P a a'P / a'Pa,  with `free` = P a, P of the limits that remain.
  void drop(const Eigen::VectorXd& free);
  /// A step sigma has changed the gradient by y = `change`: BFGS (33) when sigma'y >= y'Hy, else DFP (34) (Fletcher
  /// 1970); BFGS always when not `mayUseDfp`. False, and nothing changes, unless sigma'y > 0 beyond rounding.
  bool update(const Eigen::VectorXd& sigma, const Eigen::VectorXd& change, bool mayUseDfp);

 private:
  Eigen::MatrixXd lower_;    ///< H; its lower triangle alone is kept
  Eigen::VectorXd product_;  ///< H a, H y
};

}  // namespace limber
