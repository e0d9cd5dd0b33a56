// SPDX-License-Identifier: MIT
// The inverse Hessian from the last steps: L-BFGS (Nocedal 1980), by the two-loop recursion (Nocedal and Wright,
// Numerical Optimization, algorithm 7.4), within a free space:
//
//   H = the BFGS updates by (P s, P y), oldest first, of  gamma P M^-1 P,    gamma = s'y / y'M^-1 y  of the last pair
//
// Pairs are stored unprojected and projected when H is applied, so that they stay valid when active limits change;
// pairs without positive curvature within P are skipped.
#pragma once

#include <Eigen/Core>

#include "limber/objective/limits/free_space.h"

namespace limber {

class LimitedMemory {
 public:
  /// Clears the memory, with room for `capacity` pairs of length n. Allocates only if there is less.
  void reset(int n, int capacity);
  void clear() { size_ = next_ = 0; }

  int size() const { return size_; }
  /// Adds a step s that changed the gradient by y, both (n x 1). False, without a change, unless s'y > 0 beyond
  /// rounding.
  bool add(const Eigen::VectorXd& s, const Eigen::VectorXd& y);

  /// out = H v for v = P v; metric (n x 1) is the diagonal of M. False if no pair has positive curvature within P.
  bool apply(const FreeSpace& space, const Eigen::VectorXd& metric, const Eigen::VectorXd& v, Eigen::VectorXd& out);

 private:
  void project(const FreeSpace& space);

  Eigen::MatrixXd steps_, changes_;                    ///< (n x capacity)
  Eigen::MatrixXd projectedSteps_, projectedChanges_;  ///< (n x capacity)
  Eigen::VectorXd column_, inverse_, alpha_;           ///< scratch; 1 / s'y of the projected pairs, 0 for none
  int capacity_ = 0, size_ = 0, next_ = 0;
};

}  // namespace limber
