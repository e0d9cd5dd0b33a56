// SPDX-License-Identifier: MIT
// What the last steps teach about the inverse Hessian: L-BFGS (Nocedal 1980), by the two-loop recursion (Nocedal and
// Wright, Numerical Optimization, algorithm 7.4), within a free space:
//
//   H = the BFGS updates by (P s, P y), oldest first, of  gamma P M^-1 P,    gamma = s'y / y'M^-1 y  of the last pair
//
// Pairs are kept whole and projected when H is applied, so that they outlive limits that come and go; those that have
// no positive curvature within P are passed over.
#pragma once

#include <Eigen/Core>

#include "limber/objective/limits/free_space.h"

namespace limber {

class LimitedMemory {
 public:
  /// Forgets everything; room for `capacity` pairs of length n. Allocates where there is none yet.
  void reset(int n, int capacity);
  void clear() { size_ = next_ = 0; }

  int size() const { return size_; }
  /// A step s that changed the gradient by y, both (n x 1). False, and nothing changes, unless s'y > 0 beyond rounding.
  bool add(const Eigen::VectorXd& s, const Eigen::VectorXd& y);

  /// out = H v for v = P v; metric (n x 1) is the diagonal of M. False when no pair has positive curvature within P.
  bool apply(const FreeSpace& space, const Eigen::VectorXd& metric, const Eigen::VectorXd& v, Eigen::VectorXd& out);

 private:
  void project(const FreeSpace& space);

  Eigen::MatrixXd steps_, changes_;                    ///< (n x capacity)
  Eigen::MatrixXd projectedSteps_, projectedChanges_;  ///< (n x capacity)
  Eigen::VectorXd column_, inverse_, alpha_;           ///< scratch; 1 / s'y of the projected pairs, 0 for none
  int capacity_ = 0, size_ = 0, next_ = 0;
};

}  // namespace limber
